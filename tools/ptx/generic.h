// SPDX-License-Identifier: Apache-2.0
// Accesses through generic addresses, for machines that have none: each gets the space it must be
// in, where that is known.  Where it is not, addresses say it themselves: shared, local and
// constant memory, whose addresses have 16 bits, appear in windows at the end of the address space,
// and an access becomes one for each space it may be in, guarded by the window of its address.
// Addresses that were loaded from memory or computed are those of global memory, unless the
// kernel makes generic addresses of others, which it might have stored.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/ptx/module.h"

namespace gvp::ptx {

// The upper half of generic addresses; what is below is global memory.  The last 64 KiB are left
// free, so that an address a little beyond a window does not wrap around.
inline constexpr uint32_t kConstantWindow = 0xfffc;
inline constexpr uint32_t kLocalWindow = 0xfffd;
inline constexpr uint32_t kSharedWindow = 0xfffe;

// A kernel and the functions that it calls, each behind those that it calls itself; after other
// calls are inlined and 64-bit registers are gone.
void resolve_generic(const Module& module, std::vector<Function>& functions);

}  // namespace gvp::ptx
