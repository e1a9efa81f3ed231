// A scene stepped by its caller, one step at a time, with forces from outside.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <atomic>
#include <optional>
#include <stdexcept>

#include "tools/python/bindings.h"
#include "tools/python/callback.h"
#include "tools/python/forced_system.h"
#include "tools/python/kept_run.h"

namespace carom::python {

namespace {

class Stepper {
 public:
  Stepper(const SceneSource& source, const SceneChanges& changes, const std::string& file, bool overwrite) {
    Scene scene = source.read(changes.settings());
    forced_ = std::make_shared<ForcedSystem>(scene.system);
    scene.system = forced_;
    run_.emplace(std::move(scene), file, overwrite);
    run_->start();
  }

  const SimulationState& state() const { return open().simulation().state(); }
  bool finished() const { return !run_ || open().simulation().finished(); }
  Vec& force() { return forced_->force(); }
  std::int64_t every() const { return open().scene().output.every; }

  // Why it failed; empty if it did not.
  std::string step() {
    if (finished()) throw std::out_of_range("the run has come to its end");
    const Busy busy(steps_);
    is_whole_ = false;
    const SteppingEnd end = open().step_until(state().step + 1, [] {});
    is_whole_ = end.reason != SteppingEnd::Reason::failed;
    return end.why;
  }

  KeptRun finish(const std::string& status) {
    const Busy busy(steps_);
    KeptRun kept = open().finish(status, is_whole_);
    run_.reset();
    return kept;
  }

 private:
  // One thread at a time.
  class Busy {
   public:
    explicit Busy(std::atomic<bool>& flag) : flag_(flag) {
      if (flag_.exchange(true)) throw std::runtime_error("another thread steps this run");
    }
    ~Busy() { flag_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    std::atomic<bool>& flag_;
  };

  OpenRun& open() {
    if (!run_) throw std::out_of_range("the run has ended");
    return *run_;
  }
  const OpenRun& open() const { return const_cast<Stepper*>(this)->open(); }

  std::shared_ptr<ForcedSystem> forced_;
  std::optional<OpenRun> run_;
  bool is_whole_ = true;
  std::atomic<bool> steps_ = false;
};

}  // namespace

void bind_stepper(py::module_& module) {
  py::class_<Stepper>(module, "Stepper")
      .def(py::init<const SceneSource&, const SceneChanges&, const std::string&, bool>())
      .def_property_readonly("finished", &Stepper::finished)
      .def_property_readonly("time", [](const Stepper& stepper) { return stepper.state().time; })
      .def_property_readonly("number", [](const Stepper& stepper) { return stepper.state().step; })
      .def_property_readonly("every", &Stepper::every)
      .def_property_readonly("q", [](const Stepper& stepper) { return Vec(stepper.state().q); })
      .def_property_readonly("u", [](const Stepper& stepper) { return Vec(stepper.state().u); })
      .def_property_readonly("energy",
                             [](const Stepper& stepper) {
                               py::dict energy;
                               for (const LedgerColumn& column : ledger_columns())
                                 energy[column.name] = column.of(stepper.state().energy);
                               return energy;
                             })
      .def_property_readonly("force", [](Stepper& stepper) { return Eigen::Ref<Vec>(stepper.force()); })
      .def("step",
           [](Stepper& stepper) {
             const AtWork at_work;
             const py::gil_scoped_release released;
             return stepper.step();
           })
      .def("finish", &Stepper::finish);
}

}  // namespace carom::python
