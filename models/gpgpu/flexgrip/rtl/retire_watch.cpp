// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/retire_watch.h"

#include <algorithm>
#include <utility>

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr unsigned kStages = 5, kLanes = 32, kThreadIndices = 2;
// written_t and store_t of rtl/flexgrip/flexgrip_pkg.sv, from bit 0 on.
constexpr unsigned kWrittenBits = 72, kExecutedAt = 0, kLastAt = 32, kRowAt = 33, kWarpAt = 35,
                   kPcAt = 40;
constexpr unsigned kStoreBits = 42, kDataAt = 0, kAddressAt = 8, kMemoryAt = 40;

// Up to 32 bits of a pin, wherever they begin.
uint32_t bits_of(const rtl::Pin& pin, unsigned at, unsigned count) {
  uint64_t value = 0;
  const unsigned first = at / 8;
  const unsigned bytes = (at + count + 7) / 8 - first;
  pin.get_bytes(reinterpret_cast<uint8_t*>(&value), first, bytes);
  return static_cast<uint32_t>(value >> (at % 8) & ((uint64_t{1} << count) - 1));
}

}  // namespace

RetireWatch::RetireWatch(rtl::Block& block, const KernelWatch& kernels, unsigned sps,
                         uint32_t local_bytes)
    : kernels_(kernels),
      sps_(sps),
      sms_(block.output_pin("trace_issued", 0).bits()),
      local_bytes_(local_bytes),
      busy_(block.output_pin("busy", 1)),
      clear_(block.output_pin("local_clear", sms_)),
      left_(block.output_pin("trace_left", sms_ * kStages)),
      written_(block.output_pin("trace_written", sms_ * kWrittenBits)),
      store_(block.output_pin("trace_store", sms_ * kStoreBits)),
      register_write_(block.output_pin("trace_register_write", sms_ * 2)),
      register_row_(block.output_pin("trace_register_row", sms_ * 32)),
      register_halves_(block.output_pin("trace_register_halves", sms_ * 2)),
      register_lanes_(block.output_pin("trace_register_lanes", sms_ * sps)),
      register_data_(block.output_pin("trace_register_data", sms_ * sps * 32)),
      address_write_(block.output_pin("trace_address_write", sms_ * 2)),
      address_register_(block.output_pin("trace_address_register", sms_ * 2)),
      address_lanes_(block.output_pin("trace_address_lanes", sms_ * sps)),
      address_data_(block.output_pin("trace_address_data", sms_ * sps * 16)),
      flags_write_(block.output_pin("trace_flags_write", sms_)),
      flags_register_(block.output_pin("trace_flags_register", sms_ * 2)),
      flags_lanes_(block.output_pin("trace_flags_lanes", sms_ * kLanes)),
      flags_data_(block.output_pin("trace_flags_data", sms_ * 4 * kLanes)),
      all_(sms_) {
  block.watch(busy_, *this);
  block.add(*this);
}

void RetireWatch::set_kernel(const Kernel& kernel) {
  registers_ = std::max(kernel.registers_per_thread, 1u);
  shared_bytes_ = std::max(static_cast<uint32_t>(kernel.shared_bytes()), 1u);
  warps_per_block_ = std::max(kernel.warps_per_block(), 1u);
  all_.assign(sms_, {});
}

void RetireWatch::sample() {
  if (observers_.empty() || !kernels_.running()) return;
  for (unsigned sm = 0; sm < sms_; ++sm) sample_sm(sm);
}

void RetireWatch::sample_sm(unsigned number) {
  Sm& sm = all_[number];
  if (bits_of(clear_, number, 1) != 0) sm = {};
  const unsigned base = number * kWrittenBits;
  const uint32_t warp = bits_of(written_, base + kWarpAt, 5);
  const uint32_t row = bits_of(written_, base + kRowAt, 2);
  if (bits_of(register_write_, number * 2, 2) != 0) take_register(number, warp);
  if (bits_of(address_write_, number * 2, 1) != 0) take_address(number, row);
  if (bits_of(flags_write_, number, 1) != 0) take_flags(number);
  if (bits_of(store_, number * kStoreBits + kMemoryAt, 2) != 0) take_store(number, warp);
  const bool leaves = bits_of(left_, number * kStages + kStages - 1, 1) != 0;
  if (!leaves || bits_of(written_, base + kLastAt, 1) == 0) return;
  sm.row.pc = bits_of(written_, base + kPcAt, 32);
  sm.row.executed = bits_of(written_, base + kExecutedAt, 32);
  tell(sm, number, warp);
}

void RetireWatch::take_register(unsigned number, unsigned warp) {
  Sm& sm = all_[number];
  const unsigned rows = kLanes / sps_;
  const uint32_t index = bits_of(register_row_, number * 32, 32);
  const unsigned first_lane = index % rows * sps_;
  const uint32_t owner = index / rows / registers_ % kLanes;
  Retired::Row row;
  row.number = static_cast<uint8_t>(index / rows % registers_);
  row.lanes = bits_of(register_lanes_, number * sps_, sps_) << first_lane;
  const uint32_t halves = bits_of(register_halves_, number * 2, 2);
  row.bits = ((halves & 1) != 0 ? 0xffffu : 0) | ((halves & 2) != 0 ? 0xffff0000u : 0);
  for (unsigned lane = 0; lane < sps_; ++lane)
    row.values[first_lane + lane] = bits_of(register_data_, (number * sps_ + lane) * 32, 32);
  if (bits_of(register_write_, number * 2, 2) == kThreadIndices)
    sm.first[owner].push_back(row);
  else if (owner == warp)
    sm.row.rows.push_back(row);
}

void RetireWatch::take_address(unsigned number, unsigned row) {
  Retired::Row change;
  change.file = Retired::File::kAddress;
  change.number = static_cast<uint8_t>(bits_of(address_register_, number * 2, 2) + 1);
  change.adds = bits_of(address_write_, number * 2 + 1, 1) != 0;
  change.bits = 0xffff;
  const unsigned first_lane = row * sps_;
  change.lanes = bits_of(address_lanes_, number * sps_, sps_) << first_lane;
  for (unsigned lane = 0; lane < sps_; ++lane)
    change.values[first_lane + lane] = bits_of(address_data_, (number * sps_ + lane) * 16, 16);
  all_[number].row.rows.push_back(change);
}

void RetireWatch::take_flags(unsigned number) {
  Retired::Row change;
  change.file = Retired::File::kFlags;
  change.number = static_cast<uint8_t>(bits_of(flags_register_, number * 2, 2));
  change.lanes = bits_of(flags_lanes_, number * kLanes, kLanes);
  for (unsigned flag = 0; flag < 4; ++flag) {
    const uint32_t lanes = bits_of(flags_data_, (number * 4 + flag) * kLanes, kLanes);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      change.values[lane] |= (lanes >> lane & 1) << flag;
  }
  all_[number].row.rows.push_back(change);
}

// Addresses at the pins are those of the memory of an SM: of all its blocks, or all its threads.
void RetireWatch::take_store(unsigned number, unsigned warp) {
  const unsigned base = number * kStoreBits;
  const uint32_t address = bits_of(store_, base + kAddressAt, 32);
  Retired::Byte byte;
  byte.value = static_cast<uint8_t>(bits_of(store_, base + kDataAt, 8));
  switch (bits_of(store_, base + kMemoryAt, 2)) {
    case 1:
      byte.space = MemorySpace::kShared;
      byte.address = address - warp / warps_per_block_ * shared_bytes_;
      break;
    case 2:
      byte.space = MemorySpace::kGlobal;
      byte.address = address;
      break;
    default:
      byte.space = MemorySpace::kLocal;
      byte.address = address % std::max(local_bytes_, 1u);
      break;
  }
  all_[number].row.stores.push_back(byte);
}

void RetireWatch::tell(Sm& sm, unsigned number, unsigned warp) {
  const WarpPlace place = kernels_.place_of(number, warp);
  if (!sm.begun[warp]) {
    sm.begun[warp] = true;
    Retired begins;
    begins.place = place;
    begins.begins = true;
    begins.rows = std::move(sm.first[warp]);
    for (RetiredObserver* observer : observers_) observer->retired(begins);
  }
  sm.row.place = place;
  const Retired row = std::exchange(sm.row, {});
  for (RetiredObserver* observer : observers_) observer->retired(row);
}

}  // namespace gvp::gpgpu::flexgrip
