// SPDX-License-Identifier: Apache-2.0
// Which function executes an operation.  Each group of operations has a file of its own; a row of
// operations.def whose function is not written there stops the build (Function<> is not defined).
// Internal to the Southern Islands library.
#pragma once

#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/program.h"

namespace gvp::gpgpu::southern_islands {

enum class Group : uint8_t { kControl, kScalar, kInteger, kFloat, kDouble, kCompare, kMemory };

constexpr Group group_of(const OperationInfo& row) {
  if (row.unit == Unit::kMemory) return Group::kMemory;
  if (row.format == Format::kVopc) return Group::kCompare;
  // What touches the flow of control, or registers and lanes by number.
  if (row.format == Format::kSopp || row.operation == Operation::kSGetpcB64 ||
      row.is(Trait::kBranches | Trait::kIndexes | Trait::kIgnoresExec | Trait::kWritesExec) ||
      row.operation == Operation::kVNop)
    return Group::kControl;
  if (!row.is_vector()) return Group::kScalar;
  if (row.destination == Type::kF64 || row.source[0] == Type::kF64) return Group::kDouble;
  return row.unit == Unit::kFloat ? Group::kFloat : Group::kInteger;
}

// Written once for each operation; what it returns and takes says how it is called.
template <Operation kOperation>
struct Function;

Execute control_function(Operation operation);
Execute scalar_function(Operation operation);
Execute integer_function(Operation operation);
Execute float_function(Operation operation);
Execute double_function(Operation operation);
Execute compare_function(Operation operation);
Execute memory_function(Operation operation);

inline Execute execute_of(Operation operation) {
  switch (group_of(info(operation))) {
    case Group::kControl:
      return control_function(operation);
    case Group::kScalar:
      return scalar_function(operation);
    case Group::kInteger:
      return integer_function(operation);
    case Group::kFloat:
      return float_function(operation);
    case Group::kDouble:
      return double_function(operation);
    case Group::kCompare:
      return compare_function(operation);
    case Group::kMemory:
      return memory_function(operation);
  }
  return nullptr;
}

// The functions of one group, by operation: kMake<operation> for those that belong to it.
template <Group kGroup, template <Operation> class Make>
struct FunctionsOf {
  std::array<Execute, kOperationCount> function{};

  constexpr FunctionsOf() {
#define OPERATION(name, ...) add<Operation::k##name>();
#include "models/gpgpu/southern_islands/operations.def"
#undef OPERATION
  }
  template <Operation kOperation>
  constexpr void add() {
    if constexpr (group_of(info(kOperation)) == kGroup)
      function[static_cast<std::size_t>(kOperation)] = &Make<kOperation>::execute;
  }
  Execute operator[](Operation operation) const {
    return function[static_cast<std::size_t>(operation)];
  }
};

// What a function takes and returns.
template <typename>
struct Signature;
template <typename R, typename... P>
struct Signature<R (*)(P...)> {
  using Result = R;
  static constexpr unsigned kCount = sizeof...(P);
  using Parameters = std::tuple<P...>;
};
template <Operation kOperation>
using SignatureOf = Signature<decltype(&Function<kOperation>::of)>;

}  // namespace gvp::gpgpu::southern_islands

// FUNCTION(VAndB32, uint32_t a, uint32_t b) { return a & b; }
#define FUNCTION(name, ...)             \
  template <>                           \
  struct Function<Operation::k##name> { \
    static inline auto of(__VA_ARGS__); \
  };                                    \
  inline auto Function<Operation::k##name>::of(__VA_ARGS__)
