// Threads that share the work of one step where it is large. Work comes in pieces whose number and bounds depend on the
// work alone, never on how many threads there are; a piece writes only what is its own, and whoever needs one result of
// all joins them in their order. So results are the same bits for any number of threads.

#pragma once

#include <cstddef>

namespace carom {

// How many threads a step may use: the cores that this process may use, unless set. Where several runs are computed at
// once, as in a sweep, one each is enough.
int step_threads();
void set_step_threads(int count);  // at least 1; not while a step is being computed

namespace thread_team {

// Work on piece number `piece` of what `task` points to.
using Piece = void (*)(const void* task, std::size_t piece);
void share(std::size_t pieces, Piece work, const void* task);

}  // namespace thread_team

// work(piece) for every piece from 0 to pieces − 1, in any order; returns when all are done. One thread, a single
// piece, a piece within a piece or a team that is at someone else's work: the caller does it all. Of several exceptions
// that of the lowest piece is thrown on.
template <class Work>
void share_work(std::size_t pieces, const Work& work) {
  thread_team::share(
      pieces, [](const void* task, std::size_t piece) { (*static_cast<const Work*>(task))(piece); }, &work);
}

}  // namespace carom
