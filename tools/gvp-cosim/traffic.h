// SPDX-License-Identifier: Apache-2.0
// Random accesses to the windows of a FlexGrip: registers and memories, words, parts of them and
// bursts, with and without strobes, where something is and where nothing is.
// Left out: what would begin another kernel or end the one that runs, and writes to what kernels
// use while they run.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gvp::cosim {

struct Access {
  enum class When : uint8_t { kBefore, kDuring, kAfter } when = When::kBefore;
  std::string window;
  uint64_t offset = 0;
  bool write = false;
  std::vector<uint8_t> data;     // of a read, as long as it is
  std::vector<uint8_t> strobes;  // as TLM-2.0's byte enables; none: all bytes
  uint32_t cycles = 0;           // before it, since the access before it, or the kernel's start
};

std::vector<Access> random_accesses(std::mt19937& random);

}  // namespace gvp::cosim
