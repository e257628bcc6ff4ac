// SPDX-License-Identifier: Apache-2.0
// Global memory for a grid: zeros from address 0 on, of which the machine takes only what is
// touched; the kernel's tables and the argument segment at addresses of their own, which kernels
// read and do not write.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/gpgpu/global_memory.h"

namespace gvp::gpgpu::miaow {

constexpr uint32_t kTableAddress = 0xff00'0000;
constexpr uint32_t kMostTableBytes = 0xff'0000;
constexpr uint32_t kArgumentAddress = 0xffff'0000;
constexpr uint32_t kMostArgumentBytes = 4096;
constexpr uint32_t kNullPageBytes = 4096;

class GridMemory : public GlobalPort {
 public:
  // Throws Error (model error) where the machine has no room.
  explicit GridMemory(uint64_t bytes);
  ~GridMemory() override;
  GridMemory(const GridMemory&) = delete;
  GridMemory& operator=(const GridMemory&) = delete;

  uint8_t* data() { return data_; }
  uint64_t bytes() const { return bytes_; }
  bool holds(uint64_t address, uint64_t bytes) const {
    return address <= bytes_ && bytes <= bytes_ - address;
  }
  void set_arguments(std::vector<uint8_t> arguments) { arguments_ = std::move(arguments); }
  void set_tables(std::vector<uint8_t> tables) { tables_ = std::move(tables); }
  // For a machine; null_page: its first 4 KiB are no memory.
  DirectRange range(bool null_page) const {
    return {data_, 0, bytes_, null_page ? kNullPageBytes : 0, {}};
  }

  // What lies beyond the range: tables and arguments.
  FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  FaultCause write(uint32_t address, const void* data, unsigned bytes) override;

 private:
  uint64_t bytes_;
  uint8_t* data_;
  std::vector<uint8_t> tables_;
  std::vector<uint8_t> arguments_;
};

}  // namespace gvp::gpgpu::miaow
