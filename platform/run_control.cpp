// SPDX-License-Identifier: Apache-2.0
#include "platform/run_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <systemc>
#include <utility>

#include "models/base/error.h"
#include "platform/interruption.h"
#include "platform/systemc_reports.h"
#include "platform/time_text.h"

namespace gvp::platform {
namespace {

constexpr uint64_t kSlicePs = 1000000000;  // 1 ms: 100,000 cycles of the host at 100 MHz
constexpr uint32_t kLargestExitCode = 123;
constexpr int kLimitReached = static_cast<int>(ExitCode::kLimitReached);
constexpr int kModelError = static_cast<int>(ExitCode::kModelError);

uint64_t now_ps() {
  static const double per_ps =
      sc_core::sc_time(1, sc_core::SC_PS) / sc_core::sc_get_time_resolution();
  return static_cast<uint64_t>(static_cast<double>(sc_core::sc_time_stamp().value()) / per_ps);
}

}  // namespace

const char* to_string(End end) {
  switch (end) {
    case End::kExit:
      return "exit";
    case End::kTimeLimit:
      return "time limit";
    case End::kInstructionLimit:
      return "instruction limit";
    case End::kSignal:
      return "signal";
    case End::kDebugger:
      return "debugger";
    case End::kNothingLeft:
      return "nothing left to simulate";
    case End::kHostError:
      return "host error";
    case End::kProtocolViolation:
      return "protocol violation";
  }
  return "unknown";
}

RunControl::RunControl(host::Host& host, const std::vector<gpgpu::Device*>& gpgpus,
                       const Limits& limits, std::function<void()> between_slices, Every every)
    : host_(host),
      gpgpus_(gpgpus),
      limits_(limits),
      between_slices_(std::move(between_slices)),
      every_(std::move(every)) {
  if (limits_.time_ps != 0)
    host_.set_time_limit(sc_core::sc_time(static_cast<double>(limits_.time_ps), sc_core::SC_PS));
  // While GDB holds the host, consoles and the progress line live on.
  host_.set_held_handler(between_slices_);
  host_.set_stop_handler([this](const host::Stop& stop) {
    if (!stop_) stop_ = stop;
    sc_core::sc_pause();
  });
}

Outcome RunControl::run() {
  const Interruption interruption(&host_, &gpgpus_);
  for (;;) {
    const bool time_left = advance();
    if (between_slices_) between_slices_();
    act_if_due();
    if (const auto outcome = ended()) return *outcome;
    if (!time_left)
      return {End::kTimeLimit, kLimitReached,
              fmt::format("stopped at the limit of {} simulated time (--max-time)",
                          time_text(limits_.time_ps))};
    if (!sc_core::sc_pending_activity())
      return {End::kNothingLeft, kModelError,
              fmt::format("nothing left to simulate at {}: the host waits for an interrupt that no "
                          "device will raise",
                          time_text(now_ps()))};
  }
}

void RunControl::act_if_due() {
  const uint64_t now = now_ps();
  if (every_.time_ps == 0 || now % every_.time_ps != 0 || now == acted_ps_) return;
  acted_ps_ = now;
  every_.act();
}

bool RunControl::advance() {
  uint64_t slice = kSlicePs;
  if (limits_.time_ps != 0) slice = std::min(slice, limits_.time_ps - now_ps());
  if (every_.time_ps != 0) slice = std::min(slice, every_.time_ps - now_ps() % every_.time_ps);
  start_simulation(sc_core::sc_time(static_cast<double>(slice), sc_core::SC_PS));
  return limits_.time_ps == 0 || now_ps() < limits_.time_ps;
}

std::optional<Outcome> RunControl::ended() const {
  if (stop_ && stop_->reason != host::StopReason::kRequested) return after_host_stop();
  if (const int number = Interruption::signal(); number != 0)
    return Outcome{End::kSignal, 128 + number,
                   fmt::format("stopped by signal {} at {}", number, time_text(now_ps()))};
  if (stop_) return after_host_stop();
  return std::nullopt;
}

Outcome RunControl::after_host_stop() const {
  switch (stop_->reason) {
    case host::StopReason::kExit:
      break;
    case host::StopReason::kInstructionLimit:
      return {End::kInstructionLimit, kLimitReached,
              fmt::format("stopped at the limit of {} instructions (--max-instructions)",
                          limits_.instructions)};
    case host::StopReason::kRequested:  // and no signal arrived
      return {End::kDebugger, 128 + SIGINT, stop_->message};
    case host::StopReason::kError:
      return {End::kHostError, kModelError, stop_->message};
  }
  if (stop_->exit_code <= kLargestExitCode)
    return {End::kExit, static_cast<int>(stop_->exit_code), ""};
  return {End::kExit, static_cast<int>(kLargestExitCode),
          fmt::format("the firmware's exit code {} ({:#x}) does not fit 0..{}, reported as {}",
                      static_cast<int32_t>(stop_->exit_code), stop_->exit_code, kLargestExitCode,
                      kLargestExitCode)};
}

}  // namespace gvp::platform
