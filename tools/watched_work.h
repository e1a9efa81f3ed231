// Work in a thread of its own, watched from this one.

#pragma once

#include <functional>

namespace carom {

// `watch` is called a few times a second until the work is done. What the work throws comes out here; what `watch`
// throws, once the work has ended.
void work_watched(const std::function<void()>& work, const std::function<void()>& watch);

}  // namespace carom
