// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/memory_pins.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr unsigned kWordBits = 32, kWordBytes = 4;

MemoryPort32::Pins read_pins(rtl::Block& block, const std::string& memory, unsigned sms) {
  return {block.output_pin(memory + "_read", sms),
          block.output_pin(memory + "_read_address", sms * kWordBits),
          block.input_pin(memory + "_read_data", sms * kWordBits),
          {},
          {}};
}

MemoryPort32::Pins write_pins(rtl::Block& block, const std::string& memory, unsigned sms) {
  return {block.output_pin(memory + "_write", sms),
          block.output_pin(memory + "_write_address", sms * kWordBits),
          {},
          block.output_pin(memory + "_write_strobes", sms * kWordBytes),
          block.output_pin(memory + "_write_data", sms * kWordBits)};
}

}  // namespace

MemoryPort32::MemoryPort32(uint8_t* data, uint64_t count, Pins pins, unsigned sm)
    : data_(data), count_(count), pins_(std::move(pins)), sm_(sm) {}

uint32_t MemoryPort32::word_of(const rtl::Pin& pin) const {
  uint32_t value = 0;
  pin.get_bytes(reinterpret_cast<uint8_t*>(&value), sm_ * kWordBytes, sizeof value);
  return value;
}

void MemoryPort32::sample() {
  reads_ = false;
  if ((pins_.enable.get() >> sm_ & 1) == 0) return;
  // A RAM has no address that it does not know: what lies above its end comes round.
  uint8_t* word = data_ + word_of(pins_.address) % count_ / kWordBytes * kWordBytes;
  const uint64_t strobes = pins_.strobes.get() >> (sm_ * kWordBytes) & 0xfu;
  reads_ = strobes == 0;
  if (reads_) {
    std::memcpy(&read_, word, kWordBytes);
    return;
  }
  const uint32_t data = word_of(pins_.write_data);
  for (unsigned lane = 0; lane < kWordBytes; ++lane)
    if ((strobes >> lane & 1) != 0) word[lane] = static_cast<uint8_t>(data >> (8 * lane));
}

void MemoryPort32::drive() {
  if (reads_)
    pins_.read_data.set_bytes(reinterpret_cast<const uint8_t*>(&read_), sm_ * kWordBytes,
                              sizeof read_);
}

MemoryPins::MemoryPins(rtl::Block& block, kit::Storage& code, kit::Storage& constants,
                       kit::Storage& local, kit::Storage* global)
    : busy_(block.output_pin("busy", 1)),
      local_clear_(block.output_pin("local_clear", 0)),
      local_write_enable_(block.output_pin("local_write", 0)),
      local_(local),
      host_constants_(constants.data(), constants.size(),
                      {block.output_pin("constant_host_read", 1),
                       block.output_pin("constant_host_address", kWordBits),
                       block.input_pin("constant_host_data", kWordBits),
                       {},
                       {}}) {
  const unsigned sms = local_clear_.bits();
  const uint64_t local_bytes = local.size() / sms;
  for (unsigned sm = 0; sm < sms; ++sm) {
    uint8_t* const local_data = local.data() + sm * local_bytes;
    ports_.push_back({{code.data(),
                       code.size(),
                       {block.output_pin("code_enable", sms),
                        block.output_pin("code_address", sms * kWordBits),
                        block.input_pin("code_data", sms * kWordBits),
                        {},
                        {}},
                       sm},
                      {constants.data(),
                       constants.size(),
                       {block.output_pin("constant_enable", sms),
                        block.output_pin("constant_address", sms * kWordBits),
                        block.input_pin("constant_read_data", sms * kWordBits),
                        block.output_pin("constant_strobes", sms * kWordBytes),
                        block.output_pin("constant_write_data", sms * kWordBits)},
                       sm},
                      {local_data, local_bytes, read_pins(block, "local", sms), sm},
                      {local_data, local_bytes, write_pins(block, "local", sms), sm},
                      {},
                      {}});
    if (global == nullptr) continue;
    ports_.back().global_read.emplace(global->data(), global->size(),
                                      read_pins(block, "global", sms), sm);
    ports_.back().global_write.emplace(global->data(), global->size(),
                                       write_pins(block, "global", sms), sm);
  }
  block.watch(busy_, *this);
  block.add(*this);
}

void MemoryPins::clear_local(unsigned sm) {
  const uint64_t bytes = local_.size() / ports_.size();
  std::fill_n(local_.data() + sm * bytes, bytes, uint8_t{0});
  ports_[sm].local_is_written = false;
}

// What is written with this edge is read with the next.
void MemoryPins::sample() {
  const uint64_t clears = local_clear_.get();
  const uint64_t writes = local_write_enable_.get();
  host_constants_.sample();
  for (unsigned sm = 0; sm < ports_.size(); ++sm) {
    Ports& ports = ports_[sm];
    if ((clears >> sm & 1) != 0 && ports.local_is_written) clear_local(sm);
    if ((writes >> sm & 1) != 0) ports.local_is_written = true;
    ports.code.sample();
    ports.local_read.sample();
    if (ports.global_read) ports.global_read->sample();
  }
  for (Ports& ports : ports_) {
    ports.constants.sample();
    ports.local_write.sample();
    if (ports.global_write) ports.global_write->sample();
  }
}

void MemoryPins::drive() {
  host_constants_.drive();
  for (Ports& ports : ports_) {
    ports.code.drive();
    ports.local_read.drive();
    if (ports.global_read) ports.global_read->drive();
    ports.constants.drive();
  }
}

}  // namespace gvp::gpgpu::flexgrip
