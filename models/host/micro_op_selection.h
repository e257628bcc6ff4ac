// SPDX-License-Identifier: Apache-2.0
// Which handler of the interpreter executes an instruction that is not a branch.
#pragma once

#include "models/host/block.h"

namespace gvp::host {

MicroOp select_micro_op(Operation operation, const Configuration& configuration);
// True where the only effect is the destination register.
bool is_pure(Operation operation);
bool is_store_operation(Operation operation);

// Width, order and kind of a load or store.
struct MemoryShape {
  uint8_t bytes = 4;
  bool reversed = false;
  bool exclusive = false;
  bool store = false;
};
MemoryShape memory_shape(Operation operation);

}  // namespace gvp::host
