// SPDX-License-Identifier: Apache-2.0
// A second opinion on what each arithmetic operation does, for one lane or one scalar, written from
// the pseudo-code of CLRX's documentation and of AMD's later manuals as plainly as possible, by
// mnemonic; it shares no code with the model.
#pragma once

#include <cstdint>
#include <string>

namespace gvp::test {

struct ReferenceInput {
  uint64_t a = 0, b = 0, c = 0;  // sources, modifiers applied
  uint64_t old = 0;              // destination before; SOPK: a is the constant
  bool flag = false;             // SCC, or the lane's bit of the mask that is read
  unsigned lane = 0;
};
struct ReferenceOutput {
  bool known = false;
  uint64_t value = 0;
  int flag = -1;  // carry, SCC or the comparison; -1: not written
};

ReferenceOutput reference(const std::string& mnemonic, const ReferenceInput& in);

}  // namespace gvp::test
