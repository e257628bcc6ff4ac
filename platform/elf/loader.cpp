// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/base/error.h"
#include "platform/elf/elf_file.h"

namespace gvp::platform {
namespace {

constexpr size_t kChunk = 65536;

[[noreturn]] void refuse(const ElfFile& file, const Segment& segment, uint64_t missing,
                         const LoaderMemory& memory) {
  throw bad_input(
      fmt::format(
          "segment {} ({:#010x} to {:#010x}) lies outside memory: there is none at {:#010x}",
          segment.index, segment.address, segment.address + segment.memory_bytes - 1, missing),
      {file.name}, memory.remedy);
}

void clear(const ElfFile& file, const Segment& segment, const LoaderMemory& memory) {
  static const std::array<uint8_t, kChunk> kZeros{};
  std::array<uint8_t, kChunk> present;
  uint64_t address = static_cast<uint64_t>(segment.address) + segment.file_bytes;
  const uint64_t end = static_cast<uint64_t>(segment.address) + segment.memory_bytes;
  while (address < end) {
    const size_t size = std::min<uint64_t>(kChunk, end - address);
    const auto at = static_cast<uint32_t>(address);
    size_t done = memory.read(at, present.data(), size);
    const bool zero =
        std::all_of(present.begin(), present.begin() + static_cast<std::ptrdiff_t>(done),
                    [](uint8_t byte) { return byte == 0; });
    if (!zero) done = memory.write(at, kZeros.data(), done);
    if (done < size) refuse(file, segment, address + done, memory);
    address += size;
  }
}

}  // namespace

void load(const ElfFile& file, const LoaderMemory& memory) {
  for (const Segment& segment : file.segments) {
    const size_t done = segment.file_bytes == 0
                            ? 0
                            : memory.write(segment.address, file.image.data() + segment.file_offset,
                                           segment.file_bytes);
    if (done < segment.file_bytes) refuse(file, segment, uint64_t{segment.address} + done, memory);
    clear(file, segment, memory);
  }
}

}  // namespace gvp::platform
