// SPDX-License-Identifier: Apache-2.0
// Accesses through direct memory pointers, as the fast paths of the interpreter and of translated
// code count them: a counter for each size and direction in a register of four lanes, one lane for
// each memory.  An access adds its page's vector (PageTable::Page::lanes), which has a one in its
// memory's lane: one instruction, without a branch, and nothing is written.  (A counter in the page
// costs a tenth and more: consecutive accesses to a page wait for each other's increment.)
//
// Which memory has which lane is MemoryPath's.  Lanes have 32 bits: they are to be taken every 2^32
// accesses at the latest.
#pragma once

#include <cstdint>

namespace gvp::host {

inline constexpr unsigned kLanes = 4;
using Lanes = uint32_t __attribute__((vector_size(kLanes * sizeof(uint32_t))));

// The registers, by bytes of an access.
struct DirectLanes {
  Lanes read1{};
  Lanes read2{};
  Lanes read4{};
  Lanes write1{};
  Lanes write2{};
  Lanes write4{};

  DirectLanes& operator+=(const DirectLanes& more) {
    read1 += more.read1;
    read2 += more.read2;
    read4 += more.read4;
    write1 += more.write1;
    write2 += more.write2;
    write4 += more.write4;
    return *this;
  }
  template <typename T>
  Lanes& reads() {
    if constexpr (sizeof(T) == 1) return read1;
    if constexpr (sizeof(T) == 2) return read2;
    if constexpr (sizeof(T) == 4) return read4;
  }
  template <typename T>
  Lanes& writes() {
    if constexpr (sizeof(T) == 1) return write1;
    if constexpr (sizeof(T) == 2) return write2;
    if constexpr (sizeof(T) == 4) return write4;
  }
};

}  // namespace gvp::host
