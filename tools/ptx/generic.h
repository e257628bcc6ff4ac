// SPDX-License-Identifier: Apache-2.0
// Accesses through generic addresses, for machines that have none: each gets the space it must be
// in, where that is known.  Where it is not, addresses say it themselves: shared, local and
// constant memory, whose addresses have 16 bits, appear in windows at the end of the address space,
// and an access becomes one for each space it may be in, guarded by the window of its address.
// Addresses that were loaded from memory or computed are those of global memory, unless the
// function makes generic addresses of others, which it might have stored.
#pragma once

#include <cstdint>

#include "tools/ptx/module.h"

namespace gvp::ptx {

// The upper half of generic addresses; what is below is global memory.  The last 64 KiB are left
// free, so that an address a little beyond a window does not wrap around.
inline constexpr uint32_t kConstantWindow = 0xfffc;
inline constexpr uint32_t kLocalWindow = 0xfffd;
inline constexpr uint32_t kSharedWindow = 0xfffe;

// After calls are inlined and 64-bit registers are gone.
void resolve_generic(const Module& module, Function& function);

}  // namespace gvp::ptx
