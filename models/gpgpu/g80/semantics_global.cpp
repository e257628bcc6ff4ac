// SPDX-License-Identifier: Apache-2.0
// g[]: the directly accessible range, or else the port, lane by lane.
#include "models/gpgpu/g80/memory_access.h"

namespace gvp::gpgpu::g80 {
namespace {

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

Operate select_global(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::kLoadGlobal:
      return load_global;
    case Operation::kStoreGlobal:
      return store_global;
    default:
      return nullptr;
  }
}

}  // namespace gvp::gpgpu::g80
