// SPDX-License-Identifier: Apache-2.0
// What is known about a block's machine code, and the ways out of it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/block.h"

namespace gvp::host {

struct TranslatedBlock;

// Why translated code came back; it returns the address of one of these.
struct WayOut {
  enum class Kind : uint8_t {
    kTaken,      // to owner->block->target, which is not linked; or the cycle limit
    kFall,       // to owner->block->next_pc, likewise
    kOperation,  // the interpreter is to go on at operation `operation` of the block
    kIndirect,   // to State::pc, which the jump cache does not hold; or the cycle limit
    kBlock,      // to a block that is not translated
    kLeave,      // a slow handler wants the run to be looked at
  };
  Kind kind = Kind::kLeave;
  uint16_t operation = 0;
  TranslatedBlock* owner = nullptr;
};

// The end of a block that leads to a known address.  Its jump leads to the way out until the
// successor is translated too, then straight there.
struct Link {
  uint32_t jump = 0;  // where in the arena the jump's 32-bit displacement stands; 0: no such jump
  uint32_t default_target = 0;  // in the arena: the code of the way out
  WayOut way_out;
};

struct TranslatedBlock {
  Block* block = nullptr;
  bool alive = true;   // false: the block was killed, nothing leads here any more
  uint32_t entry = 0;  // in the arena
  Link taken;
  Link fall;
  WayOut operation;
  std::vector<Link*> incoming;  // links that lead here
};

}  // namespace gvp::host
