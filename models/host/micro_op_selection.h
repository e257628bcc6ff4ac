// SPDX-License-Identifier: Apache-2.0
// Which handler of the interpreter executes an instruction that is not a branch.
#pragma once

#include <array>

#include "models/host/block.h"
#include "models/host/isa.h"

namespace gvp::host {

MicroOp select_micro_op(Operation operation, const Configuration& configuration);
// True where the only effect is the destination register.
bool is_pure(Operation operation);
constexpr bool is_store_operation(Operation operation) {
  return (operation >= Operation::kSb && operation <= Operation::kSwx) ||
         (operation >= Operation::kSbi && operation <= Operation::kSwi);
}

// Width, order and kind of a load or store.
struct MemoryShape {
  uint8_t bytes = 4;
  bool reversed = false;
  bool exclusive = false;
  bool store = false;
};
extern const std::array<MemoryShape, kOperations> kMemoryShapes;
inline const MemoryShape& memory_shape(Operation operation) {
  return kMemoryShapes[static_cast<size_t>(operation)];
}

}  // namespace gvp::host
