// SPDX-License-Identifier: Apache-2.0
#include "tests/models/gpgpu/southern_islands/reference_state.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "models/gpgpu/southern_islands/names.h"
#include "tests/models/gpgpu/southern_islands/reference.h"

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr uint32_t kSpecial[] = {
    0, 1, 2, 31, 32, 0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000, 0x7f800000,
    0xff800000, 0x7fc00001, 0xffc00002, 0x7f800003, 0xff800004, 0x00800000, 0x007fffff, 0x807fffff,
    0x7f7fffff, 0x4f000000, 0x4f800000, 0xcf000000, 0x3f000000, 0x47800000, 0x477ff000, 0x33000000,
    0x38800000, 0x387fc000, 0x00800001, 0x437f8000, 0x43800000,
    // high halves of doubles
    0x7ff00000, 0xfff00000, 0x7ff00001, 0x7ff80000, 0x000fffff, 0x80080000, 0x00100000, 0x7fefffff,
    0x3ff00000, 0xbfe00000, 0x41dfffff, 0x41e00000, 0xc1e00000, 0x41f00000, 0x47efffff, 0x380fffff,
    0x43500000, 0x7fd00000, 0x00400000, 0x43600000};

// Output modifier, then clamp.
uint32_t modified(const Instruction& instruction, uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  const auto pattern = [](float value) {
    uint32_t result;
    std::memcpy(&result, &value, 4);
    return result;
  };
  const double factors[] = {1, 2, 4, 0.5};
  if (instruction.output != OutputModifier::kNone && !std::isnan(x)) {
    const float input = std::fpclassify(x) == FP_SUBNORMAL ? 0.0f : x;
    x = static_cast<float>(input * factors[static_cast<int>(instruction.output)]);
    if (std::fpclassify(x) == FP_SUBNORMAL) x = std::copysign(0.0f, x);
    if (x == 0.0f) x = 0.0f;  // never -0
    bits = std::signbit(x) && x == 0.0f ? 0 : pattern(x);
  }
  if (!instruction.clamp) return bits;
  if (std::isnan(x) || x <= 0.0f) return 0;
  return x > 1.0f ? 0x3f800000 : bits;
}

// Of doubles, whose denormals stay, the clamp alone.
uint64_t modified_double(const Instruction& instruction, uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, 8);
  if (!instruction.clamp) return bits;
  if (std::isnan(x) || x <= 0.0) return 0;
  return x > 1.0 ? 0x3ff0000000000000 : bits;
}

test::ReferenceOutput expected_of(const State& state, const Instruction& instruction,
                                  unsigned lane) {
  const OperationInfo& row = info(instruction.operation);
  const bool vop3 = instruction.vop3 || row.format == Format::kVop3;
  test::ReferenceInput in;
  in.lane = lane;
  uint64_t* const sources[] = {&in.a, &in.b, &in.c};
  unsigned at = 0;
  for (unsigned i = 0; i < 3; ++i) {
    if (i == 1 && row.is(Trait::kConstantSecond)) *sources[at++] = instruction.literal;
    if (row.source[i] != Type::kNone)
      *sources[at++] = operand_of(state, instruction, i, row.source[i], lane);
  }
  if (row.is(Trait::kConstantThird)) *sources[at++] = instruction.literal;
  if (row.is_vector()) {
    if (row.destination != Type::kNone)
      in.old = state.vector[instruction.destination - 256u].lane[lane];
    const Code mask = row.is(Trait::kReadsMask) && vop3 ? instruction.source[2] : code::kVccLo;
    in.flag = (state.wavefront.pair(mask) >> lane & 1) != 0;
  } else {
    in.flag = state.wavefront.scc;
    in.old = state.wavefront.scalar[instruction.destination];
    if (words_of(row.destination) == 2) in.old = state.wavefront.pair(instruction.destination);
    if (row.format == Format::kSopk)
      in.a = row.source[0] == Type::kNone && row.mnemonic.find("u32") != std::string_view::npos
                 ? instruction.immediate
                 : static_cast<uint32_t>(static_cast<int16_t>(instruction.immediate));
  }
  return test::reference(std::string(row.mnemonic), in);
}

}  // namespace

uint32_t random_word(RandomInstructions& random) {
  switch (random.below(5)) {
    case 0:
      return kSpecial[random.below(std::size(kSpecial))];
    case 1:  // a float of moderate size
      return (random.word() & 0x807fffff) | (100 + random.below(60)) << 23;
    case 2:
      return random.below(100);
    case 3:  // the high half of a double of moderate size
      return (random.word() & 0x800fffff) | (1000 + random.below(50)) << 20;
    default:
      return random.word();
  }
}

void randomise(State& state, RandomInstructions& random) {
  for (Lanes& row : state.vector)
    for (uint32_t& word : row.lane) word = random_word(random);
  for (uint32_t& word : state.wavefront.scalar) word = random_word(random);
  state.wavefront.set_pair(code::kVccLo, random.word() | uint64_t{random.word()} << 32);
  state.wavefront.set_pair(code::kExecLo, random.chance(3) ? ~uint64_t{0}
                                          : random.chance(5)
                                              ? 0
                                              : random.word() | uint64_t{random.word()} << 32);
  state.wavefront.scc = random.chance(2);
}

uint64_t operand_of(const State& state, const Instruction& instruction, unsigned i, Type type,
                    unsigned lane) {
  const Code number = instruction.source[i];
  const bool wide = words_of(type) == 2;
  const Wavefront& wave = state.wavefront;
  uint64_t value = 0;
  if (number >= 256) {
    value = state.vector[number - 256u].lane[lane];
    if (wide) value |= uint64_t{state.vector[number - 255u].lane[lane]} << 32;
  } else if (number < 128) {
    value = wave.scalar[number];
    if (wide) value |= uint64_t{wave.scalar[number + 1u]} << 32;
  } else if (number == 255) {
    value = type == Type::kI64 && instruction.literal >> 31 != 0
                ? instruction.literal | 0xffffffff00000000
            : type == Type::kF64 ? uint64_t{instruction.literal} << 32
                                 : instruction.literal;
  } else if (number >= 251) {
    value = number == 253   ? wave.scc
            : number == 251 ? (wave.scalar[106] | wave.scalar[107]) == 0
                            : (wave.scalar[126] | wave.scalar[127]) == 0;
  } else if (number >= 240) {
    const double magnitudes[] = {0.5, 1.0, 2.0, 4.0};
    const double real = (number % 2 != 0 ? -1 : 1) * magnitudes[(number - 240) / 2];
    const auto single = static_cast<float>(real);
    if (wide) {
      std::memcpy(&value, &real, 8);
    } else {
      uint32_t bits;
      std::memcpy(&bits, &single, 4);
      value = bits;
      if (type == Type::kF16) value = test::reference("v_cvt_f16_f32", {bits}).value;
    }
  } else {
    const int64_t integer = number <= 192 ? number - 128 : 192 - number;
    value = static_cast<uint64_t>(integer) & (wide ? ~uint64_t{0} : 0xffffffff);
  }
  if (type != Type::kF32 && type != Type::kF16 && type != Type::kF64) return value;
  const uint64_t sign = type == Type::kF64   ? uint64_t{1} << 63
                        : type == Type::kF32 ? 0x80000000
                                             : 0x8000;
  if ((instruction.absolute >> i & 1) != 0) value &= ~sign;
  if ((instruction.negate >> i & 1) != 0) value ^= sign;
  return value;
}

bool apply(State& state, const State& before, const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  Wavefront& wave = state.wavefront;
  if (!row.is_vector()) {
    const test::ReferenceOutput out = expected_of(before, instruction, 0);
    if (words_of(row.destination) == 1 && !row.is(Trait::kOnlyReadsDestination))
      wave.scalar[instruction.destination] = static_cast<uint32_t>(out.value);
    if (words_of(row.destination) == 2) wave.set_pair(instruction.destination, out.value);
    if (out.flag >= 0) wave.scc = out.flag != 0;
    return out.known;
  }
  const bool vop3 = instruction.vop3 || row.format == Format::kVop3;
  uint64_t flags = 0;
  bool known = true;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const test::ReferenceOutput out = expected_of(before, instruction, lane);
    known = known && out.known;
    if ((before.wavefront.exec() >> lane & 1) == 0) continue;
    if (out.flag > 0) flags |= uint64_t{1} << lane;
    const unsigned words = words_of(row.destination);
    uint64_t value = out.value;
    if (row.destination == Type::kF64) value = modified_double(instruction, value);
    if (row.destination == Type::kF32 || row.destination == Type::kF16)
      value = modified(instruction, static_cast<uint32_t>(value));
    if (words >= 1)
      state.vector[instruction.destination - 256u].lane[lane] = static_cast<uint32_t>(value);
    if (words == 2)
      state.vector[instruction.destination - 255u].lane[lane] = static_cast<uint32_t>(value >> 32);
  }
  if (row.is(Trait::kCarryOut))
    wave.set_pair(vop3 ? instruction.scalar_destination : code::kVccLo, flags);
  if (row.format != Format::kVopc) return known;
  wave.set_pair(vop3 ? instruction.destination : code::kVccLo, flags);
  if (row.is(Trait::kWritesExec)) wave.set_pair(code::kExecLo, flags);
  return known;
}

std::string difference(const State& is, const State& should) {
  for (unsigned i = 0; i < 128; ++i)
    if (is.wavefront.scalar[i] != should.wavefront.scalar[i])
      return fmt::format("{} is {:#x}, should be {:#x}",
                         text_of_operand(static_cast<Code>(i), 1, 0), is.wavefront.scalar[i],
                         should.wavefront.scalar[i]);
  if (is.wavefront.scc != should.wavefront.scc) return "scc";
  for (unsigned i = 0; i < 256; ++i)
    for (unsigned lane = 0; lane < 64; ++lane)
      if (is.vector[i].lane[lane] != should.vector[i].lane[lane])
        return fmt::format("v{} of lane {} is {:#x}, should be {:#x}", i, lane,
                           is.vector[i].lane[lane], should.vector[i].lane[lane]);
  return "";
}

}  // namespace gvp::gpgpu::southern_islands
