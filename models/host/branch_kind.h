// SPDX-License-Identifier: Apache-2.0
// Kinds of branches (UG984 chapter 5).
#pragma once

#include "models/host/isa.h"

namespace gvp::host {

inline bool is_conditional(Operation operation) {
  return operation >= Operation::kBeq && operation <= Operation::kBgeid;
}
inline bool is_return(Operation operation) {
  return operation >= Operation::kRtsd && operation <= Operation::kRted;
}
// Unconditional, to an address in a register.
inline bool is_register_branch(Operation operation) {
  return operation >= Operation::kBr && operation <= Operation::kBrald;
}
// Writes its own address to rd.
inline bool is_link(Operation operation) {
  return operation == Operation::kBrld || operation == Operation::kBrald ||
         operation == Operation::kBrlid || operation == Operation::kBralid;
}
inline bool is_absolute(Operation operation) {
  return operation == Operation::kBra || operation == Operation::kBrad ||
         operation == Operation::kBrald || operation == Operation::kBrai ||
         operation == Operation::kBraid || operation == Operation::kBralid;
}
// Of beq..., the six conditions eq, ne, lt, le, gt, ge in order; -1 for the others.
inline int condition(Operation operation) {
  if (!is_conditional(operation)) return -1;
  return (static_cast<int>(operation) - static_cast<int>(Operation::kBeq)) % 6;
}
// Conditional, to an address in a register.
inline bool is_register_condition(Operation operation) {
  return operation >= Operation::kBeq && operation <= Operation::kBged;
}
// The target stands in the instruction.
inline bool is_direct(Operation operation) {
  return !is_register_branch(operation) && !is_return(operation) &&
         !is_register_condition(operation);
}

}  // namespace gvp::host
