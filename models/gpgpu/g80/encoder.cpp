// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/encoder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "models/base/error.h"
#include "models/gpgpu/g80/codec.h"
#include "models/gpgpu/g80/decoder.h"

namespace gvp::gpgpu::g80 {
namespace {

bool has_field(const Row& row, Field field) {
  return std::find(row.fields.begin(), row.fields.end(), field) != row.fields.end();
}

// Types of operands that were left open are those of the encoding.
Instruction with_types_of(const Instruction& instruction, const Instruction& other) {
  Instruction completed = instruction;
  const auto complete = [](Operand& operand, const Operand& from) {
    if (operand.type == Type::kNone) operand.type = from.type;
  };
  complete(completed.destination, other.destination);
  for (std::size_t n = 0; n < completed.sources.size(); ++n)
    complete(completed.sources[n], other.sources[n]);
  return completed;
}

// The reason in words when the words would mean something else than was asked for.
std::string explain(const Instruction& wanted, const Row& row) {
  if (is_predicated(wanted) && !has_field(row, Field::kPredicate))
    return "this form cannot be predicated";
  if (wanted.writes_condition && !has_field(row, Field::kConditionWrite))
    return "this instruction cannot write a $c register";
  if (wanted.marker != Marker::kNone && row.form != Form::kLong)
    return "only long instructions carry a join (.S) or end (.END) marker";
  if (wanted.extra != std::array<uint32_t, 2>{}) return "the raw bits change the instruction";
  return "the instruction has a modifier or operand that its encoding cannot express";
}

struct Attempt {
  std::optional<Words> words;
  std::string problem;
  unsigned progress = 0;  // how well the row fits
};

Attempt encode_row(const Row& row, const Instruction& instruction) {
  Words words = {row.bits0 | form_bits(row.form)[0], row.bits1 | form_bits(row.form)[1]};
  Instruction fields = instruction;
  Codec codec(Codec::Direction::kEncode, row, words, fields);
  codec.run();
  // A row for other types says nothing about what is wrong with this instruction.
  const bool same_type =
      unsigned_variant(row.type) == unsigned_variant(instruction.type) &&
      (instruction.sources[0].type == Type::kNone ||
       unsigned_variant(row.source_type) == unsigned_variant(instruction.sources[0].type));
  Attempt attempt{std::nullopt, codec.problem(), codec.progress() + (same_type ? 100 : 0)};
  if (!attempt.problem.empty()) return attempt;
  words[0] ^= instruction.extra[0];
  words[1] ^= instruction.extra[1];
  const Decoded back = decode(words);
  if (back.executable() && back.instruction == with_types_of(instruction, back.instruction)) {
    attempt.words = words;
  } else {
    attempt.problem = back.executable() ? explain(instruction, row) : back.reason;
  }
  return attempt;
}

}  // namespace

std::optional<Words> try_encode(const Instruction& instruction, std::string* problem) {
  Attempt best;
  best.problem = "no such form of this instruction";
  for (const Row& row : rows()) {
    if (row.operation != instruction.operation || row.form != instruction.form) continue;
    Attempt attempt = encode_row(row, instruction);
    if (attempt.words) return attempt.words;
    if (attempt.progress >= best.progress) best = std::move(attempt);
  }
  if (problem != nullptr) *problem = best.problem;
  return std::nullopt;
}

Words encode(const Instruction& instruction) {
  std::string problem;
  if (auto words = try_encode(instruction, &problem)) return *words;
  throw bad_input("instruction cannot be encoded: " + problem);
}

std::optional<Instruction> with_form(const Instruction& instruction, Form form) {
  Instruction changed = instruction;
  changed.form = form;
  if (form != instruction.form) changed.extra = {};
  if (!try_encode(changed)) return std::nullopt;
  return changed;
}

}  // namespace gvp::gpgpu::g80
