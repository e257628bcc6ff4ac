// SPDX-License-Identifier: Apache-2.0
#include "trace/gpgpu_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/tlm/transaction_identity.h"

namespace gvp::trace {

using namespace gpgpu;

namespace {

std::string text_of(const BlockPlace& place) {
  return fmt::format("block ({}, {}, {})", place.x, place.y, place.z);
}

}  // namespace

GpgpuRecorder::GpgpuRecorder(Recorder& recorder, const std::string& device,
                             std::vector<std::string> stages, bool has_block_ram)
    : recorder_(recorder),
      device_(device),
      stages_(std::move(stages)),
      port_text_(device + "_block_ram") {
  wants_ = kKernels;  // origins and triggers
  kernels_ = recorder.track(trace::Subject::kKernels, device, "kernels");
  if (recorder.wants(trace::Subject::kBlocks)) wants_ |= kBlocks;
  if (recorder.wants(trace::Subject::kWarps)) wants_ |= kInstructions | kBlocks;
  if (recorder.wants(trace::Subject::kStages) && !stages_.empty()) wants_ |= kStages | kBlocks;
  if (!has_block_ram) return;
  block_ram_ = recorder.wanted(port_text_, {});
  port_ = recorder.names().number(port_text_);
  if (!block_ram_.empty()) wants_ |= kMemory;
}

void GpgpuRecorder::kernel_begins(const KernelEvent& kernel) {
  kernel_ = kernel;
  progress_ = 0;
  sms_.clear();
  blocks_left_ = uint64_t{kernel.grid[0]} * kernel.grid[1] * kernel.grid[2];
  kernel_name_ = recorder_.names().number(kernel.name);
  recorder_.begins(kernel_name_, kernel.begin_ps);
  Span span{kernels_, kernel_name_, kernel_name_, kernel.begin_ps, kernel.begin_ps, ""};
  recorder_.span_begins(span);
  kernel_span_ = span.number;
}

void GpgpuRecorder::kernel_ends(const KernelEvent& kernel) {
  const std::string detail =
      fmt::format("launch {}, grid {}x{}x{}, block {}x{}x{}, {} cycles, cause {}", kernel.launch,
                  kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.block[0], kernel.block[1],
                  kernel.block[2], kernel.cycles, kernel.cause);
  for (const auto& [place, block] : std::exchange(open_blocks_, {})) {  // it was stopped
    const uint64_t begin = kernel_.time_ps(block.cycle);
    recorder_.span({block_track({place.first, place.second, 0, 0, 0}),
                    recorder_.names().number("unfinished block"), kernel_name_, begin,
                    std::max(kernel.end_ps, begin), "", block.span});
  }
  sms_.clear();
  recorder_.span(
      {kernels_, kernel_name_, kernel_name_, kernel.begin_ps, kernel.end_ps, detail, kernel_span_});
  kernel_name_ = kNobody;
}

TrackId GpgpuRecorder::block_track(const BlockPlace& place) {
  return recorder_.track(trace::Subject::kBlocks, device_,
                         fmt::format("SM {} block slot {}", place.sm, place.slot),
                         fmt::format("SM {}", place.sm));
}

void GpgpuRecorder::block_begins(const BlockEvent& block) {
  const std::string place = text_of(block.place);
  const uint64_t begin = kernel_.time_ps(block.cycle);
  Span span{block_track(block.place),
            recorder_.names().number("block"),
            kernel_name_,
            begin,
            begin,
            place};
  recorder_.span_begins(span);
  open_blocks_[{block.place.sm, block.place.slot}] = {block.cycle, span.number, {}};
  Reached& sm = sms_[block.place.sm];
  ++sm.blocks;
  sm.cycle = block.cycle;
  blocks_left_ -= std::min<uint64_t>(blocks_left_, 1);
}

void GpgpuRecorder::reach(const WarpPlace& place, uint64_t cycle) {
  Reached& sm = sms_[place.block.sm];
  sm.cycle = std::max(sm.cycle, cycle);
  if (!stages_.empty()) return;
  const auto block = open_blocks_.find({place.block.sm, place.block.slot});
  if (block != open_blocks_.end()) block->second.warps[place.slot] = cycle;
}

// Without a pipeline the warps of a block have a clock each.
uint64_t GpgpuRecorder::earliest(const OpenBlock& block) const {
  constexpr uint64_t kWarp = 32;
  const uint64_t threads = uint64_t{kernel_.block[0]} * kernel_.block[1] * kernel_.block[2];
  if (block.warps.size() < (threads + kWarp - 1) / kWarp) return block.cycle;
  uint64_t cycle = ~uint64_t{0};
  for (const auto& [slot, begin] : block.warps) cycle = std::min(cycle, begin);
  return cycle;
}

uint64_t GpgpuRecorder::horizon() const {
  constexpr uint64_t kNever = ~uint64_t{0};
  if (kernel_name_ == kNobody || (wants_ & kBlocks) == 0) return kNever;
  uint64_t cycle = kNever;
  if (stages_.empty())
    for (const auto& [place, block] : open_blocks_) cycle = std::min(cycle, earliest(block));
  for (const auto& [number, sm] : sms_)
    if (sm.blocks == 0 ? blocks_left_ != 0 : !stages_.empty()) cycle = std::min(cycle, sm.cycle);
  return cycle == kNever ? kNever : kernel_.time_ps(std::max(cycle, progress_));
}

void GpgpuRecorder::block_ends(const BlockEvent& block) {
  const auto found = open_blocks_.find({block.place.sm, block.place.slot});
  if (found == open_blocks_.end()) return;
  const std::string place = text_of(block.place);
  const OpenBlock opened = std::move(found->second);
  Reached& sm = sms_[block.place.sm];
  sm.blocks -= std::min(sm.blocks, 1u);
  const uint64_t begin = kernel_.time_ps(opened.cycle);
  open_blocks_.erase(found);
  recorder_.span({block_track(block.place), recorder_.names().number("block"), kernel_name_, begin,
                  std::max(begin, kernel_.time_ps(block.cycle)), place, opened.span});
}

void GpgpuRecorder::instruction(const InstructionEvent& e) {
  reach(e.place, e.begin);
  const TrackId track =
      recorder_.track(trace::Subject::kWarps, device_,
                      fmt::format("SM {} warp {}", e.place.block.sm, e.place.slot));
  const std::string detail =
      fmt::format("block ({}, {}, {}), active {:#x}, executed {:#x}", e.place.block.x,
                  e.place.block.y, e.place.block.z, e.active, e.executed);
  recorder_.span({track, recorder_.names().number(fmt::format("pc {:#06x}", e.pc)), kernel_name_,
                  kernel_.time_ps(e.begin), kernel_.time_ps(std::max(e.begin, e.end)), detail});
}

void GpgpuRecorder::stages(const StageEvent& e) {
  reach(e.place, e.issue);
  const std::string detail = fmt::format("warp {}, row {}", e.place.slot, e.row);
  const Id name = recorder_.names().number(fmt::format("pc {:#06x}", e.pc));
  uint64_t entered = e.issue;
  for (size_t i = 0; i < stages_.size() && i < e.left.size(); ++i) {
    const TrackId track =
        recorder_.track(trace::Subject::kStages, device_,
                        fmt::format("SM {} stage {} {}", e.place.block.sm, i, stages_[i]));
    const uint64_t left = std::max(entered, e.left[i]);
    recorder_.span(
        {track, name, kernel_name_, kernel_.time_ps(entered), kernel_.time_ps(left), detail});
    entered = left;
  }
}

bool GpgpuRecorder::wanted(uint64_t address, uint32_t bytes) const {
  return std::any_of(block_ram_.begin(), block_ram_.end(), [&](const Range& r) {
    return address <= r.last && r.first <= address + bytes - 1;
  });
}

void GpgpuRecorder::memory(const MemoryEvent& access) {
  if (access.space != MemorySpace::kGlobal) return;
  for (unsigned lane = 0; lane < access.address.size(); ++lane) {
    if ((access.lanes >> lane & 1) == 0 || !wanted(access.address[lane], access.bytes)) continue;
    kit::TransactionIdentity identity;
    identity.begin(port_text_.c_str());
    Transaction t;
    t.number = t.root = identity.number;
    t.port = t.initiator = t.target = port_;
    t.origin = kernel_name_;
    t.kernel = true;
    t.command = access.write ? Command::kWrite : Command::kRead;
    t.length = access.bytes;
    t.address = access.address[lane];
    t.begin = t.request_end = t.response_begin = t.end = kernel_.time_ps(access.cycle);
    recorder_.transaction(t);
  }
}

}  // namespace gvp::trace
