// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/memory_pins.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr unsigned kWordBits = 32, kWordBytes = 4;

MemoryPort32 read_port(rtl::Block& block, const std::string& memory, kit::Storage& storage) {
  return {storage,
          block.output_pin(memory + "_read", 1),
          block.output_pin(memory + "_read_address", kWordBits),
          block.input_pin(memory + "_read_data", kWordBits),
          {},
          {}};
}

MemoryPort32 write_port(rtl::Block& block, const std::string& memory, kit::Storage& storage) {
  return {storage,
          block.output_pin(memory + "_write", 1),
          block.output_pin(memory + "_write_address", kWordBits),
          {},
          block.output_pin(memory + "_write_strobes", kWordBytes),
          block.output_pin(memory + "_write_data", kWordBits)};
}

}  // namespace

MemoryPort32::MemoryPort32(kit::Storage& storage, rtl::Pin enable, rtl::Pin address,
                           rtl::Pin read_data, rtl::Pin strobes, rtl::Pin write_data)
    : storage_(storage),
      enable_(std::move(enable)),
      address_(std::move(address)),
      read_data_(std::move(read_data)),
      strobes_(std::move(strobes)),
      write_data_(std::move(write_data)) {}

void MemoryPort32::sample() {
  reads_ = false;
  if (!enable_.high()) return;
  // A RAM has no address that it does not know: what lies above its end comes round.
  uint8_t* word = storage_.data() + address_.get() % storage_.size() / kWordBytes * kWordBytes;
  const uint64_t strobes = strobes_.get();
  const uint64_t data = write_data_.get();
  for (unsigned lane = 0; lane < kWordBytes; ++lane)
    if ((strobes >> lane & 1) != 0) word[lane] = static_cast<uint8_t>(data >> (8 * lane));
  reads_ = strobes == 0;
  if (reads_) std::memcpy(&read_, word, kWordBytes);
}

void MemoryPort32::drive() {
  if (reads_) read_data_.set(read_);
}

MemoryPins::MemoryPins(rtl::Block& block, kit::Storage& code, kit::Storage& constants,
                       kit::Storage& local, kit::Storage& global)
    : busy_(block.output_pin("busy", 1)),
      local_clear_(block.output_pin("local_clear", 1)),
      local_write_enable_(block.output_pin("local_write", 1)),
      local_(local),
      code_(code, block.output_pin("code_enable", 1), block.output_pin("code_address", kWordBits),
            block.input_pin("code_data", kWordBits), {}, {}),
      constants_(constants, block.output_pin("constant_enable", 1),
                 block.output_pin("constant_address", kWordBits),
                 block.input_pin("constant_read_data", kWordBits),
                 block.output_pin("constant_strobes", kWordBytes),
                 block.output_pin("constant_write_data", kWordBits)),
      host_constants_(constants, block.output_pin("constant_host_read", 1),
                      block.output_pin("constant_host_address", kWordBits),
                      block.input_pin("constant_host_data", kWordBits), {}, {}),
      local_read_(read_port(block, "local", local)),
      local_write_(write_port(block, "local", local)),
      global_read_(read_port(block, "global", global)),
      global_write_(write_port(block, "global", global)) {
  block.watch(busy_, *this);
  block.add(*this);
}

void MemoryPins::clear_local() {
  std::fill_n(local_.data(), local_.size(), uint8_t{0});
  local_is_written_ = false;
}

// What is written with this edge is read with the next.
void MemoryPins::sample() {
  if (local_clear_.high() && local_is_written_) clear_local();
  if (local_write_enable_.high()) local_is_written_ = true;
  code_.sample();
  host_constants_.sample();
  local_read_.sample();
  global_read_.sample();
  constants_.sample();
  local_write_.sample();
  global_write_.sample();
}

void MemoryPins::drive() {
  code_.drive();
  host_constants_.drive();
  local_read_.drive();
  global_read_.drive();
  constants_.drive();
}

}  // namespace gvp::gpgpu::flexgrip
