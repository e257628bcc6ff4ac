// SPDX-License-Identifier: Apache-2.0
// A board without its host whose GPGPU is two models that are compared, and a process that does
// scenarios to it, one after the other.  Each begins after a reset, with memories that are zero but
// for what it has, so that it goes the same way whatever was before.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/compare/comparison.h"
#include "models/device/launcher.h"
#include "platform/platform.h"
#include "tools/gvp-cosim/scenario.h"

namespace gvp::cosim {

struct Outcome {
  enum class Kind { kAgrees, kDiffers, kEndless, kNoKernel } kind = Kind::kAgrees;
  std::string text;     // of what differs
  uint64_t cycles = 0;  // from its launch on, until it was over or differed
};

class Cosimulation : public sc_core::sc_module, private device::LaunchPort {
 public:
  // device: of the configuration; its model is a comparison.  Throws Error (bad input) for a board
  // without a port to launch kernels by.
  Cosimulation(const sc_core::sc_module_name& name, const platform::Configuration& configuration,
               std::string device);

  // Simulates until body, a process, returns; rethrows what it throws.
  void run(std::function<void()> body);
  // From that process.  A kernel that takes more than so many cycles is ended (kEndless); one that
  // cannot be assembled or loaded is none (kNoKernel).
  Outcome run(const Scenario& scenario, uint64_t most_cycles);

  uint64_t kernels() const { return kernels_; }
  uint64_t accesses() const { return accesses_; }

 private:
  SC_HAS_PROCESS(Cosimulation);
  struct Stopped {};  // thrown through a launcher, when there is nothing more to wait for

  void drive();
  void begin(const Scenario& scenario, device::Launcher& launcher);
  void launch(device::Launcher& launcher);
  void access(const Access& access);
  void access_all(Access::When when);
  void wait_until_level();
  void stop_if_over();
  void clear(const std::string& window);
  uint64_t address_of(const std::string& window) const { return instance().bases.at(window); }
  const device::Instance& instance() const { return *configuration_.find(device_); }

  uint32_t read(uint64_t address) override;
  void write(uint64_t address, uint32_t word) override;
  uint64_t debug_read(uint64_t address, void* data, uint64_t bytes) override {
    return master_->debug_read(address, data, bytes);
  }
  uint64_t debug_write(uint64_t address, const void* data, uint64_t bytes) override {
    return master_->debug_write(address, data, bytes);
  }
  void wait_for_interrupt(const std::string& output) override;

  const platform::Configuration& configuration_;
  const std::string device_;
  platform::Platform platform_;
  kit::ExternalMaster* master_;
  compare::Comparison& comparison_;
  const sc_core::sc_time cycle_;
  std::function<void()> body_;
  std::exception_ptr error_;

  const Scenario* scenario_ = nullptr;  // that runs
  std::optional<compare::Mismatch> mismatch_;
  sc_core::sc_event differs_{"differs"};
  sc_core::sc_time deadline_;
  uint64_t kernels_ = 0, accesses_ = 0;
};

}  // namespace gvp::cosim
