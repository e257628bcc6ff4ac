// SPDX-License-Identifier: Apache-2.0
#include "platform/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <systemc>
#include <utility>

#include "platform/time_text.h"

namespace gvp::platform {
namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

// Kernels of all of them; blocks of one that runs.
gpgpu::Progress shown(const std::vector<gpgpu::Device*>& gpgpus) {
  gpgpu::Progress sum;
  for (const gpgpu::Device* gpgpu : gpgpus) {
    const gpgpu::Progress each = gpgpu->progress();
    const uint64_t kernels = sum.kernels_started + each.kernels_started;
    if (!sum.running) sum = each;
    sum.kernels_started = kernels;
  }
  return sum;
}

}  // namespace

Progress::Progress(std::function<void(const std::string&)> write, std::function<bool()> can_draw,
                   bool terminal, double interval, std::function<double()> clock)
    : write_(std::move(write)),
      can_draw_(std::move(can_draw)),
      terminal_(terminal),
      interval_(interval),
      clock_(std::move(clock)),
      last_time_(clock_()) {}

double Progress::wall_clock() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// Of the port that has carried data for longest since the last time.
double Progress::bus_share(const std::vector<uint64_t>& busy, double picoseconds) {
  uint64_t most = 0;
  for (size_t i = 0; i < busy.size(); ++i)
    most = std::max(most, busy[i] - (i < last_busy_.size() ? last_busy_[i] : 0));
  const double passed = picoseconds - last_picoseconds_;
  last_busy_ = busy;
  last_picoseconds_ = picoseconds;
  return busy.empty() || passed <= 0 ? -1 : static_cast<double>(most) / passed;
}

void Progress::update(const host::Host& host, const std::vector<gpgpu::Device*>& gpgpus,
                      const std::vector<uint64_t>& busy) {
  const double now = clock_();
  const double interval = shown_ ? interval_ : kRedraw;  // the first comes soon
  if (now - last_time_ < interval || (terminal_ && !visible_ && !can_draw_())) return;
  const auto instructions = static_cast<double>(host.instructions());
  const double mips = (instructions - last_instructions_) / (now - last_time_) / 1e6;
  last_time_ = now;
  last_instructions_ = instructions;
  const double picoseconds = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS);
  const std::string text = progress_text(static_cast<uint64_t>(picoseconds), mips, shown(gpgpus),
                                         bus_share(busy, picoseconds));
  write_(terminal_ ? kEraseLine + text : text + '\n');
  visible_ = terminal_;
  shown_ = true;
}

void Progress::hide() {
  if (visible_) write_(kEraseLine);
  visible_ = false;
}

std::string progress_text(uint64_t picoseconds, double mips, const gpgpu::Progress& gpgpu,
                          double bus) {
  std::string text = fmt::format("{:>10}  {:>7.1f} MIPS", time_text(picoseconds), mips);
  if (bus >= 0) text += fmt::format("   bus {:.0f}%", 100 * bus);
  if (gpgpu.kernels_started == 0) return text;
  text += fmt::format("   kernel {}", gpgpu.kernels_started);
  if (!gpgpu.running) return text + " done";
  return text + fmt::format(": block {} of {}", gpgpu.blocks_done, gpgpu.blocks_total);
}

}  // namespace gvp::platform
