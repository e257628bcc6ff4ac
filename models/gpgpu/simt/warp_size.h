// SPDX-License-Identifier: Apache-2.0
// The usual width of a warp, for those who need no more of it.
#pragma once

namespace gvp::gpgpu::simt {

constexpr unsigned kWarpSize = 32;

}  // namespace gvp::gpgpu::simt
