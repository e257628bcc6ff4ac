// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/memory_port.h"

#include <algorithm>
#include <utility>

namespace gvp::gpgpu {

MemoryPort::MemoryPort(const sc_core::sc_module_name& name, DirectRange& range,
                       const kit::Clock& clock)
    : sc_core::sc_module(name), range_(range), clock_(clock) {
  socket.register_invalidate_direct_mem_ptr(this, &MemoryPort::invalidate);
}

FaultCause MemoryPort::read(uint32_t address, void* data, unsigned bytes) {
  return transport(tlm::TLM_READ_COMMAND, address, data, bytes);
}

FaultCause MemoryPort::write(uint32_t address, const void* data, unsigned bytes) {
  // A write does not change the initiator's data; TLM-2.0 has one pointer for both directions.
  return transport(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
}

FaultCause MemoryPort::write(uint32_t address, const void* data, unsigned bytes, uint8_t* enables) {
  return transport(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes, enables);
}

unsigned MemoryPort::debug_read(uint32_t address, void* data, unsigned bytes) {
  return transport_debug(tlm::TLM_READ_COMMAND, address, data, bytes);
}

unsigned MemoryPort::debug_write(uint32_t address, const void* data, unsigned bytes) {
  return transport_debug(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
}

unsigned MemoryPort::transport_debug(tlm::tlm_command command, uint32_t address, void* data,
                                     unsigned bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return socket->transport_dbg(payload);
}

FaultCause MemoryPort::transport(tlm::tlm_command command, uint32_t address, void* data,
                                 unsigned bytes, uint8_t* enables) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  if (enables != nullptr) {
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(bytes);
  }
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const sc_core::sc_time begin = std::max(time_, sc_core::sc_time_stamp());
  sc_core::sc_time delay = begin - sc_core::sc_time_stamp();
  socket->b_transport(payload, delay);
  // The bus may have waited: only the sum of both times counts.
  time_ = sc_core::sc_time_stamp() + delay;
  cycles_ += clock_.cycles_up(time_ - begin);
  ++transactions_;
  if (!payload.is_response_ok()) return FaultCause::kBusError;
  if (direct_access_ && payload.is_dmi_allowed()) ask_for_direct_access(address);
  return FaultCause::kNone;
}

void MemoryPort::ask_for_direct_access(uint32_t address) {
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  tlm::tlm_dmi dmi;
  kit::DirectAccount account;
  payload.set_extension(&account);
  const bool granted = socket->get_direct_mem_ptr(payload, dmi);
  payload.clear_extension(&account);
  if (!granted || !dmi.is_read_write_allowed()) return;
  // Kernels have 32-bit addresses, and gathering takes offsets below 2^31.
  constexpr uint64_t kLargest = uint64_t{1} << 31;
  if (dmi.get_start_address() > 0xffffffffu) return;
  const uint64_t last = std::min<uint64_t>(dmi.get_end_address(), 0xffffffffu);
  const auto start = static_cast<uint32_t>(dmi.get_start_address());
  const uint32_t skipped = std::max(start, range_.null_page_bytes) - start;
  if (last < start + uint64_t{skipped}) return;
  account_for_direct();  // in the range before
  account_ = account;
  range_.data = dmi.get_dmi_ptr() + skipped;
  range_.base = start + skipped;
  range_.bytes = std::min(last - range_.base + 1, kLargest);
  granted_ = true;
  direct_cycles_ = clock_.cycles_up(std::max(dmi.get_read_latency(), dmi.get_write_latency()));
}

void MemoryPort::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  const uint64_t begin = range_.base;
  if (!granted_ || last < begin || first >= begin + range_.bytes) return;
  drop_direct_access();
}

void MemoryPort::drop_direct_access() {
  if (!granted_) return;
  granted_ = false;
  account_for_direct();
  range_.data = nullptr;
  range_.bytes = 0;
}

void MemoryPort::forbid_direct_access() {
  direct_access_ = false;
  drop_direct_access();
}

void MemoryPort::account_for_direct() {
  const LaneTraffic done = std::exchange(range_.done, {});
  account_.count({done.reads, done.writes, done.bytes_read, done.bytes_written});
}

uint64_t MemoryPort::take_cycles() { return std::exchange(cycles_, 0); }

}  // namespace gvp::gpgpu
