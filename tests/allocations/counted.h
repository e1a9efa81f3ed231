// How often this program has asked for memory: operator new and Eigen both come to malloc, which is replaced here.

#pragma once

namespace carom::testing {

bool allocations_are_counted();  // false where a sanitizer replaces malloc itself, or the C library is not glibc
long allocations();

}  // namespace carom::testing
