// SPDX-License-Identifier: Apache-2.0
// Every arithmetic operation in every form, with random and with special operands, against the
// reference; the whole state of the wavefront is compared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/gpgpu/southern_islands/execution.h"
#include "tests/models/gpgpu/southern_islands/random_instruction.h"
#include "tests/models/gpgpu/southern_islands/reference_state.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::southern_islands {
namespace {

std::string sources_of(const State& state, const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  std::string text;
  for (unsigned lane = 0; lane < 64; ++lane) {
    text += fmt::format("\n{}:", lane);
    for (unsigned i = 0; i < 3; ++i)
      if (row.source[i] != Type::kNone)
        text += fmt::format(" {:#x}", operand_of(state, instruction, i, row.source[i], lane));
  }
  return text;
}

class Semantics : public testing::TestWithParam<Group> {};

TEST_P(Semantics, OfEveryOperationAreThoseOfTheReference) {
  const uint32_t seed = test::seed(20 + static_cast<uint32_t>(GetParam()));
  SCOPED_TRACE(test::text_of_seed(seed));
  RandomInstructions random(seed);
  Machine machine;
  State before;
  unsigned operations = 0;
  unsigned wrong = 0;
  for (const OperationInfo& row : kOperations) {
    if (row.operation == Operation::kNone) continue;
    const bool compare = row.format == Format::kVopc;
    if ((compare ? Group::kCompare : group_of(row)) != GetParam()) continue;
    ++operations;
    for (unsigned n = 0; n < 40; ++n) {
      const auto instruction = random.of(row.operation, row.has_long_form() && n % 2 != 0);
      if (n % 4 == 0) randomise(before, random);
      const Encoded encoded = encode(*instruction);
      const Program program(encoded.words.data(), encoded.count);
      State is = before;
      is.wavefront.vector = is.vector.data();
      is.wavefront.vector_count = 256;
      State should = before;
      ASSERT_TRUE(apply(should, before, *instruction)) << "no reference for " << row.mnemonic;
      step(machine, is.wavefront, program);
      ASSERT_EQ(is.wavefront.stop, Stop::kNone) << to_text(*instruction);
      ASSERT_EQ(is.wavefront.pc, 4 * encoded.count);
      const std::string differs = difference(is, should);
      if (differs.empty()) continue;
      if (++wrong <= 8)
        ADD_FAILURE() << to_text(*instruction) << ": " << differs
                      << sources_of(before, *instruction);
      break;
    }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GE(operations, 24u);
}

std::string name_of_group(const testing::TestParamInfo<Group>& group) {
  return group.param == Group::kScalar    ? "Scalar"
         : group.param == Group::kInteger ? "Integer"
         : group.param == Group::kFloat   ? "Float"
         : group.param == Group::kDouble  ? "Double"
                                          : "Compare";
}
INSTANTIATE_TEST_SUITE_P(All, Semantics,
                         testing::Values(Group::kScalar, Group::kInteger, Group::kFloat,
                                         Group::kDouble, Group::kCompare),
                         name_of_group);

}  // namespace
}  // namespace gvp::gpgpu::southern_islands
