// SPDX-License-Identifier: Apache-2.0
// What a streaming multiprocessor has for the warps it runs: FlexGrip thesis, table 5.  And what a
// launch has.
#pragma once

#include <cstdint>

namespace gvp::kcc::g80 {

inline constexpr uint32_t kSmWarps = 24;
inline constexpr uint32_t kSmThreads = 768;
inline constexpr uint32_t kSmBlocks = 8;
inline constexpr uint32_t kSmRegisters = 8192;
inline constexpr uint32_t kSmSharedBytes = 16384;
inline constexpr uint32_t kThreadsPerBlock = 256;
// Of a warp's stack: of our devices the smallest (platform/configs/flexgripplus.toml).
inline constexpr uint32_t kStackEntries = 31;
// Of the thesis's (4.1.1) and most of ours.
inline constexpr uint32_t kUsualStackEntries = 32;
// Parameters, a word each, for which devices have registers.  CUDA had 64 for this machine.
inline constexpr uint32_t kParameterWords = 32;

}  // namespace gvp::kcc::g80
