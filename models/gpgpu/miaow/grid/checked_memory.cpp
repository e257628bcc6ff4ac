// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/grid/checked_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/gpgpu/southern_islands/operations.h"

namespace gvp::gpgpu::miaow {

using southern_islands::info;
using southern_islands::Op;
using southern_islands::Operation;
using southern_islands::Trait;

std::string text_of(const GridPlace& place) {
  return fmt::format("work-group ({}, {}, {}), wavefront {}", place.group[0], place.group[1],
                     place.group[2], place.wavefront);
}

std::string text_of(const Op& op) {
  if (op.instruction.operation == Operation::kNone) return fmt::format("pc {:#06x}", op.pc);
  return fmt::format("pc {:#06x} ({})", op.pc, southern_islands::to_text(op.instruction));
}

void CheckedMemory::instruction(const GridPlace& place, const southern_islands::Wavefront&,
                                const Op& op) {
  const bool other_group = place.group != place_.group || now_.group == 0;
  if (other_group) ++now_.group;
  place_ = place;
  op_ = &op;
  now_.wavefront = now_.group * kMostGroupWavefronts + place.wavefront;
  const auto& row = info(op.instruction.operation);
  now_.atomic = row.is(Trait::kLoads) && row.is(Trait::kStores);
}

void CheckedMemory::barrier(const GridPlace& place, uint32_t ended) {
  ++now_.interval;
  if (ended == 0 || !reported_.insert(op_->pc).second) return;
  findings_.push_back(
      fmt::format("work-group ({}, {}, {}): a barrier that {} of its wavefronts have not reached: "
                  "they have ended",
                  place.group[0], place.group[1], place.group[2], ended));
}

void CheckedMemory::report(const std::string& what) {
  if (!reported_.insert(op_->pc).second) return;
  findings_.push_back(fmt::format("{}, {}: {}", text_of(place_), text_of(*op_), what));
}

bool CheckedMemory::races(const Access& before) const {
  if (before.wavefront == 0 || before.wavefront == now_.wavefront) return false;
  if (before.atomic && now_.atomic) return false;
  return before.group != now_.group || before.interval == now_.interval;
}

FaultCause CheckedMemory::check(uint32_t address, unsigned bytes, bool write) {
  if (null_page_ && address < kNullPageBytes) return FaultCause::kNullPage;
  if (!memory_.holds(address, bytes)) return FaultCause::kGlobalOutOfRange;
  const bool inside = buffers_.empty() ||
                      std::any_of(buffers_.begin(), buffers_.end(), [&](const CheckedBuffer& each) {
                        return address >= each.address &&
                               uint64_t{address} + bytes <= uint64_t{each.address} + each.bytes;
                      });
  if (!inside)
    report(fmt::format("{} {} bytes at {:#x}, outside of all buffers", write ? "writes" : "reads",
                       bytes, address));
  Word& word = words_[address / 4];
  if (races(word.write) || (write && races(word.read)))
    report(fmt::format(
        "{} the word at {:#x}, which another wavefront {} without a barrier between them",
        write ? "writes" : "reads", address / 4 * 4,
        races(word.write) ? "has written" : "has read"));
  (write ? word.write : word.read) = now_;
  return FaultCause::kNone;
}

FaultCause CheckedMemory::read(uint32_t address, void* data, unsigned bytes) {
  if (address >= kTableAddress) return memory_.read(address, data, bytes);
  const FaultCause cause = check(address, bytes, false);
  if (cause == FaultCause::kNone) std::memcpy(data, memory_.data() + address, bytes);
  return cause;
}

FaultCause CheckedMemory::write(uint32_t address, const void* data, unsigned bytes) {
  const FaultCause cause = check(address, bytes, true);
  if (cause == FaultCause::kNone) std::memcpy(memory_.data() + address, data, bytes);
  return cause;
}

}  // namespace gvp::gpgpu::miaow
