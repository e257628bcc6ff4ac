// SPDX-License-Identifier: Apache-2.0
// g[]: the directly accessible range, or else the port, lane by lane.
#include "models/gpgpu/g80/memory_access.h"

namespace gvp::gpgpu::g80 {
namespace {

Space global_space(const Machine& machine) {
  return {machine.global.data, machine.global.bytes, FaultCause::kGlobalOutOfRange};
}

// The fault of a direct access names the address, not the offset; addresses of the null page are
// outside of the range.
void add_base(const Machine& machine, Warp& warp) {
  if (warp.fault.cause == FaultCause::kNone) return;
  warp.fault.address += machine.global.base;
  if (warp.fault.cause == FaultCause::kGlobalOutOfRange &&
      warp.fault.address < machine.global.null_page_bytes)
    warp.fault.cause = FaultCause::kNullPage;
}

// Addresses as offsets into the directly accessible range.
void global_offsets(const Machine& machine, const Warp& warp, Lanes& offsets) {
  const Lanes& addresses = warp.rows[kAddressRow];
  const uint32_t base = machine.global.base;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) offsets.lane[i] = addresses.lane[i] - base;
}

bool all_direct(const Machine& machine, Mask lanes, const Lanes& offsets, unsigned bytes) {
  if (machine.port == nullptr) return true;  // or out of range, which the access itself finds
  if (machine.global.bytes < bytes) return false;
  const uint64_t end = machine.global.bytes - bytes;
  return (lanes & simt::lanes_where([&](unsigned i) { return offsets.lane[i] > end; })) == 0;
}

void keep_global_addresses(Warp& warp, const Op& op) {
  const Lanes& from = warp.rows[op.memory.address_row];
  simt::for_lanes(warp.rows[kAddressRow], simt::kAllLanes,
                  [&](unsigned i) { return from.lane[i]; });
}

// What the two directions do alike, but for their innermost steps.

struct Loading {
  // Through the port, which the lane's bytes pass on their way.
  static constexpr bool kWrite = false;
  static FaultCause port(Machine& machine, Warp& warp, const Op& op, unsigned lane,
                         uint32_t address, unsigned bytes) {
    uint8_t data[16] = {};
    const FaultCause cause = machine.port->read(address, data, bytes);
    if (cause == FaultCause::kNone) load_lane(warp, op, lane, data, bytes);
    return cause;
  }
  static void wrapped(const Machine& machine, Warp& warp, const Op& op, unsigned lane,
                      uint32_t address, unsigned bytes) {
    uint8_t data[16] = {};
    for (unsigned byte = 0; byte < bytes; ++byte)
      data[byte] = machine.global.data[(address + byte) & (machine.global.bytes - 1)];
    load_lane(warp, op, lane, data, bytes);
  }
  // All lanes, up to a word each.
  static void words(Warp& warp, const Op& op, Mask lanes, const Lanes& offsets, unsigned,
                    const Space& space) {
    load(warp, op, lanes, destination(warp, op), offsets, op.memory.access, space);
  }
  static void wide(Warp& warp, const Op& op, unsigned lane, const uint8_t* at, unsigned bytes) {
    load_lane(warp, op, lane, at, bytes);
  }
  static void done(LaneTraffic& traffic, uint64_t lanes, unsigned bytes) {
    traffic.reads += lanes;
    traffic.bytes_read += lanes * bytes;
  }
};

struct Storing {
  static constexpr bool kWrite = true;
  static FaultCause port(Machine& machine, Warp& warp, const Op& op, unsigned lane,
                         uint32_t address, unsigned bytes) {
    uint8_t data[16] = {};
    store_lane(warp, op, lane, data, bytes);
    return machine.port->write(address, data, bytes);
  }
  static void wrapped(const Machine& machine, Warp& warp, const Op& op, unsigned lane,
                      uint32_t address, unsigned bytes) {
    uint8_t data[16] = {};
    store_lane(warp, op, lane, data, bytes);
    for (unsigned byte = 0; byte < bytes; ++byte)
      machine.global.data[(address + byte) & (machine.global.bytes - 1)] = data[byte];
  }
  static void words(Warp& warp, const Op& op, Mask lanes, const Lanes& offsets, unsigned bytes,
                    const Space& space) {
    store(warp, op, lanes, warp.rows[op.a], op.shift_a, offsets, bytes, space);
  }
  static void wide(const Warp& warp, const Op& op, unsigned lane, uint8_t* at, unsigned bytes) {
    store_lane(warp, op, lane, at, bytes);
  }
  static void done(LaneTraffic& traffic, uint64_t lanes, unsigned bytes) {
    traffic.writes += lanes;
    traffic.bytes_written += lanes * bytes;
  }
};

// Whatever answers there.
FaultCause refused(const Machine& machine, uint32_t address, unsigned bytes) {
  if (address % bytes != 0) return FaultCause::kMisaligned;
  return address < machine.global.null_page_bytes ? FaultCause::kNullPage : FaultCause::kNone;
}

// Those lanes that come to their access: up to one that is refused.
template <typename Direction>
void announce(Machine& machine, const Warp& warp, const Op& op, Mask lanes, unsigned bytes) {
  WarpAccesses access;
  access.bytes = bytes;
  access.write = Direction::kWrite;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    const uint32_t address = warp.rows[kAddressRow].lane[i];
    if (refused(machine, address, bytes) != FaultCause::kNone) break;
    access.addresses[i] = address;
    access.lanes |= 1u << i;
    if (Direction::kWrite) store_lane(warp, op, i, access.stored[i].data(), bytes);
  }
  machine.port->announce(access);
}

template <typename Direction>
void through_port(Machine& machine, Warp& warp, const Op& op, Mask lanes, unsigned bytes) {
  const Lanes addresses = warp.rows[kAddressRow];
  if (machine.port->coalesces()) announce<Direction>(machine, warp, op, lanes, bytes);
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    const uint32_t address = addresses.lane[i];
    FaultCause cause = refused(machine, address, bytes);
    if (cause == FaultCause::kNone) cause = Direction::port(machine, warp, op, i, address, bytes);
    if (cause == FaultCause::kNone) continue;
    fault(warp, op, cause, i, address);
    return;
  }
}

// Memory of a power of two bytes that is accessed byte by byte: addresses wrap at its end, and
// any alignment will do.
template <typename Direction>
void wrapped(const Machine& machine, Warp& warp, const Op& op, Mask lanes, unsigned bytes) {
  const Lanes addresses = warp.rows[kAddressRow];
  const Mask null = lanes & simt::lanes_where([&](unsigned i) {
                      return addresses.lane[i] < machine.global.null_page_bytes;
                    });
  if (null != 0) {
    const unsigned lane = simt::first_lane(null);
    fault(warp, op, FaultCause::kNullPage, lane, addresses.lane[lane]);
    return;
  }
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    Direction::wrapped(machine, warp, op, i, addresses.lane[i], bytes);
  }
}

template <typename Direction>
void access_global(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  keep_global_addresses(warp, op);
  const unsigned bytes = type_bytes(op.memory.access);
  if (machine.wrap_global) {
    wrapped<Direction>(machine, warp, op, lanes, bytes);
    return;
  }
  Lanes offsets;
  global_offsets(machine, warp, offsets);
  const Space space = global_space(machine);
  if (!all_direct(machine, lanes, offsets, bytes)) {
    return through_port<Direction>(machine, warp, op, lanes, bytes);
  } else if (bytes <= 4) {
    Direction::words(warp, op, lanes, offsets, bytes, space);
    add_base(machine, warp);
  } else if (check(warp, op, lanes, offsets, bytes, space.bytes, space.out_of_range)) {
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned i = simt::first_lane(rest);
      Direction::wide(warp, op, i, space.data + offsets.lane[i], bytes);
    }
  } else {
    add_base(machine, warp);
  }
  if (machine.port != nullptr && warp.fault.cause == FaultCause::kNone)
    Direction::done(machine.global.done, simt::count_lanes(lanes), bytes);
}

}  // namespace

Execution select_load_global(const Selection&) { return access_global<Loading>; }
Execution select_store_global(const Selection&) { return access_global<Storing>; }

}  // namespace gvp::gpgpu::g80
