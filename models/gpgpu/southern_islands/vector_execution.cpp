// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/vector_execution.h"

#include "models/gpgpu/southern_islands/half.h"

namespace gvp::gpgpu::southern_islands {

uint32_t scalar_word(const Wavefront& wavefront, const Instruction& instruction, Code number) {
  if (number < code::kScalars) return wavefront.scalar[number];
  if (is_constant(number)) return constant_word(number);
  switch (number) {
    case code::kVccz:
      return wavefront.vcc() == 0 ? 1 : 0;
    case code::kExecz:
      return wavefront.exec() == 0 ? 1 : 0;
    case code::kScc:
      return wavefront.scc ? 1 : 0;
    default:
      return instruction.literal;
  }
}

uint64_t scalar_double_word(const Wavefront& wavefront, const Instruction& instruction, Code number,
                            Type type) {
  if (number < code::kScalars) return wavefront.pair(number);
  if (is_constant(number)) return constant_double_word(number);
  // A literal has 32 bits, of a double the high ones: signed ones are extended by their sign.
  if (type == Type::kI64)
    return static_cast<uint64_t>(int64_t{static_cast<int32_t>(instruction.literal)});
  if (type == Type::kF64) return uint64_t{instruction.literal} << 32;
  return instruction.literal;
}

void fill(Lanes& row, uint32_t value) {
  for (uint32_t& word : row.lane) word = value;
}

void load_source(SourceRows& rows, const Wavefront& wavefront, const Instruction& instruction,
                 unsigned i, Type type) {
  const Code number = instruction.source[i];
  const bool wide = words_of(type) == 2;
  if (is_vector(number)) {
    rows.low = &wavefront.vector[number - code::kVector0];
    if (wide) rows.high = rows.low + 1;
  } else if (wide) {
    const uint64_t value = scalar_double_word(wavefront, instruction, number, type);
    fill(rows.storage[0], static_cast<uint32_t>(value));
    fill(rows.storage[1], static_cast<uint32_t>(value >> 32));
    rows.low = &rows.storage[0];
    rows.high = &rows.storage[1];
  } else {
    uint32_t value = scalar_word(wavefront, instruction, number);
    // Constants are 32-bit floats where an operand of 16 bits is read (before GCN 1.2).
    if (type == Type::kF16 && number >= code::kHalf && number <= code::kMinusFour)
      value = half_from_float(value, HalfRounding::kNearestEven);
    fill(rows.storage[0], value);
    rows.low = &rows.storage[0];
  }
  if (!is_float(type) || ((instruction.negate | instruction.absolute) >> i & 1u) == 0) return;
  const uint32_t sign = type == Type::kF16 ? 0x8000u : kSignBit;
  const uint32_t keep = (instruction.absolute >> i & 1u) != 0 ? ~sign : ~0u;
  const uint32_t flip = (instruction.negate >> i & 1u) != 0 ? sign : 0u;
  const Lanes*& signs = type == Type::kF64 ? rows.high : rows.low;
  Lanes& changed = rows.storage[type == Type::kF64 ? 1 : 0];
  for (unsigned lane = 0; lane < kWavefrontLanes; ++lane)
    changed.lane[lane] = (signs->lane[lane] & keep) ^ flip;
  signs = &changed;
}

void modify_output(Lanes& row, const Instruction& instruction) {
  constexpr float kFactors[] = {1.0f, 2.0f, 4.0f, 0.5f};
  if (instruction.output != OutputModifier::kNone) {
    const float factor = kFactors[static_cast<unsigned>(instruction.output)];
    for (uint32_t& word : row.lane) {
      // "-0 is flushed to +0" (AMD's manuals of later generations on OMOD).
      const uint32_t product = flushed(as_bits(operand(word) * factor));
      word = is_nan(word) ? word : product == kSignBit ? 0 : product;
    }
  }
  if (!instruction.clamp) return;
  for (uint32_t& word : row.lane) {
    const float value = as_float(word);
    // DX10_CLAMP: a NaN becomes 0.
    word = !(value > 0.0f) ? 0 : value > 1.0f ? as_bits(1.0f) : word;
  }
}

void modify_double_output(Lanes& low, Lanes& high, const Instruction& instruction) {
  if (!instruction.clamp) return;
  for (unsigned lane = 0; lane < kWavefrontLanes; ++lane) {
    const double value = as_double(low.lane[lane] | uint64_t{high.lane[lane]} << 32);
    if (value > 0.0 && value <= 1.0) continue;
    low.lane[lane] = 0;
    high.lane[lane] = value > 1.0 ? static_cast<uint32_t>(as_bits(1.0) >> 32) : 0;
  }
}

void store_row(Lanes& destination, const Lanes& source, Mask mask) {
  simt::for_lanes<kWavefrontLanes>(destination, mask,
                                   [&](unsigned lane) { return source.lane[lane]; });
}

}  // namespace gvp::gpgpu::southern_islands
