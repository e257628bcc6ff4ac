// SPDX-License-Identifier: Apache-2.0
// The level below, for tests: an array that answers after a fixed time and remembers what it was
// asked for.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/gpgpu/hierarchy/memory_level.h"

namespace gvp::gpgpu::hierarchy {

class PlainMemory : public MemoryLevel {
 public:
  explicit PlainMemory(uint32_t size, uint64_t latency = 20) : bytes(size), latency_(latency) {}

  FaultCause read(uint32_t address, uint8_t* data, uint32_t size, uint64_t& cycle) override {
    asked.push_back("r" + std::to_string(address) + "+" + std::to_string(size) + "@" +
                    std::to_string(cycle));
    answered_ = cycle += latency_;
    if (uint64_t{address} + size > bytes.size()) return FaultCause::kBusError;
    std::memcpy(data, &bytes[address], size);
    ++reads;
    bytes_read += size;
    return FaultCause::kNone;
  }
  void answer_taken(uint64_t cycle) override { taken.push_back(cycle); }
  uint64_t accepted() const override { return takes_when_it_answers ? answered_ : accepted_at; }
  FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t size,
                           const LineBytes* strobes, uint64_t& cycle) override {
    asked.push_back("w" + std::to_string(address) + "+" + std::to_string(size) + "@" +
                    std::to_string(cycle));
    if (strobes != nullptr) {
      asked.back() += " ";
      for (uint32_t i = 0; i < size; ++i) asked.back() += (*strobes)[i] ? "1" : "0";
    }
    answered_ = cycle += latency_;
    if (uint64_t{address} + size > bytes.size() || read_only) return FaultCause::kBusError;
    for (uint32_t i = 0; i < size; ++i)
      if (strobes == nullptr || (*strobes)[i]) bytes[address + i] = data[i];
    ++writes;
    bytes_written += changed_bytes(size, strobes);
    return FaultCause::kNone;
  }
  std::vector<std::string> take_asked() { return std::exchange(asked, {}); }

  std::vector<uint8_t> bytes;
  std::vector<std::string> asked;
  std::vector<uint64_t> taken;  // when answers were
  uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
  bool read_only = false;
  uint64_t accepted_at = 0;
  bool takes_when_it_answers = false;

 private:
  const uint64_t latency_;
  uint64_t answered_ = 0;
};

}  // namespace gvp::gpgpu::hierarchy
