// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/storage.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "models/base/error.h"
#include "models/tlm/payload.h"

namespace gvp::kit {

Storage::Storage(uint64_t size) : data_(nullptr), size_(size) {
  if (size == 0) throw bad_input("a memory of 0 bytes", {}, "give it a size above 0");
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    throw bad_input(
        fmt::format("the host cannot reserve {} bytes of memory: {}", size, std::strerror(errno)),
        {}, "configure a smaller memory");
  data_ = static_cast<uint8_t*>(pages);
}

Storage::~Storage() { munmap(data_, size_); }

unsigned Storage::debug_access(tlm::tlm_generic_payload& payload, uint64_t base) {
  const uint64_t address = payload.get_address() - base;
  if (address >= size_) return 0;
  const uint64_t count = std::min<uint64_t>(payload.get_data_length(), size_ - address);
  if (payload.is_write())
    std::memcpy(data_ + address, payload.get_data_ptr(), count);
  else if (payload.is_read())
    std::memcpy(payload.get_data_ptr(), data_ + address, count);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return static_cast<unsigned>(count);
}

bool Storage::grant(tlm::tlm_dmi& dmi, Grant allowed, const sc_core::sc_time& read_latency,
                    const sc_core::sc_time& write_latency) {
  dmi.set_start_address(0);
  dmi.set_end_address(size_ - 1);
  dmi.set_dmi_ptr(data_);
  dmi.set_read_latency(read_latency);
  dmi.set_write_latency(write_latency);
  switch (allowed) {
    case Grant::kNone:
      dmi.allow_none();
      break;
    case Grant::kRead:
      dmi.allow_read();
      break;
    case Grant::kReadWrite:
      dmi.allow_read_write();
      break;
  }
  return allowed != Grant::kNone;
}

}  // namespace gvp::kit
