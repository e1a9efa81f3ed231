#include "engine/thread_team.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "solvers/inclusion/path/velocity_matrix.h"
#include "tests/support/large_problem.h"

using namespace carom;

namespace {

// The number of threads as it was, when the test ends.
struct ThreadsOfTest {
  int before = step_threads();
  ~ThreadsOfTest() { set_step_threads(before); }
};

}  // namespace

TEST_CASE("every piece is done once, by any number of threads, also by two callers at once") {
  const ThreadsOfTest restored;
  for (const int threads : {1, 2, 3, 5}) {
    set_step_threads(threads);
    const auto call = [] {
      for (std::size_t pieces : {0, 1, 2, 7, 100}) {
        std::vector<std::atomic<int>> done(pieces);
        share_work(pieces, [&](std::size_t piece) { ++done[piece]; });
        for (const std::atomic<int>& count : done)
          if (count != 1) return false;
      }
      return true;
    };
    bool other_is_right = false;
    std::thread other([&] { other_is_right = call(); });
    CHECK(call());
    other.join();
    CHECK(other_is_right);
  }
}

TEST_CASE("a piece may share work itself, and the first failure of several is told") {
  const ThreadsOfTest restored;
  for (const int threads : {1, 3}) {
    set_step_threads(threads);
    std::atomic<int> sum = 0;
    share_work(4, [&](std::size_t) { share_work(5, [&](std::size_t piece) { sum += static_cast<int>(piece); }); });
    CHECK(sum == 40);
    const auto fail = [](std::size_t piece) {
      if (piece % 3 == 2) throw std::runtime_error(std::to_string(piece));
    };
    CHECK_THROWS_WITH(share_work(50, fail), "2");
    share_work(3, [&](std::size_t) { ++sum; });
    CHECK(sum == 43);
  }
}

TEST_CASE("The factors of a large pile are the same bits for any number of threads") {
  const ThreadsOfTest restored;
  Vec x;
  for (const int threads : {1, 2, 3}) {
    set_step_threads(threads);
    testing::LargeProblem pile;
    testing::make_pile({.columns = 30, .layers = 30}, pile);
    REQUIRE(pile.G.size() > 4000);
    const ContactDirections contacts(pile.inclusion);
    VelocityMatrix matrix(contacts);
    testing::Random random(3);
    std::vector<Eigen::Matrix3d> K(contacts.count());
    for (Eigen::Matrix3d& block : K)
      for (double& entry : block.reshaped()) entry = random.normal();
    REQUIRE(matrix.factor(K));
    Vec solution = random.vector(contacts.velocity_size());
    matrix.solve(solution);
    if (threads == 1) x = solution;
    CHECK(solution == x);
  }
}
