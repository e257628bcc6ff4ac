// SPDX-License-Identifier: Apache-2.0
// Executes a vector operation on a whole wavefront: sources as rows of 64 words, one loop over the
// lanes around the operation's Function, the result into the lanes that EXEC names.
//
// A Function takes its sources in order, as float (denormals are flushed), double, uint32_t,
// int32_t, uint64_t or int64_t; then, as the traits say, the old destination, the lane's bit of a
// mask, or the lane.  It returns one of these types, bool (comparisons) or Carrying one.  Internal
// to the Southern Islands library.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "models/gpgpu/southern_islands/double_value.h"
#include "models/gpgpu/southern_islands/execution.h"
#include "models/gpgpu/southern_islands/float_value.h"

namespace gvp::gpgpu::southern_islands {

template <typename Value>
struct Carrying {
  using Type = Value;
  Value value;
  bool carry;
};
using WithCarry = Carrying<uint32_t>;
using DoubleWithCarry = Carrying<uint64_t>;

// A source as rows: a vector register's own, or a scalar value in all lanes.
struct SourceRows {
  const Lanes* low = nullptr;
  const Lanes* high = nullptr;
  Lanes storage[2];
};

// What a scalar operand holds.
uint32_t scalar_word(const Wavefront& wavefront, const Instruction& instruction, Code number);
uint64_t scalar_double_word(const Wavefront& wavefront, const Instruction& instruction, Code number,
                            Type type);
// Source i, with its modifiers.
void load_source(SourceRows& rows, const Wavefront& wavefront, const Instruction& instruction,
                 unsigned i, Type type);
void fill(Lanes& row, uint32_t value);
// Output modifier and clamp of float results.
void modify_output(Lanes& row, const Instruction& instruction);
// Of doubles the clamp alone: where results may be denormal, the output modifier does nothing
// (AMD's manuals of later generations on OMOD).
void modify_double_output(Lanes& low, Lanes& high, const Instruction& instruction);
// d = s in the lanes of the mask.
void store_row(Lanes& destination, const Lanes& source, Mask mask);

template <typename Value>
inline Value lane_value(const SourceRows& rows, unsigned lane) {
  const uint32_t low = rows.low->lane[lane];
  if constexpr (std::is_same_v<Value, float>) {
    return operand(low);
  } else if constexpr (std::is_same_v<Value, double>) {
    return as_double(low | uint64_t{rows.high->lane[lane]} << 32);
  } else if constexpr (sizeof(Value) == 8) {
    return static_cast<Value>(low | uint64_t{rows.high->lane[lane]} << 32);
  } else {
    return static_cast<Value>(low);
  }
}

template <Operation kOperation>
struct VectorInputs {
  static constexpr const OperationInfo& kRow = kOperations[static_cast<std::size_t>(kOperation)];
  using Parameters = typename SignatureOf<kOperation>::Parameters;
  using Result = typename SignatureOf<kOperation>::Result;

  SourceRows source[3];
  const Lanes* old = nullptr;
  Mask mask = 0;

  static constexpr unsigned kConstants =
      kRow.is(Trait::kConstantSecond | Trait::kConstantThird) ? 1 : 0;
  static constexpr unsigned kSources = (kRow.source[0] != Type::kNone ? 1 : 0) +
                                       (kRow.source[1] != Type::kNone ? 1 : 0) +
                                       (kRow.source[2] != Type::kNone ? 1 : 0) + kConstants;

  VectorInputs(const Wavefront& wavefront, const Instruction& instruction) {
    unsigned at = 0;
    for (unsigned i = 0; i < 3; ++i) {
      if (i == 1 && kRow.is(Trait::kConstantSecond)) load_constant(at++, instruction);
      if (kRow.source[i] != Type::kNone)
        load_source(source[at++], wavefront, instruction, i, kRow.source[i]);
    }
    if (kRow.is(Trait::kConstantThird)) load_constant(at++, instruction);
    if (kRow.is(Trait::kReadsDestination))
      old = &wavefront.vector[instruction.destination - code::kVector0];
    if (kRow.is(Trait::kReadsMask))
      mask = wavefront.pair(instruction.vop3 ? instruction.source[2] : code::kVccLo);
    if (kRow.is(Trait::kReadsVcc)) mask = wavefront.vcc();
  }

  template <unsigned kIndex>
  auto argument(unsigned lane) const {
    using Value = std::tuple_element_t<kIndex, Parameters>;
    if constexpr (kIndex < kSources) {
      return lane_value<Value>(source[kIndex], lane);
    } else if constexpr (kRow.is(Trait::kReadsDestination)) {
      return operand(old->lane[lane]);
    } else if constexpr (kRow.is(Trait::kKnowsLane)) {
      return lane;
    } else {
      return (mask >> lane & 1u) != 0;
    }
  }
  template <std::size_t... kIndices>
  Result call(unsigned lane, std::index_sequence<kIndices...>) const {
    return Function<kOperation>::of(argument<kIndices>(lane)...);
  }
  Result operator()(unsigned lane) const {
    return call(lane, std::make_index_sequence<std::tuple_size_v<Parameters>>());
  }

  // The result's bits; of a float that is a NaN, which one.
  uint32_t settled(float result, unsigned lane) const {
    const uint32_t bits = as_bits(result);
    uint32_t nan = kInvalid;
    if constexpr (kRow.is(Trait::kReadsDestination))
      if (is_nan(old->lane[lane])) nan = quieted(old->lane[lane]);
    for (unsigned i = kSources; i-- > 0;)
      if (is_nan(source[i].low->lane[lane]) && kRow.source[i < 2 ? i : 1] == Type::kF32)
        nan = quieted(source[i].low->lane[lane]);
    return is_nan(bits) ? nan : flushed(bits);
  }
  uint64_t settled(double result, unsigned lane) const {
    if (result == result) return as_bits(result);
    for (unsigned i = 0; i < kSources; ++i) {
      if (kRow.source[i] != Type::kF64) continue;
      const auto bits = lane_value<uint64_t>(source[i], lane);
      if (is_nan(bits)) return quieted(bits);
    }
    return kInvalidDouble;
  }

 private:
  void load_constant(unsigned at, const Instruction& instruction) {
    fill(source[at].storage[0], instruction.literal);
    source[at].low = &source[at].storage[0];
  }
};

template <Operation kOperation>
struct VectorOperation {
  using Inputs = VectorInputs<kOperation>;
  using Result = typename Inputs::Result;

  static void execute(Machine&, Wavefront& wavefront, const Op& op) {
    const Instruction& instruction = op.instruction;
    const Inputs inputs(wavefront, instruction);
    const Mask mask = wavefront.exec();
    Lanes* const destination = &wavefront.vector[instruction.destination - code::kVector0];
    if constexpr (Inputs::kRow.is(Trait::kCarryOut)) {
      constexpr bool kWide = sizeof(typename Result::Type) == 8;
      Lanes carries;
      Lanes low;
      Lanes high;
      GVP_EACH_LANE
      for (unsigned lane = 0; lane < kWavefrontLanes; ++lane) {
        const Result value = inputs(lane);
        low.lane[lane] = static_cast<uint32_t>(value.value);
        if constexpr (kWide) high.lane[lane] = static_cast<uint32_t>(value.value >> 32);
        carries.lane[lane] = value.carry ? 1 : 0;
      }
      store_row(destination[0], low, mask);
      if constexpr (kWide) store_row(destination[1], high, mask);
      const bool vop3 = instruction.vop3 || Inputs::kRow.format == Format::kVop3;
      wavefront.set_pair(vop3 ? instruction.scalar_destination : code::kVccLo,
                         simt::nonzero_lanes(carries) & mask);
    } else if constexpr (sizeof(Result) == 8) {
      Lanes low;
      Lanes high;
      GVP_EACH_LANE
      for (unsigned lane = 0; lane < kWavefrontLanes; ++lane) {
        uint64_t value;
        if constexpr (std::is_same_v<Result, double>)
          value = inputs.settled(inputs(lane), lane);
        else
          value = static_cast<uint64_t>(inputs(lane));
        low.lane[lane] = static_cast<uint32_t>(value);
        high.lane[lane] = static_cast<uint32_t>(value >> 32);
      }
      if (is_float(Inputs::kRow.destination)) modify_double_output(low, high, instruction);
      store_row(destination[0], low, mask);
      store_row(destination[1], high, mask);
    } else {
      Lanes result;
      GVP_EACH_LANE
      for (unsigned lane = 0; lane < kWavefrontLanes; ++lane) {
        if constexpr (std::is_same_v<Result, float>)
          result.lane[lane] = inputs.settled(inputs(lane), lane);
        else
          result.lane[lane] = static_cast<uint32_t>(inputs(lane));
      }
      if (is_float(Inputs::kRow.destination)) modify_output(result, instruction);
      store_row(*destination, result, mask);
    }
  }
};

template <Operation kOperation>
struct CompareOperation {
  static void execute(Machine&, Wavefront& wavefront, const Op& op) {
    const VectorInputs<kOperation> inputs(wavefront, op.instruction);
    const Mask holds =
        simt::lanes_where<kWavefrontLanes>([&](unsigned lane) { return inputs(lane); }) &
        wavefront.exec();
    wavefront.set_pair(op.instruction.vop3 ? op.instruction.destination : code::kVccLo, holds);
    if constexpr (VectorInputs<kOperation>::kRow.is(Trait::kWritesExec))
      wavefront.set_pair(code::kExecLo, holds);
  }
};

}  // namespace gvp::gpgpu::southern_islands
