// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/target_side.h"

#include <utility>

#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::kit {
namespace {

const Log log_interrupt("interrupt");

}  // namespace

TargetSide::TargetSide(const sc_core::sc_module_name& name, sc_core::sc_out<bool>& interrupt)
    : sc_core::sc_module(name), interrupt_(interrupt) {
  SC_METHOD(drive);
  sensitive << drive_event_;
  dont_initialize();
}

void TargetSide::begin(const sc_core::sc_time& delay) {
  in_access_ = true;
  offset_ = delay;
}

void TargetSide::end(sc_core::sc_time& delay, const sc_core::sc_time& latency) {
  in_access_ = false;
  offset_ = sc_core::SC_ZERO_TIME;
  delay += latency;
  if (level_ == driven_) return;
  sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  drive_event_.notify(sc_core::SC_ZERO_TIME);
  // Whoever looks at the output itself sees the new level when the access returns.
  sc_core::wait(sc_core::SC_ZERO_TIME);
  sc_core::wait(sc_core::SC_ZERO_TIME);
}

void TargetSide::set_interrupt(bool level) {
  level_ = level;
  if (!in_access_ && level_ != driven_) drive_event_.notify(sc_core::SC_ZERO_TIME);
}

void TargetSide::drive() {
  if (level_ == driven_) return;
  driven_ = level_;
  interrupt_.write(level_);
  const LogLevel importance = level_ ? LogLevel::kInfo : LogLevel::kDebug;
  if (!log_interrupt.enabled(importance)) return;
  const std::string place =
      get_parent_object()->name() + (" @ " + time_text(sc_core::sc_time_stamp()));
  if (level_)
    log_interrupt.info("{}: interrupt raised", place);
  else
    log_interrupt.debug("{}: interrupt lowered", place);
}

}  // namespace gvp::kit
