// SPDX-License-Identifier: Apache-2.0
// Scalar loads, buffers and the local data share.  Lanes are served one after the other, from lane
// 0; a fault of one leaves the registers as they were.
#include <cstring>

#include "models/gpgpu/southern_islands/memory_access.h"
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr unsigned kMostWords = 4;  // that a vector access moves in a lane

// A lane's registers on their way to or from memory.
struct LaneData {
  uint32_t word[kMostWords] = {};
};

// Registers that a load has filled, not yet visible.
struct LoadedRows {
  Lanes row[kMostWords];

  void set(unsigned lane, unsigned count, const LaneData& data) {
    for (unsigned i = 0; i < count; ++i) row[i].lane[lane] = data.word[i];
  }
  void commit(Wavefront& wavefront, Code destination, unsigned count) const {
    for (unsigned i = 0; i < count; ++i)
      store_row(wavefront.vector[destination - code::kVector0 + i], row[i], wavefront.exec());
  }
};

uint32_t register_word(const Wavefront& wavefront, Code first, unsigned i, unsigned lane) {
  return wavefront.vector[first - code::kVector0 + i].lane[lane];
}

// Reads or writes one lane's units; op: where memory is.  Returns kNone or why it failed.
template <typename Memory>
FaultCause transfer(const Memory& memory, const Access& access, bool write, uint32_t address,
                    LaneData& data) {
  if (access.bytes == 4) {
    for (unsigned i = 0; i < access.words; ++i) {
      const uint32_t at = address + 4 * i;
      const FaultCause cause =
          write ? memory.write(at, &data.word[i], 4) : memory.read(at, &data.word[i], 4);
      if (cause != FaultCause::kNone) return cause;
    }
    return FaultCause::kNone;
  }
  if (write) return memory.write(address, &data.word[0], access.bytes);
  data.word[0] = 0;
  const FaultCause cause = memory.read(address, &data.word[0], access.bytes);
  const unsigned above = 32 - 8u * access.bytes;
  if (access.sign_extend)
    data.word[0] = static_cast<uint32_t>(static_cast<int32_t>(data.word[0] << above) >> above);
  return cause;
}

template <typename Memory>
FaultCause exchange(const Memory& memory, Atomic atomic, uint32_t address, uint32_t data,
                    uint32_t compare, uint32_t& old) {
  const FaultCause cause = memory.read(address, &old, 4);
  if (cause != FaultCause::kNone) return cause;
  const uint32_t result = atomic_result(atomic, old, data, compare);
  return memory.write(address, &result, 4);
}

struct Global {
  const Machine& machine;
  FaultCause read(uint32_t address, void* data, unsigned bytes) const {
    return read_global(machine, address, data, bytes);
  }
  FaultCause write(uint32_t address, const void* data, unsigned bytes) const {
    return write_global(machine, address, data, bytes);
  }
};

struct Share {
  Wavefront& wavefront;
  FaultCause read(uint32_t address, void* data, unsigned bytes) const {
    if (const FaultCause cause = check(address, bytes); cause != FaultCause::kNone) return cause;
    std::memcpy(data, wavefront.share + address, bytes);
    return FaultCause::kNone;
  }
  FaultCause write(uint32_t address, const void* data, unsigned bytes) const {
    if (const FaultCause cause = check(address, bytes); cause != FaultCause::kNone) return cause;
    std::memcpy(wavefront.share + address, data, bytes);
    return FaultCause::kNone;
  }
  FaultCause check(uint32_t address, unsigned bytes) const {
    if (address % bytes != 0) return FaultCause::kMisaligned;
    return uint64_t{address} + bytes > wavefront.share_bytes ? FaultCause::kSharedOutOfRange
                                                             : FaultCause::kNone;
  }
};

// Calls body(lane) for the lanes of EXEC until one fails; whether none has.  body returns the
// cause and sets the address.
template <typename Body>
bool each_lane(Wavefront& wavefront, const Op& op, Body body) {
  for (Mask lanes = wavefront.exec(); lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = simt::first_lane(lanes);
    uint32_t address = 0;
    const FaultCause cause = body(lane, address);
    if (cause == FaultCause::kNone) continue;
    wavefront.set_fault(cause, op.pc, address, lane);
    return false;
  }
  return true;
}

void execute_share(Wavefront& wavefront, const Op& op, const OperationInfo& row,
                   const Access& access) {
  const Instruction& instruction = op.instruction;
  if (instruction.global_share)
    return wavefront.set_fault(FaultCause::kUnsupportedInstruction, op.pc);
  const Share memory{wavefront};
  const bool two = row.is(Trait::kTwoOffsets);
  const unsigned count = two ? 2 : 1;
  LoadedRows loaded;
  const bool done = each_lane(wavefront, op, [&](unsigned lane, uint32_t& address) {
    const uint32_t base = register_word(wavefront, instruction.source[0], 0, lane);
    LaneData all;
    for (unsigned n = 0; n < count; ++n) {
      const uint32_t offset = two ? (instruction.immediate >> 8 * n & 0xffu) * access.offset_unit
                                  : instruction.immediate;
      address = base + offset;
      LaneData data;
      if (access.atomic != Atomic::kNone) {
        // The first of two sources is what memory is compared with.
        const bool compares = access.atomic == Atomic::kCompareSwap;
        const uint32_t first = register_word(wavefront, instruction.source[1], 0, lane);
        const uint32_t value =
            compares ? register_word(wavefront, instruction.source[2], 0, lane) : first;
        const FaultCause cause =
            exchange(memory, access.atomic, address, value, first, all.word[0]);
        if (cause != FaultCause::kNone) return cause;
        continue;
      }
      const bool write = row.is(Trait::kStores);
      for (unsigned i = 0; write && i < access.words; ++i)
        data.word[i] = register_word(wavefront, instruction.source[1 + n], i, lane);
      // A range is aligned as a whole.
      if (const FaultCause cause = memory.check(address, access.bytes * access.words);
          cause != FaultCause::kNone)
        return cause;
      if (const FaultCause cause = transfer(memory, access, write, address, data);
          cause != FaultCause::kNone)
        return cause;
      for (unsigned i = 0; i < access.words; ++i) all.word[n * access.words + i] = data.word[i];
    }
    loaded.set(lane, words_of(row.destination), all);
    return FaultCause::kNone;
  });
  if (done && row.destination != Type::kNone)
    loaded.commit(wavefront, instruction.destination, words_of(row.destination));
}

// One element of a typed access, in the format that the instruction or the buffer says.
FaultCause load_element(const Machine& machine, uint32_t address, const ElementFormat& format,
                        unsigned number_format, uint32_t (&component)[4]) {
  uint32_t raw[4] = {};
  const FaultCause cause = read_global(machine, address, raw, format.bytes());
  unsigned bit = 0;
  for (unsigned i = 0; i < format.components; ++i) {
    component[i] = component_to_register(raw[bit / 32] >> bit % 32, format.bits[i], number_format);
    bit += format.bits[i];
  }
  return cause;
}
FaultCause store_element(const Machine& machine, uint32_t address, const ElementFormat& format,
                         unsigned number_format, const uint32_t (&component)[4]) {
  uint32_t raw[4] = {};
  unsigned bit = 0;
  for (unsigned i = 0; i < format.components; ++i) {
    raw[bit / 32] |= register_to_component(component[i], format.bits[i], number_format) << bit % 32;
    bit += format.bits[i];
  }
  return write_global(machine, address, raw, format.bytes());
}

// What a component that its format lacks reads as: 0, the fourth 1 (assumed, as in graphics).
uint32_t missing_component(unsigned i, unsigned number_format) {
  if (i != 3) return 0;
  return number_format == 4 || number_format == 5 ? 1 : as_bits(1.0f);
}

void execute_formatted(Machine& machine, Wavefront& wavefront, const Op& op,
                       const OperationInfo& row, const Buffer& buffer) {
  const Instruction& instruction = op.instruction;
  const bool typed = row.format == Format::kMtbuf;
  const unsigned number = typed ? instruction.number_format : buffer.number_format;
  const ElementFormat format = element_format(typed ? instruction.data_format : buffer.data_format);
  const unsigned count = words_of(row.destination);
  if (format.components == 0)
    return wavefront.set_fault(FaultCause::kUnsupportedInstruction, op.pc);
  // Words are accessed one by one, so that each is one access of a bus.
  const bool plain = format.bits[0] == 32 && (number == 4 || number == 5 || number == 7);
  const auto selected = [&](unsigned i) { return typed ? 4u + i : unsigned{buffer.select[i]}; };
  LoadedRows loaded;
  const bool done = each_lane(wavefront, op, [&](unsigned lane, uint32_t& at) {
    LaneData data;
    const auto address = buffer_address(machine, wavefront, instruction, buffer, lane);
    uint32_t component[4] = {};
    for (unsigned i = 0; i < 4; ++i) component[i] = missing_component(i, number);
    if (row.is(Trait::kStores)) {
      for (unsigned i = 0; i < count; ++i)
        component[i] = register_word(wavefront, instruction.destination, i, lane);
      for (unsigned i = count; i < 4; ++i) component[i] = 0;
    }
    if (address) {
      const uint32_t unit = format.bits[0] == 8 && format.bytes() == 1 ? 1
                            : format.bytes() == 2                      ? 2
                                                                       : 4;
      at = *address & ~(unit - 1);
      Access words;
      words.words = static_cast<uint8_t>(std::min<unsigned>(count, format.components));
      FaultCause cause = FaultCause::kNone;
      if (plain) {
        for (unsigned i = 0; i < words.words; ++i) data.word[i] = component[i];
        cause = transfer(Global{machine}, words, row.is(Trait::kStores), at, data);
        for (unsigned i = 0; i < words.words; ++i) component[i] = data.word[i];
      } else if (row.is(Trait::kStores)) {
        cause = store_element(machine, at, format, number, component);
      } else {
        cause = load_element(machine, at, format, number, component);
      }
      if (cause != FaultCause::kNone) return cause;
    } else {
      for (uint32_t& word : component) word = 0;
    }
    for (unsigned i = 0; i < count; ++i) {
      const unsigned select = selected(i);
      data.word[i] = select >= 4 ? component[select - 4] : select == 1 ? as_bits(1.0f) : 0;
    }
    loaded.set(lane, count, data);
    return FaultCause::kNone;
  });
  if (done && row.is(Trait::kLoads)) loaded.commit(wavefront, instruction.destination, count);
}

// Most accesses are of words whose addresses are one register's and a constant, all of them in the
// direct range: those go as whole rows.  offsets: from the range's beginning.  false: lane by lane.
bool find_rows(const Machine& machine, const Wavefront& wavefront, const Instruction& instruction,
               const Buffer& buffer, unsigned bytes, Lanes& offsets) {
  const DirectRange& range = machine.global;
  if (range.bytes < bytes || range.bytes > uint64_t{1} << 31) return false;
  if (!instruction.address64 && (!instruction.offset_enable || instruction.index_enable ||
                                 buffer.add_lane || buffer.swizzle || machine.check_buffers))
    return false;
  const auto start = static_cast<uint32_t>(
      buffer.base + scalar_word(wavefront, instruction, instruction.source[2]) +
      instruction.immediate);
  const Lanes& address = wavefront.vector[instruction.source[0] - code::kVector0];
  const uint32_t least =
      range.base > range.null_page_bytes ? 0 : range.null_page_bytes - range.base;
  const auto most = static_cast<uint32_t>(range.bytes - bytes);
  Lanes outside;
  GVP_EACH_LANE
  for (unsigned lane = 0; lane < kWavefrontLanes; ++lane) {
    const uint32_t offset = ((start + address.lane[lane]) & ~3u) - range.base;
    offsets.lane[lane] = offset;
    outside.lane[lane] = offset < least || offset > most ? 1 : 0;
  }
  return (simt::nonzero_lanes(outside) & wavefront.exec()) == 0;
}

void load_rows(const Machine& machine, Wavefront& wavefront, Code destination, unsigned count,
               const Lanes& offsets) {
  for (unsigned i = 0; i < count; ++i)
    simt::gather_words(wavefront.vector[destination - code::kVector0 + i], wavefront.exec(),
                       machine.global.data + 4 * i, offsets);
}

// Lane after lane, as several may write the same word.
void store_rows(const Machine& machine, const Wavefront& wavefront, Code source, unsigned count,
                const Lanes& offsets) {
  const Lanes* const rows = &wavefront.vector[source - code::kVector0];
  if (count == 1 && wavefront.exec() == simt::kAllLanesOf<kWavefrontLanes> &&
      simt::pattern_of(offsets) == simt::Pattern::kConsecutiveWords) {
    std::memcpy(machine.global.data + offsets.lane[0], rows[0].lane, sizeof rows[0].lane);
    return;
  }
  for (Mask lanes = wavefront.exec(); lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = simt::first_lane(lanes);
    for (unsigned i = 0; i < count; ++i)
      std::memcpy(machine.global.data + offsets.lane[lane] + 4 * i, &rows[i].lane[lane], 4);
  }
}

void execute_buffer(Machine& machine, Wavefront& wavefront, const Op& op, const OperationInfo& row,
                    const Access& access) {
  const Instruction& instruction = op.instruction;
  if (!row.is_buffer()) return;  // invalidations of caches that are not there
  if (instruction.texture_fail)
    return wavefront.set_fault(FaultCause::kUnsupportedInstruction, op.pc);
  const Buffer buffer = buffer_of(wavefront, instruction.source[1]);
  if (row.is(Trait::kFormatted)) return execute_formatted(machine, wavefront, op, row, buffer);
  const unsigned count = words_of(row.destination);
  if (Lanes offsets; access.bytes == 4 && access.atomic == Atomic::kNone &&
                     find_rows(machine, wavefront, instruction, buffer, 4 * count, offsets)) {
    if (row.is(Trait::kStores))
      store_rows(machine, wavefront, instruction.destination, count, offsets);
    else
      load_rows(machine, wavefront, instruction.destination, count, offsets);
    return;
  }
  const Global memory{machine};
  LoadedRows loaded;
  const bool done = each_lane(wavefront, op, [&](unsigned lane, uint32_t& at) {
    LaneData data;
    for (unsigned i = 0; i < words_of(row.destination); ++i)
      data.word[i] = register_word(wavefront, instruction.destination, i, lane);
    const auto address = buffer_address(machine, wavefront, instruction, buffer, lane);
    FaultCause cause = FaultCause::kNone;
    if (!address) {
      data = {};
    } else {
      // The low bits of an address are ignored.
      at = *address & ~(uint32_t{access.bytes} - 1);
      if (access.atomic != Atomic::kNone) {
        const uint32_t value = data.word[0];
        cause = exchange(memory, access.atomic, at, value, data.word[1], data.word[0]);
      } else {
        cause = transfer(memory, access, row.is(Trait::kStores), at, data);
      }
    }
    loaded.set(lane, words_of(row.destination), data);
    return cause;
  });
  if (!done) return;
  const bool returns =
      access.atomic == Atomic::kNone ? row.is(Trait::kLoads) : instruction.globally_coherent;
  // An atomic returns the old value alone.
  if (returns)
    loaded.commit(wavefront, instruction.destination,
                  access.atomic == Atomic::kNone ? words_of(row.destination) : 1);
}

void execute_scalar_load(Machine& machine, Wavefront& wavefront, const Op& op,
                         const OperationInfo& row) {
  const Instruction& instruction = op.instruction;
  if (row.operation == Operation::kSMemtime)
    return wavefront.set_pair(instruction.destination, machine.clock);
  if (!row.is(Trait::kLoads)) return;  // s_dcache_inv
  const uint32_t offset = instruction.immediate_offset
                              ? instruction.immediate * 4u
                              : wavefront.scalar[instruction.source[1]] & ~3u;
  const bool buffer = row.source[0] == Type::kB128;
  uint64_t base = wavefront.pair(instruction.source[0]);
  uint64_t bytes = UINT64_MAX;
  if (buffer) {
    const Buffer description = buffer_of(wavefront, instruction.source[0]);
    base = description.base;
    bytes = description.stride == 0 ? description.records
                                    : uint64_t{description.stride} * description.records;
  }
  uint32_t loaded[16] = {};
  for (unsigned i = 0; i < words_of(row.destination); ++i) {
    const uint64_t at = uint64_t{offset} + 4 * i;
    if (machine.check_buffers && buffer && at + 4 > bytes) continue;  // reads 0
    const auto address = static_cast<uint32_t>((base & ~uint64_t{3}) + at);
    const FaultCause cause = read_global(machine, address, &loaded[i], 4);
    if (cause != FaultCause::kNone) return wavefront.set_fault(cause, op.pc, address);
  }
  for (unsigned i = 0; i < words_of(row.destination); ++i)
    wavefront.scalar[instruction.destination + i] = loaded[i];
}

template <Operation kOperation>
struct MemoryOperation {
  static void execute(Machine& machine, Wavefront& wavefront, const Op& op) {
    const OperationInfo& row = info(kOperation);
    static const Access access = access_of(row);
    if (row.format == Format::kSmrd)
      execute_scalar_load(machine, wavefront, op, row);
    else if (row.format == Format::kDs)
      execute_share(wavefront, op, row, access);
    else
      execute_buffer(machine, wavefront, op, row, access);
  }
};

}  // namespace

Execute memory_function(Operation operation) {
  static constexpr FunctionsOf<Group::kMemory, MemoryOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
