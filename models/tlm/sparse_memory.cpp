// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/sparse_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>

#include "models/base/error.h"

namespace gvp::kit {

SparseMemory::SparseMemory(uint64_t size) : data_(nullptr), size_(size) {
  if (size == 0) throw bad_input("a memory of 0 bytes", {}, "give it a size above 0");
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    throw bad_input(
        fmt::format("the host cannot reserve {} bytes of memory: {}", size, std::strerror(errno)),
        {}, "configure a smaller memory");
  data_ = static_cast<uint8_t*>(pages);
}

SparseMemory::~SparseMemory() { munmap(data_, size_); }

void SparseMemory::clear() {
  if (madvise(data_, size_, MADV_DONTNEED) != 0) std::memset(data_, 0, size_);
}

}  // namespace gvp::kit
