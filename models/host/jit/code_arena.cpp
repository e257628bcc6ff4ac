// SPDX-License-Identifier: Apache-2.0
#include "models/host/jit/code_arena.h"

#include <asmjit/core.h>
#include <fmt/format.h>

#include <cstring>

#include "models/base/error.h"

namespace gvp::host {
namespace {

constexpr uint32_t kAlignment = 16;  // of each piece of code

}  // namespace

CodeArena::CodeArena(size_t bytes) : bytes_(bytes) {
  asmjit::VirtMem::DualMapping mapping{};
  const asmjit::Error error =
      asmjit::VirtMem::allocDualMapping(&mapping, bytes, asmjit::VirtMem::MemoryFlags::kAccessRWX);
  if (error != asmjit::kErrorOk)
    throw model_error(fmt::format("the system gives no memory for translated code: {}",
                                  asmjit::DebugUtils::errorAsString(error)),
                      "host", "set host.engine = \"interpreter\"");
  executable_ = static_cast<uint8_t*>(mapping.rx);
  writable_ = static_cast<uint8_t*>(mapping.rw);
}

CodeArena::~CodeArena() {
  asmjit::VirtMem::DualMapping mapping{executable_, writable_};
  asmjit::VirtMem::releaseDualMapping(&mapping, bytes_);
}

bool CodeArena::append(const uint8_t* bytes, size_t size) {
  if (size > bytes_ - used_) return false;
  std::memcpy(writable_ + used_, bytes, size);
  const size_t end = (used_ + size + kAlignment - 1) / kAlignment * kAlignment;
  used_ = static_cast<uint32_t>(end < bytes_ ? end : bytes_);
  return true;
}

void CodeArena::set_jump(uint32_t position, uint32_t target) {
  const uint32_t displacement = target - (position + 4);
  std::memcpy(writable_ + position, &displacement, sizeof displacement);
}

}  // namespace gvp::host
