#include "tests/allocations/counted.h"

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAROM_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CAROM_SANITIZED
#endif

#if defined(__GLIBC__) && !defined(CAROM_SANITIZED)
#define CAROM_COUNTS
#endif

namespace {

long count = 0;

}  // namespace

#ifdef CAROM_COUNTS

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t items, std::size_t size) {
  ++count;
  return __libc_calloc(items, size);
}
void* realloc(void* old, std::size_t size) {
  ++count;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
}

#endif

namespace carom::testing {

bool allocations_are_counted() {
#ifdef CAROM_COUNTS
  return true;
#else
  return false;
#endif
}

long allocations() { return count; }

}  // namespace carom::testing
