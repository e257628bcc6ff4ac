// SPDX-License-Identifier: Apache-2.0
// Memory on the chip: s[], c[], l[] (docs/g80.md).
#include <array>

#include "models/gpgpu/g80/memory_access.h"

namespace gvp::gpgpu::g80 {
namespace {

Space shared_space(const Warp& warp) {
  return {warp.shared, warp.shared_bytes, FaultCause::kSharedOutOfRange};
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

// The one address of all lanes, which is checked: false, with the fault recorded, if it is bad.
bool compute_uniform(Warp& warp, const Op& op, const Location& location, Mask lanes,
                     uint64_t space_bytes, FaultCause out_of_range, uint32_t& address) {
  address = location.offset & 0xffffu;
  const unsigned bytes = type_bytes(location.access);
  const uint32_t all = address;
  simt::for_lanes(warp.rows[kAddressRow], simt::kAllLanes, [&](unsigned) { return all; });
  if (address % bytes == 0 && uint64_t{address} + bytes <= space_bytes) return true;
  fault(warp, op, address % bytes != 0 ? FaultCause::kMisaligned : out_of_range,
        simt::first_lane(lanes), address);
  return false;
}

// One value for all lanes.
void fetch_uniform(Warp& warp, const Op& op, const Load& load_of, Mask lanes, const uint8_t* data,
                   uint64_t space_bytes, FaultCause out_of_range) {
  const Location& location = load_of.location;
  uint32_t address;
  if (!compute_uniform(warp, op, location, lanes, space_bytes, out_of_range, address)) return;
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

// Constants behind a port: one read for all lanes of an address.

// What lies there; false, with the fault recorded, if the port refuses.
bool read_constant(Machine& machine, Warp& warp, const Op& op, const Location& location,
                   unsigned lane, uint32_t address, uint32_t& value) {
  std::array<uint8_t, 16> data{};
  const FaultCause cause = machine.constant_port->read(location.bank_base + address, data.data(),
                                                       type_bytes(location.access));
  if (cause != FaultCause::kNone) {
    fault(warp, op, cause, lane, address);
    return false;
  }
  value = read_extended(data.data(), location.access);
  return true;
}

void fetch_port_uniform(Machine& machine, Warp& warp, const Op& op, const Load& load_of,
                        Mask lanes) {
  const Location& location = load_of.location;
  uint32_t address;
  uint32_t value;
  if (!compute_uniform(warp, op, location, lanes, location.limit, FaultCause::kConstantOutOfRange,
                       address) ||
      !read_constant(machine, warp, op, location, simt::first_lane(lanes), address, value))
    return;
  simt::for_lanes(warp.rows[load_of.row], lanes, [&](unsigned) { return value; });
}

void fetch_port(Machine& machine, Warp& warp, const Op& op, const Load& load_of, Mask lanes) {
  const Location& location = load_of.location;
  const Lanes& addresses = compute_addresses(warp, location);
  if (!check(warp, op, lanes, addresses, type_bytes(location.access), location.limit,
             FaultCause::kConstantOutOfRange))
    return;
  Lanes values{};
  for (Mask left = lanes; left != 0;) {
    const unsigned first = simt::first_lane(left);
    const uint32_t address = addresses.lane[first];
    uint32_t value;
    if (!read_constant(machine, warp, op, location, first, address, value)) return;
    const Mask same =
        left & simt::lanes_where([&](unsigned i) { return addresses.lane[i] == address; });
    simt::for_lanes(values, same, [&](unsigned) { return value; });
    left &= ~same;
  }
  simt::for_lanes(warp.rows[load_of.row], lanes, [&](unsigned i) { return values.lane[i]; });
}

void store_shared(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Lanes& addresses = compute_addresses(warp, op.memory);
  store(warp, op, lanes, warp.rows[op.a], op.shift_a, addresses, type_bytes(op.memory.access),
        shared_space(warp));
}

// l[]: each thread has its own stretch; addresses are relative to it.

uint8_t* local_of(const Warp& warp, unsigned lane) {
  return warp.local + uint64_t{lane} * warp.local_bytes;
}

template <typename Transfer>
void access_local(Warp& warp, const Op& op, Mask lanes, Transfer transfer) {
  const Lanes& addresses = compute_addresses(warp, op.memory);
  const unsigned bytes = type_bytes(op.memory.access);
  if (!check(warp, op, lanes, addresses, bytes, warp.local_bytes, FaultCause::kLocalOutOfRange))
    return;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    transfer(i, local_of(warp, i) + addresses.lane[i], bytes);
  }
}

void load_local(Machine&, Warp& warp, const Op& op, Mask lanes) {
  access_local(warp, op, lanes, [&](unsigned lane, const uint8_t* from, unsigned bytes) {
    load_lane(warp, op, lane, from, bytes);
  });
}

void store_local(Machine&, Warp& warp, const Op& op, Mask lanes) {
  access_local(warp, op, lanes, [&](unsigned lane, uint8_t* to, unsigned bytes) {
    store_lane(warp, op, lane, to, bytes);
  });
}

}  // namespace

Execution select_store_shared(const Selection&) { return store_shared; }
Execution select_load_local(const Selection&) { return load_local; }
Execution select_store_local(const Selection&) { return store_local; }

Fetch select_memory_fetch(Operand::Kind space, const Location& location, const Machine& machine) {
  if (space == Operand::Kind::kShared)
    return location.uniform ? fetch_shared_uniform : fetch_shared;
  if (machine.constants_behind_port) return location.uniform ? fetch_port_uniform : fetch_port;
  return location.uniform ? fetch_constant_uniform : fetch_constant;
}

}  // namespace gvp::gpgpu::g80
