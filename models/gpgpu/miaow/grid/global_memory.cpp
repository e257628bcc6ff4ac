// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/grid/global_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "models/base/error.h"

namespace gvp::gpgpu::miaow {

GridMemory::GridMemory(uint64_t bytes) : bytes_(bytes), data_(nullptr) {
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    throw model_error(
        fmt::format("no room for {} bytes of global memory: {}", bytes, std::strerror(errno)));
  data_ = static_cast<uint8_t*>(place);
}

GridMemory::~GridMemory() { munmap(data_, bytes_); }

FaultCause GridMemory::read(uint32_t address, void* data, unsigned bytes) {
  if (address < kTableAddress) return FaultCause::kGlobalOutOfRange;
  const bool argument = address >= kArgumentAddress;
  const std::vector<uint8_t>& from = argument ? arguments_ : tables_;
  const uint64_t offset = address - (argument ? kArgumentAddress : kTableAddress);
  if (offset + bytes > from.size()) return FaultCause::kGlobalOutOfRange;
  std::memcpy(data, from.data() + offset, bytes);
  return FaultCause::kNone;
}

FaultCause GridMemory::write(uint32_t, const void*, unsigned) {
  return FaultCause::kGlobalOutOfRange;
}

}  // namespace gvp::gpgpu::miaow
