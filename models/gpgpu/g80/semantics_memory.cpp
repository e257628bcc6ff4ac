// SPDX-License-Identifier: Apache-2.0
// Memory: s[], c[], l[], g[] in 8 to 128 bits (docs/g80.md, "Memory operands").  An access is
// checked for all its lanes before the first byte moves, so a faulting instruction has no
// effect.  Lanes store in ascending order: of two that write the same byte, the higher one wins.
//
// The common patterns of a full warp (consecutive words, one word for all) need no gathering.
#include <cstring>

#include "models/gpgpu/g80/apply.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Lanes;
using simt::Mask;

unsigned bytes_of(Type access) {
  switch (access) {
    case Type::kU8:
    case Type::kS8:
      return 1;
    case Type::kU16:
    case Type::kS16:
    case Type::kB16:
      return 2;
    case Type::kB64:
      return 8;
    case Type::kB128:
      return 16;
    default:
      return 4;
  }
}

uint32_t read_extended(const uint8_t* from, Type access) {
  switch (access) {
    case Type::kU8:
      return *from;
    case Type::kS8:
      return static_cast<uint32_t>(static_cast<int8_t>(*from));
    case Type::kU16:
    case Type::kB16: {
      uint16_t half;
      std::memcpy(&half, from, sizeof half);
      return half;
    }
    case Type::kS16: {
      int16_t half;
      std::memcpy(&half, from, sizeof half);
      return static_cast<uint32_t>(half);
    }
    default: {
      uint32_t word;
      std::memcpy(&word, from, sizeof word);
      return word;
    }
  }
}

// A stretch of memory as an instruction sees it: addresses are relative to it.
struct Space {
  uint8_t* data;
  uint64_t bytes;
  FaultCause out_of_range;
};

Space shared_space(const Warp& warp) {
  return {warp.shared, warp.shared_bytes, FaultCause::kSharedOutOfRange};
}

// False, with the fault recorded, unless every lane's access is aligned and inside.
bool check(Warp& warp, const Op& op, Mask lanes, const Lanes& addresses, unsigned bytes,
           uint64_t space_bytes, FaultCause out_of_range) {
  // Spaces are smaller than 2^32 bytes, so the last valid address fits a word.
  const uint32_t end = space_bytes >= bytes ? static_cast<uint32_t>(space_bytes - bytes) : 0;
  const Mask outside = space_bytes < bytes ? lanes : lanes & simt::lanes_where([&](unsigned i) {
                                                       return addresses.lane[i] > end;
                                                     });
  const uint32_t low_bits = bytes - 1;
  const Mask misaligned =
      lanes & simt::lanes_where([&](unsigned i) { return (addresses.lane[i] & low_bits) != 0; });
  const Mask bad = outside | misaligned;
  if (bad == 0) return true;
  const unsigned lane = simt::first_lane(bad);
  const bool is_misaligned = (misaligned >> lane & 1u) != 0;
  fault(warp, op, is_misaligned ? FaultCause::kMisaligned : out_of_range, lane,
        addresses.lane[lane]);
  return false;
}

// One 32-bit word per lane: the access that matters for speed.  True when done (or faulted).
bool load_pattern(Lanes& words, const Lanes& addresses, const Space& space) {
  const uint32_t first = addresses.lane[0];
  if (first % 4 != 0) return false;
  switch (simt::pattern_of(addresses)) {
    case simt::Pattern::kConsecutiveWords:
      if (uint64_t{first} + sizeof(Lanes) > space.bytes) return false;
      std::memcpy(&words, space.data + first, sizeof(Lanes));
      return true;
    case simt::Pattern::kUniform: {
      if (uint64_t{first} + sizeof(uint32_t) > space.bytes) return false;
      uint32_t word;
      std::memcpy(&word, space.data + first, sizeof word);
      simt::for_lanes(words, simt::kAllLanes, [word](unsigned) { return word; });
      return true;
    }
    case simt::Pattern::kScattered:
      break;
  }
  return false;
}

// Bytes and halves, out of the words around them; the space is a whole number of words.
void load_narrow(Lanes& values, Mask lanes, const Lanes& addresses, Type access,
                 const Space& space) {
  Lanes around;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) around.lane[i] = addresses.lane[i] & ~3u;
  simt::gather_words(values, lanes, space.data, around);
  const unsigned bits = 8 * bytes_of(access);
  const unsigned to_top = 32 - bits;
  const bool is_signed = access == Type::kS8 || access == Type::kS16;
  simt::for_lanes(values, lanes, [&](unsigned i) {
    const uint32_t shifted = values.lane[i] >> (addresses.lane[i] & 3u) * 8 << to_top;
    return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(shifted) >> to_top)
                     : shifted >> to_top;
  });
}

void load(Warp& warp, const Op& op, Mask lanes, Lanes& words, const Lanes& addresses, Type access,
          const Space& space) {
  const unsigned bytes = bytes_of(access);
  if (bytes == 4 && lanes == simt::kAllLanes && load_pattern(words, addresses, space)) return;
  if (!check(warp, op, lanes, addresses, bytes, space.bytes, space.out_of_range)) return;
  if (bytes == 4) {
    simt::gather_words(words, lanes, space.data, addresses);
    return;
  }
  if (space.bytes % 4 == 0) {
    load_narrow(words, lanes, addresses, access, space);
    return;
  }
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    words.lane[i] = read_extended(space.data + addresses.lane[i], access);
  }
}

void store(Warp& warp, const Op& op, Mask lanes, const Lanes& words, unsigned shift,
           const Lanes& addresses, unsigned bytes, const Space& space) {
  if (bytes == 4 && lanes == simt::kAllLanes && addresses.lane[0] % 4 == 0 &&
      uint64_t{addresses.lane[0]} + sizeof(Lanes) <= space.bytes &&
      simt::pattern_of(addresses) == simt::Pattern::kConsecutiveWords) {
    std::memcpy(space.data + addresses.lane[0], &words, sizeof(Lanes));
    return;
  }
  if (!check(warp, op, lanes, addresses, bytes, space.bytes, space.out_of_range)) return;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    const uint32_t word = words.lane[i] >> shift;
    std::memcpy(space.data + addresses.lane[i], &word, bytes);
  }
}

// $a + offset, modulo 2^16; with post-increment the offset is the increment instead.
const Lanes& compute_addresses(Warp& warp, const Location& location) {
  Lanes& addresses = warp.rows[kAddressRow];
  const Lanes& base = warp.rows[location.address_row];
  const uint32_t offset = location.offset;
  simt::for_lanes(addresses, simt::kAllLanes,
                  [&](unsigned i) { return (base.lane[i] + offset) & 0xffffu; });
  return addresses;
}

// s[] and c[] operands of other instructions.

void fetch_shared(Machine&, Warp& warp, const Op& op, const Load& load_of, Mask lanes) {
  const Lanes& addresses = compute_addresses(warp, load_of.location);
  load(warp, op, lanes, warp.rows[load_of.row], addresses, load_of.location.access,
       shared_space(warp));
}

// One value for all lanes.
void fetch_uniform(Warp& warp, const Op& op, const Load& load_of, Mask lanes, const uint8_t* data,
                   uint64_t space_bytes, FaultCause out_of_range) {
  const Location& location = load_of.location;
  const uint32_t address = location.offset & 0xffffu;
  const unsigned bytes = bytes_of(location.access);
  simt::for_lanes(warp.rows[kAddressRow], simt::kAllLanes, [&](unsigned) { return address; });
  if (address % bytes != 0 || uint64_t{address} + bytes > space_bytes) {
    fault(warp, op, address % bytes != 0 ? FaultCause::kMisaligned : out_of_range,
          simt::first_lane(lanes), address);
    return;
  }
  const uint32_t value = read_extended(data + address, location.access);
  simt::for_lanes(warp.rows[load_of.row], lanes, [&](unsigned) { return value; });
}

void fetch_shared_uniform(Machine&, Warp& warp, const Op& op, const Load& load_of, Mask lanes) {
  fetch_uniform(warp, op, load_of, lanes, warp.shared, warp.shared_bytes,
                FaultCause::kSharedOutOfRange);
}

void fetch_constant_uniform(Machine& machine, Warp& warp, const Op& op, const Load& load_of,
                            Mask lanes) {
  fetch_uniform(warp, op, load_of, lanes, machine.constants + load_of.location.bank_base,
                load_of.location.limit, FaultCause::kConstantOutOfRange);
}

void fetch_constant(Machine& machine, Warp& warp, const Op& op, const Load& load_of, Mask lanes) {
  const Lanes& addresses = compute_addresses(warp, load_of.location);
  const Location& location = load_of.location;
  // Loads never write: the cast only lets one Space type serve all memories.
  const Space space{const_cast<uint8_t*>(machine.constants) + location.bank_base, location.limit,
                    FaultCause::kConstantOutOfRange};
  load(warp, op, lanes, warp.rows[load_of.row], addresses, location.access, space);
}

void store_shared(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Lanes& addresses = compute_addresses(warp, op.memory);
  store(warp, op, lanes, warp.rows[op.a], op.shift_a, addresses, bytes_of(op.memory.access),
        shared_space(warp));
}

// l[]: each thread has its own stretch; addresses are relative to it.

uint8_t* local_of(const Warp& warp, unsigned lane) {
  return warp.local + uint64_t{lane} * warp.local_bytes;
}

void load_wide(Warp& warp, const Op& op, unsigned lane, const uint8_t* from, unsigned bytes) {
  for (unsigned word = 0; word * 4 < bytes; ++word)
    std::memcpy(&warp.rows[op.wide[word]].lane[lane], from + 4 * word, 4);
}

void store_wide(const Warp& warp, const Op& op, unsigned lane, uint8_t* to, unsigned bytes) {
  for (unsigned word = 0; word * 4 < bytes; ++word)
    std::memcpy(to + 4 * word, &warp.rows[op.wide[word]].lane[lane], 4);
}

void load_local(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Lanes& addresses = compute_addresses(warp, op.memory);
  const unsigned bytes = bytes_of(op.memory.access);
  if (!check(warp, op, lanes, addresses, bytes, warp.local_bytes, FaultCause::kLocalOutOfRange))
    return;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    const uint8_t* from = local_of(warp, i) + addresses.lane[i];
    if (bytes > 4) {
      load_wide(warp, op, i, from, bytes);
    } else {
      destination(warp, op).lane[i] = read_extended(from, op.memory.access);
    }
  }
}

void store_local(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Lanes& addresses = compute_addresses(warp, op.memory);
  const unsigned bytes = bytes_of(op.memory.access);
  if (!check(warp, op, lanes, addresses, bytes, warp.local_bytes, FaultCause::kLocalOutOfRange))
    return;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    uint8_t* to = local_of(warp, i) + addresses.lane[i];
    if (bytes > 4) {
      store_wide(warp, op, i, to, bytes);
    } else {
      const uint32_t word = warp.rows[op.a].lane[i] >> op.shift_a;
      std::memcpy(to, &word, bytes);
    }
  }
}

// g[]: the directly accessible range, or else the port, lane by lane.

Space global_space(const Machine& machine) {
  return {machine.global, machine.global_bytes, FaultCause::kGlobalOutOfRange};
}

// The fault of a direct access names the address, not the offset.
void add_base(const Machine& machine, Warp& warp) {
  if (warp.fault.cause != FaultCause::kNone) warp.fault.address += machine.global_base;
}

// Addresses as offsets into the directly accessible range.
void global_offsets(const Machine& machine, const Warp& warp, Lanes& offsets) {
  const Lanes& addresses = warp.rows[kAddressRow];
  const uint32_t base = machine.global_base;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) offsets.lane[i] = addresses.lane[i] - base;
}

bool all_direct(const Machine& machine, Mask lanes, const Lanes& offsets, unsigned bytes) {
  if (machine.port == nullptr) return true;  // or out of range, which the access itself finds
  if (machine.global_bytes < bytes) return false;
  const uint64_t end = machine.global_bytes - bytes;
  return (lanes & simt::lanes_where([&](unsigned i) { return offsets.lane[i] > end; })) == 0;
}

void keep_global_addresses(Warp& warp, const Op& op) {
  const Lanes& from = warp.rows[op.memory.address_row];
  simt::for_lanes(warp.rows[kAddressRow], simt::kAllLanes,
                  [&](unsigned i) { return from.lane[i]; });
}

template <typename Transfer>
void through_port(Warp& warp, const Op& op, Mask lanes, unsigned bytes, Transfer transfer) {
  const Lanes addresses = warp.rows[kAddressRow];
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    const FaultCause cause =
        addresses.lane[i] % bytes != 0 ? FaultCause::kMisaligned : transfer(i, addresses.lane[i]);
    if (cause == FaultCause::kNone) continue;
    fault(warp, op, cause, i, addresses.lane[i]);
    return;
  }
}

void load_global_port(Machine& machine, Warp& warp, const Op& op, Mask lanes, unsigned bytes) {
  through_port(warp, op, lanes, bytes, [&](unsigned lane, uint32_t address) {
    uint8_t data[16] = {};
    const FaultCause cause = machine.port->read(address, data, bytes);
    if (cause != FaultCause::kNone) return cause;
    if (bytes > 4) {
      load_wide(warp, op, lane, data, bytes);
    } else {
      destination(warp, op).lane[lane] = read_extended(data, op.memory.access);
    }
    return cause;
  });
}

void store_global_port(Machine& machine, Warp& warp, const Op& op, Mask lanes, unsigned bytes) {
  through_port(warp, op, lanes, bytes, [&](unsigned lane, uint32_t address) {
    uint8_t data[16] = {};
    if (bytes > 4) {
      store_wide(warp, op, lane, data, bytes);
    } else {
      const uint32_t word = warp.rows[op.a].lane[lane] >> op.shift_a;
      std::memcpy(data, &word, sizeof word);
    }
    return machine.port->write(address, data, bytes);
  });
}

// Memory of a power of two bytes that is accessed byte by byte: addresses wrap at its end, and
// any alignment will do.

void load_wrapped(const Machine& machine, Warp& warp, const Op& op, Mask lanes, unsigned bytes) {
  const Lanes addresses = warp.rows[kAddressRow];
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    uint8_t data[16] = {};
    for (unsigned byte = 0; byte < bytes; ++byte)
      data[byte] = machine.global[(addresses.lane[i] + byte) & (machine.global_bytes - 1)];
    if (bytes > 4) {
      load_wide(warp, op, i, data, bytes);
    } else {
      destination(warp, op).lane[i] = read_extended(data, op.memory.access);
    }
  }
}

void store_wrapped(const Machine& machine, const Warp& warp, const Op& op, Mask lanes,
                   unsigned bytes) {
  const Lanes& addresses = warp.rows[kAddressRow];
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    uint8_t data[16] = {};
    if (bytes > 4) {
      store_wide(warp, op, i, data, bytes);
    } else {
      const uint32_t word = warp.rows[op.a].lane[i] >> op.shift_a;
      std::memcpy(data, &word, sizeof word);
    }
    for (unsigned byte = 0; byte < bytes; ++byte)
      machine.global[(addresses.lane[i] + byte) & (machine.global_bytes - 1)] = data[byte];
  }
}

void load_global(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  keep_global_addresses(warp, op);
  if (machine.wrap_global) {
    load_wrapped(machine, warp, op, lanes, bytes_of(op.memory.access));
    return;
  }
  Lanes offsets;
  global_offsets(machine, warp, offsets);
  const unsigned bytes = bytes_of(op.memory.access);
  const Space space = global_space(machine);
  if (!all_direct(machine, lanes, offsets, bytes)) {
    load_global_port(machine, warp, op, lanes, bytes);
  } else if (bytes <= 4) {
    load(warp, op, lanes, destination(warp, op), offsets, op.memory.access, space);
    add_base(machine, warp);
  } else if (check(warp, op, lanes, offsets, bytes, space.bytes, space.out_of_range)) {
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned i = simt::first_lane(rest);
      load_wide(warp, op, i, space.data + offsets.lane[i], bytes);
    }
  } else {
    add_base(machine, warp);
  }
}

void store_global(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  keep_global_addresses(warp, op);
  if (machine.wrap_global) {
    store_wrapped(machine, warp, op, lanes, bytes_of(op.memory.access));
    return;
  }
  Lanes offsets;
  global_offsets(machine, warp, offsets);
  const unsigned bytes = bytes_of(op.memory.access);
  const Space space = global_space(machine);
  if (!all_direct(machine, lanes, offsets, bytes)) {
    store_global_port(machine, warp, op, lanes, bytes);
  } else if (bytes <= 4) {
    store(warp, op, lanes, warp.rows[op.a], op.shift_a, offsets, bytes, space);
    add_base(machine, warp);
  } else if (check(warp, op, lanes, offsets, bytes, space.bytes, space.out_of_range)) {
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned i = simt::first_lane(rest);
      store_wide(warp, op, i, space.data + offsets.lane[i], bytes);
    }
  } else {
    add_base(machine, warp);
  }
}

}  // namespace

Operate select_memory(const Instruction& instruction, const Op&) {
  switch (instruction.operation) {
    case Operation::kStoreShared:
      return store_shared;
    case Operation::kLoadLocal:
      return load_local;
    case Operation::kStoreLocal:
      return store_local;
    case Operation::kLoadGlobal:
      return load_global;
    case Operation::kStoreGlobal:
      return store_global;
    default:
      return nullptr;
  }
}

Fetch select_memory_fetch(Operand::Kind space, const Location& location) {
  if (space == Operand::Kind::kShared)
    return location.uniform ? fetch_shared_uniform : fetch_shared;
  return location.uniform ? fetch_constant_uniform : fetch_constant;
}

}  // namespace gvp::gpgpu::g80
