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

Mask executing_lanes(const Op& op, const Warp& warp) {
  if (!op.predicated) return warp.flow.active;
  return warp.flow.active & gpgpu::g80::evaluate(warp.condition[op.condition], op.truth_table);
}

// The address that a lane's access of an s[] or g[] operand will go to.
uint32_t address_of(const Op& op, const Warp& warp, const Operand& operand, unsigned lane,
                    uint32_t registers) {
  const gpgpu::g80::Instruction& instruction = *op.instruction;
  if (operand.kind == Kind::kGlobal) {
    const auto number = static_cast<uint32_t>(operand.value);
    return number < registers ? warp.rows[gpgpu::g80::kRegisterRow + number][lane] : 0;
  }
  const unsigned a = operand.indexed ? instruction.address_register : 0u;
  const uint32_t base =
      a >= 1 && a <= 4 ? warp.rows[gpgpu::g80::kAddressRegisterRow + a - 1][lane] : 0;
  const bool increments = operand.indexed && instruction.post_increment;
  return (base + (increments ? 0 : static_cast<uint32_t>(operand.value))) & 0xffffu;
}

// Byte `at` of what a store writes from a lane, or `unknown`.
int stored_byte(const Op& op, const Warp& warp, unsigned lane, unsigned at, int unknown) {
  const Operand& source = op.instruction->sources[0];
  if (gpgpu::g80::is_atomic(*op.instruction) || !source.is_register()) return unknown;
  const bool half = source.kind == Kind::kHalfRegister;
  if (half && at >= 2) return unknown;
  const unsigned from = at + (half && source.high ? 2 : 0);
  const uint32_t word = warp.rows[gpgpu::g80::kRegisterRow + source.index + from / 4][lane];
  return static_cast<int>(word >> 8 * (from % 4) & 0xffu);
}

}  // namespace

void Checker::blocks_loaded(unsigned sm, unsigned blocks, const Kernel& kernel) {
  registers_ = kernel.registers_per_thread;
  Sm& state = sms_[sm];
  state.blocks.assign(blocks, {});
  for (Block& block : state.blocks) {
    block.shared.resize(kernel.shared_bytes());
    const size_t known = kHeaderBytes + 4 * size_t{kernel.parameter_count};
    for (size_t i = 0; i < known && i < block.shared.size(); ++i)
      block.shared[i].initialised = true;
  }
  state.warps.assign(size_t{blocks} * kernel.warps_per_block(), {});
  for (WarpRegisters& warp : state.warps)
    warp.written[0] = {gpgpu::simt::kAllLanes, gpgpu::simt::kAllLanes};
}

void Checker::barrier_passed(unsigned sm, unsigned block_slot) {
  ++sms_[sm].blocks[block_slot].interval;
}

void Checker::before(const WarpPlace& place, const Op& op, Warp& warp) {
  const Access access{place, op, warp, executing_lanes(op, warp)};
  if (op.instruction->operation == Operation::kBarrier && warp.flow.active != warp.flow.live()) {
    const Mask elsewhere = warp.flow.live() & ~warp.flow.active;
    report(access, gpgpu::simt::first_lane(warp.flow.active), "divergent barrier",
           fmt::format("threads {:08x} of the warp are elsewhere", elsewhere));
  }
  if (access.lanes == 0) return;
  if (op.instruction->destination.kind == Kind::kAddress) {
    note_address(access);
  } else {
    check_registers(access);
  }
  check_address_registers(access);
  const bool atomic = gpgpu::g80::is_atomic(*op.instruction);
  for (const Operand& source : op.instruction->sources) check_memory(access, source, atomic);
  check_memory(access, op.instruction->destination, true);
}

void Checker::after(const WarpPlace& place, const Step& step, Warp&) {
  if (step.stop == gpgpu::g80::Stop::kFault) return;
  const Operand& d = step.op->instruction->destination;
  if (!d.is_register()) return;
  auto& written = registers_of(place).written;
  for (unsigned word = 0; word < d.words && d.index + word < written.size(); ++word) {
    auto& halves = written[d.index + word];
    if (d.kind == Kind::kRegister || !d.high) halves[0] |= step.executed;
    if (d.kind == Kind::kRegister || d.high) halves[1] |= step.executed;
  }
}

void Checker::check_registers(const Access& access) {
  const auto& sources = access.op.instruction->sources;
  const bool second_only =
      gpgpu::g80::info(access.op.instruction->operation).is(gpgpu::g80::Trait::kSecondOnly);
  for (size_t i = second_only ? 1 : 0; i < sources.size(); ++i) check_register(access, sources[i]);
  if (access.op.instruction->destination.kind == Kind::kGlobal)
    check_register(access, access.op.instruction->destination);
}

void Checker::check_register(const Access& access, const Operand& operand) {
  unsigned first = operand.index;
  unsigned words = operand.words;
  if (operand.kind == Kind::kGlobal) {
    first = static_cast<unsigned>(operand.value);
    words = 1;
  } else if (!operand.is_register()) {
    return;
  }
  for (unsigned number = first; number < first + words && number < registers_; ++number) {
    const Mask missing = unwritten(access, operand, number);
    const bool half = operand.kind == Kind::kHalfRegister;
    if (missing != 0)
      report(access, gpgpu::simt::first_lane(missing), "uninitialised register",
             fmt::format("R{}{} is read before anything was written to it", number,
                         half ? (operand.high ? "H" : "L") : ""));
  }
}

Mask Checker::unwritten(const Access& access, const Operand& operand, unsigned number) const {
  const auto& halves = sms_.at(access.place.block.sm).warps[access.place.slot].written[number];
  const bool half = operand.kind == Kind::kHalfRegister;
  Mask missing = 0;
  if (!half || !operand.high) missing |= access.lanes & ~halves[0];
  if (!half || operand.high) missing |= access.lanes & ~halves[1];
  return missing;
}

// $a from a register, or from another $a.
void Checker::note_address(const Access& access) {
  auto& unknown = registers_of(access.place).unknown_address;
  Mask missing = 0;
  for (const Operand& source : access.op.instruction->sources) {
    if (source.kind == Kind::kAddress) missing |= unknown[source.index & 7u];
    if (source.is_register() && source.index < registers_)
      missing |= unwritten(access, source, source.index);
  }
  Mask& here = unknown[access.op.instruction->destination.index & 7u];
  here = (here & ~access.lanes) | (missing & access.lanes);
}

void Checker::check_address_registers(const Access& access) {
  const gpgpu::g80::Instruction& instruction = *access.op.instruction;
  const auto check = [&](const Operand& operand) {
    const bool read = operand.kind == Kind::kAddress;
    if (!operand.indexed && !read) return;
    const unsigned number = read ? operand.index & 7u : instruction.address_register & 7u;
    const Mask missing = registers_of(access.place).unknown_address[number] & access.lanes;
    if (missing == 0) return;
    report(access, gpgpu::simt::first_lane(missing), "uninitialised register",
           fmt::format("A{} was computed from a register before anything was written to that",
                       number));
  };
  if (instruction.destination.kind == Kind::kAddress) return;  // passed on, not used
  for (const Operand& source : instruction.sources) check(source);
  check(instruction.destination);
}

void Checker::check_memory(const Access& access, const Operand& operand, bool write) {
  const bool shared = operand.kind == Kind::kShared;
  if (!shared && operand.kind != Kind::kGlobal) return;
  Block& block = block_of(access.place);
  const unsigned bytes = operand.bytes();
  for (Mask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = gpgpu::simt::first_lane(rest);
    const uint32_t address = address_of(access.op, access.warp, operand, lane, registers_);
    if (!shared) check_buffers(access, address, bytes, lane);
    for (unsigned i = 0; i < bytes; ++i) {
      const int stored =
          write ? stored_byte(access.op, access.warp, lane, i, kUnknown) : int{kRead};
      if (!shared) {
        check_byte(access, block, block.global[address + i], "global", address, lane, stored);
      } else if (address + i < block.shared.size()) {  // else the device faults
        check_byte(access, block, block.shared[address + i], "shared", address, lane, stored);
      }
    }
  }
}

// stored: a byte, kUnknown for one that is not known, kRead
void Checker::check_byte(const Access& access, Block& block, Byte& byte, const char* memory,
                         uint32_t address, unsigned lane, int stored) {
  if (byte.interval != block.interval) {
    byte.interval = block.interval;
    byte.writers = 0;
    byte.atomic = false;
    byte.value = kUnknown;
    byte.readers = 0;
  }
  const bool write = stored != kRead;
  const uint32_t self = 1u << access.place.warp_of_block;
  const uint32_t readers = byte.readers & ~self;
  const uint32_t writers = byte.writers & ~self;
  // A store that leaves what is there, a load of what the warp has stored itself as well.
  const bool no_change =
      byte.value != kUnknown && (write ? stored == byte.value : (byte.writers & self) != 0);
  const bool both_atomic = gpgpu::g80::is_atomic(*access.op.instruction) && byte.atomic;
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
  if (write) {
    note_write(access, byte, stored);
    return;
  }
  if (memory[0] == 's' && !byte.initialised) {
    report(access, lane, "uninitialised shared memory",
           fmt::format("{:#x} is read before anything was written to it", address));
    byte.initialised = true;
  }
  byte.readers |= self;
  byte.reader_pc = access.op.pc;
}

void Checker::note_write(const Access& access, Byte& byte, int stored) {
  const uint32_t self = 1u << access.place.warp_of_block;
  const bool atomic = gpgpu::g80::is_atomic(*access.op.instruction);
  const bool agreed = atomic ? byte.atomic : stored != kUnknown && stored == byte.value;
  byte.atomic = atomic && (byte.writers == 0 || byte.atomic);
  byte.writers = agreed ? byte.writers | self : self;
  byte.value = stored;
  byte.writer_pc = access.op.pc;
  byte.initialised = true;
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

void Checker::report(const Access& access, unsigned lane, const std::string& kind,
                     const std::string& text) {
  const auto [place, is_new] = known_.try_emplace({kind, access.op.pc}, findings_.size());
  if (is_new)
    findings_.push_back(
        {fmt::format("{}: {}; pc {:#06x} ({}), block ({}, {}), warp {} of the block, thread {} of "
                     "the warp",
                     kind, text, access.op.pc, gpgpu::g80::to_text(*access.op.instruction),
                     access.place.block.x, access.place.block.y, access.place.warp_of_block, lane),
         0});
  ++findings_[place->second].count;
}

std::vector<std::string> Checker::findings() const {
  std::vector<std::string> texts;
  for (const Finding& finding : findings_)
    texts.push_back(finding.count == 1 ? finding.text
                                       : fmt::format("{} ({} times)", finding.text, finding.count));
  return texts;
}

}  // namespace gvp::tools
