// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/checker.h"

#include <fmt/format.h>

#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/operations.h"

namespace gvp::tools {
namespace {

using gpgpu::WarpPlace;
using gpgpu::flexgrip::Kernel;
using gpgpu::g80::Op;
using gpgpu::g80::Operand;
using gpgpu::g80::Operation;
using gpgpu::g80::Step;
using gpgpu::g80::Warp;
using gpgpu::simt::Mask;
using Kind = Operand::Kind;

constexpr uint32_t kHeaderBytes = 16;

// On shared memory it is a load and a store, which lock and unlock.
bool is_atomic(const Op& op) {
  return gpgpu::g80::is_atomic(*op.instruction) || gpgpu::g80::is_locked(*op.instruction);
}

Mask executing_lanes(const Op& op, const Warp& warp) {
  if (!op.predicated) return warp.flow.active;
  return warp.flow.active & gpgpu::g80::evaluate(warp.condition[op.condition], op.truth_table);
}

}  // namespace

void Checker::blocks_loaded(unsigned sm, unsigned blocks, const Kernel& kernel) {
  registers_ = kernel.registers_per_thread;
  Sm& state = sms_[sm];
  state.blocks = std::vector<Block>(blocks);
  for (Block& block : state.blocks) {
    block.shared.resize(kernel.shared_bytes());
    const size_t known = kHeaderBytes + 4 * size_t{kernel.parameter_count};
    for (size_t i = 0; i < known && i < block.shared.size(); ++i)
      block.shared[i].initialised = true;
  }
  state.warps.assign(size_t{blocks} * kernel.warps_per_block(), {});
  for (WarpRegisters& warp : state.warps)
    warp.known[0] = {gpgpu::simt::kAllLanes, gpgpu::simt::kAllLanes};
}

void Checker::barrier_passed(unsigned sm, unsigned block_slot) {
  Block& block = sms_[sm].blocks[block_slot];
  ++block.interval;
  block.order.reset();
}

void Checker::before(const WarpPlace& place, const Op& op, Warp& warp) {
  const Access access{place, op, warp, executing_lanes(op, warp)};
  check_partings(access);
  const Doubt predicate = doubt_of_predicate(access);
  doubt_ = predicate;
  if (access.lanes == 0) {
    if (predicate.lanes != 0) unknown_.fill(~uint32_t{0});
    return;
  }
  check_address_registers(access);
  const Doubt sources = doubt_of_sources(access);
  check_uses(access, sources);
  doubt_.lanes |= sources.lanes;
  if (sources.lanes != 0) doubt_.origin = sources.origin;
  for (Mask rest = predicate.lanes; rest != 0; rest &= rest - 1)
    unknown_[gpgpu::simt::first_lane(rest)] = ~uint32_t{0};
  const bool atomic = is_atomic(op);
  for (const Operand& source : op.instruction->sources) check_memory(access, source, atomic);
  check_memory(access, op.instruction->destination, true);
  if (atomic) note_order(access);
}

// Threads that are elsewhere when others come to a barrier may be about to end.  If they come to a
// barrier themselves, or meet the others behind theirs, they were to come there with them.
void Checker::check_partings(const Access& access) {
  Parting& parting = registers_of(access.place).parting;
  const Mask active = access.warp.flow.active;
  const bool barrier = access.op.instruction->operation == Operation::kBarrier;
  if ((active & parting.elsewhere) != 0 && (barrier || (active & parting.passed) != 0)) {
    findings_[static_cast<size_t>(parting.origin)].matters = true;
    parting = {};
  }
  if (!barrier) return;
  const Mask elsewhere = access.warp.flow.live() & ~active;
  if (elsewhere == 0) return;
  parting.passed |= active;
  parting.elsewhere |= elsewhere;
  parting.origin = note(access, gpgpu::simt::first_lane(active), "divergent barrier",
                        fmt::format("threads {:08x} of the warp are elsewhere", elsewhere));
}

// Of an operation whose result nobody gets, the warp learns nothing; on shared memory a load takes
// the word, and a store gives it back.
void Checker::note_order(const Access& access) {
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  const bool learns = instruction.destination.is_register();
  const bool tells = !gpgpu::g80::is_locked(instruction) || !learns;
  std::vector<WarpOrder::Word> words;
  const auto add = [&](const Operand& operand) {
    const bool shared = operand.kind == Kind::kShared;
    if (!shared && operand.kind != Kind::kGlobal) return;
    for (Mask rest = access.lanes; rest != 0; rest &= rest - 1)
      words.emplace_back(shared, address_of(access, operand, gpgpu::simt::first_lane(rest)));
  };
  for (const Operand& source : instruction.sources) add(source);
  add(instruction.destination);
  block_of(access.place).order.operate(access.place.warp_of_block, words, learns, tells);
}

void Checker::check_memory(const Access& access, const Operand& operand, bool write) {
  const bool shared = operand.kind == Kind::kShared;
  if (!shared && operand.kind != Kind::kGlobal) return;
  Block& block = block_of(access.place);
  const unsigned bytes = operand.bytes();
  for (Mask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = gpgpu::simt::first_lane(rest);
    const uint32_t address = address_of(access, operand, lane);
    if (!shared) check_buffers(access, address, bytes, lane);
    for (unsigned i = 0; i < bytes; ++i) {
      const Stored stored = write ? stored_byte(access, lane, i) : Stored{kRead};
      if (!shared) {
        check_byte(access, block, block.global[address + i], false, address, lane, stored);
      } else if (address + i < block.shared.size()) {  // else the device faults
        check_byte(access, block, block.shared[address + i], true, address, lane, stored);
      }
    }
  }
}

// Byte `at` of what a store writes from a lane.
Checker::Stored Checker::stored_byte(const Access& access, unsigned lane, unsigned at) const {
  const Operand& source = access.op.instruction->sources[0];
  const bool in_doubt = (doubt_.lanes >> lane & 1) != 0;
  Stored stored{kUnknown};
  if (in_doubt) stored.unknown = static_cast<uint8_t>(at < 4 ? unknown_[lane] >> 8 * at : 0xffu);
  if (is_atomic(access.op) || !source.is_register()) return stored;
  const bool half = source.kind == Kind::kHalfRegister;
  if (half && at >= 2) return stored;
  const unsigned from = at + (half && source.high ? 2 : 0);
  const uint32_t word = register_of(access.warp, source.index + from / 4, lane);
  stored.value = static_cast<int>(word >> 8 * (from % 4) & 0xffu);
  return stored;
}

// Whether a store leaves in shared memory what the warp has loaded there, as where each warp copies
// a table to its own place and the first has it there already; or what nobody has written, where
// nothing was written before.
bool Checker::leaves_shared(const Access& access, const Byte& byte, const Stored& stored) const {
  if (byte.writers != 0 || stored.value == kRead) return false;
  if (!byte.initialised) return stored.unknown == 0xff;
  const bool loaded = (byte.readers >> access.place.warp_of_block & 1) != 0;
  return loaded && stored.value != kUnknown && stored.value == byte.value;
}

void Checker::check_byte(const Access& access, Block& block, Byte& byte, bool shared,
                         uint32_t address, unsigned lane, const Stored& stored) {
  if (byte.interval != block.interval) {
    byte.interval = block.interval;
    byte.writers = 0;
    byte.atomic = false;
    if (!shared) byte.value = kUnknown;  // other blocks store there as well
    byte.readers = 0;
    byte.times.reset();
  }
  if (shared && leaves_shared(access, byte, stored)) {
    if (!byte.initialised) byte.origin = doubt_.origin;
    return;
  }
  const char* memory = shared ? "shared" : "global";
  const bool write = stored.value != kRead;
  const unsigned warp = access.place.warp_of_block;
  const uint32_t self = 1u << warp;
  const AccessTimes* times = byte.times.get();
  const uint32_t readers =
      block.order.unordered(warp, byte.readers & ~self, times != nullptr ? &times->read : nullptr);
  const uint32_t writers = block.order.unordered(warp, byte.writers & ~self,
                                                 times != nullptr ? &times->written : nullptr);
  // A store that leaves what is there, a load of what the warp has stored itself as well.
  const bool no_change = byte.value != kUnknown && byte.writers != 0 &&
                         (write ? stored.value == byte.value : (byte.writers & self) != 0);
  const bool both_atomic = is_atomic(access.op) && byte.atomic;
  if (writers != 0 && !both_atomic && !no_change) {
    report(access, lane, "race",
           fmt::format("{} of {} memory at {:#x}, which warp {} has written at pc {:#06x} since "
                       "the last barrier",
                       write ? "write" : "read", memory, address, gpgpu::simt::first_lane(writers),
                       byte.writer_pc));
  } else if (write && readers != 0 && !no_change) {
    report(access, lane, "race",
           fmt::format("write of {} memory at {:#x}, which warp {} has read at pc {:#06x} since "
                       "the last barrier",
                       memory, address, gpgpu::simt::first_lane(readers), byte.reader_pc));
  }
  if (const uint32_t now = block.order.now(warp); now != 0) {
    if (!byte.times) byte.times = std::make_unique<AccessTimes>();
    (write ? byte.times->written : byte.times->read)[warp] = now;
  }
  if (write) {
    note_write(access, byte, stored);
    return;
  }
  byte.readers |= self;
  byte.reader_pc = access.op.pc;
}

void Checker::note_write(const Access& access, Byte& byte, const Stored& stored) {
  const uint32_t self = 1u << access.place.warp_of_block;
  const bool atomic = is_atomic(access.op);
  const bool agreed = atomic ? byte.atomic : stored.value != kUnknown && stored.value == byte.value;
  byte.atomic = atomic && (byte.writers == 0 || byte.atomic);
  byte.writers = agreed ? byte.writers | self : self;
  byte.value = stored.value;
  byte.writer_pc = access.op.pc;
  byte.initialised = stored.unknown == 0;
  byte.unknown = stored.unknown;
  byte.origin = doubt_.origin;
}

void Checker::check_buffers(const Access& access, uint32_t address, unsigned bytes, unsigned lane) {
  if (buffers_.empty()) return;
  const Buffer* nearest = &buffers_.front();
  uint64_t distance = ~uint64_t{0};
  for (const Buffer& buffer : buffers_) {
    const uint64_t end = uint64_t{buffer.address} + buffer.bytes;
    if (address >= buffer.address && uint64_t{address} + bytes <= end) return;
    // Of an access across the end, the first byte is inside.
    const uint64_t away = address < buffer.address ? buffer.address - address
                          : address < end          ? 0
                                                   : address - end + 1;
    if (away >= distance) continue;
    distance = away;
    nearest = &buffer;
  }
  report(access, lane, "outside of buffers",
         fmt::format("{} bytes at {:#x}; nearest is {} from {:#x}, {} bytes", bytes, address,
                     nearest->name, nearest->address, nearest->bytes));
}

int Checker::note(const Access& access, unsigned lane, const std::string& kind,
                  const std::string& text) {
  const auto [place, is_new] = known_.try_emplace({kind, access.op.pc}, findings_.size());
  if (is_new)
    findings_.push_back(
        {fmt::format("{}: {}; pc {:#06x} ({}), block ({}, {}), warp {} of the block, thread {} of "
                     "the warp",
                     kind, text, access.op.pc, gpgpu::g80::to_text(*access.op.instruction),
                     access.place.block.x, access.place.block.y, access.place.warp_of_block, lane),
         0, false});
  ++findings_[place->second].count;
  return static_cast<int>(place->second);
}

void Checker::report(const Access& access, unsigned lane, const std::string& kind,
                     const std::string& text) {
  findings_[static_cast<size_t>(note(access, lane, kind, text))].matters = true;
}

std::vector<std::string> Checker::findings() const {
  std::vector<std::string> texts;
  for (const Finding& finding : findings_) {
    if (!finding.matters) continue;
    texts.push_back(finding.count == 1 ? finding.text
                                       : fmt::format("{} ({} times)", finding.text, finding.count));
  }
  return texts;
}

}  // namespace gvp::tools
