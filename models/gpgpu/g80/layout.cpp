// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/gpgpu/g80/encoder.h"

namespace gvp::gpgpu::g80 {
namespace {

// MOV32 R0, R0: the shortest instruction without effect.  Every thread has R0.
constexpr uint32_t kPadding = 0x10008000;
// From here on registers are named because they do not exist: to read zero, to discard a result.
constexpr unsigned kFirstOnPurpose = 124;

}  // namespace

uint32_t Layout::Item::size() const { return is_instruction ? byte_length(parsed.instruction) : 4; }

void Layout::label(const std::string& name, const Scanner& scanner, std::size_t column) {
  const auto known = labels_.find(name);
  if (known != labels_.end())
    scanner.fail_at(column, fmt::format("label \"{}\" is defined already", name),
                    fmt::format("in line {}", known->second.line_number));
  labels_.emplace(name, Label{items_.size(), scanner.line_number()});
}

void Layout::instruction(const ParsedInstruction& parsed, const Scanner& scanner) {
  Item item;
  item.is_instruction = true;
  item.parsed = parsed;
  item.line = std::string(scanner.line());
  item.file = scanner.file();
  item.line_number = scanner.line_number();
  note_use(parsed.instruction);
  if (aligning_ && item.size() == 8) align();
  item.address = address_;
  address_ += item.size();
  items_.push_back(std::move(item));
}

void Layout::word(uint32_t word) {
  Item item;
  item.word = word;
  item.address = address_;
  address_ += 4;
  items_.push_back(std::move(item));
}

// The short instruction before an odd word gets its long form; if it has none, a padding
// instruction follows it.
void Layout::align() {
  if (address_ % 8 == 0) return;
  moved_ = true;
  if (!items_.empty() && items_.back().is_instruction) {
    Instruction& last = items_.back().parsed.instruction;
    const Form form = last.form == Form::kShortControl ? Form::kLongControl : Form::kLong;
    if (const auto wider = with_form(last, form)) {
      last = *wider;
      address_ += 4;
      return;
    }
  }
  pad();
}

void Layout::pad() {
  // Labels that stand here belong to what follows the padding.
  for (auto& entry : labels_)
    if (entry.second.item == items_.size()) ++entry.second.item;
  word(kPadding);
}

void Layout::note_use(const Instruction& instruction) {
  const auto note = [this](const RegisterList& list) {
    for (const uint8_t number : list)
      if (number < kFirstOnPurpose) registers_used_ = std::max(registers_used_, number + 1u);
  };
  note(registers_read(instruction));
  note(registers_written(instruction));
  if (instruction.operation == Operation::kBarrier)
    barriers_used_ = std::max(barriers_used_, instruction.barrier + 1u);
}

std::string Layout::use_beyond(unsigned registers) const {
  for (const Item& item : items_) {
    if (!item.is_instruction) continue;
    const Instruction& instruction = item.parsed.instruction;
    for (const auto& list : {registers_read(instruction), registers_written(instruction)})
      for (const uint8_t number : list)
        if (number >= registers && number < kFirstOnPurpose)
          return fmt::format("{}:{}: R{} is beyond the {} registers of .regs and will read zero",
                             item.file, item.line_number, number, registers);
  }
  return "";
}

std::vector<uint32_t> Layout::finish() {
  if (aligning_) align();
  std::vector<uint32_t> code;
  for (const Item& item : items_) {
    if (!item.is_instruction) {
      code.push_back(item.word);
      continue;
    }
    Instruction instruction = item.parsed.instruction;
    Scanner scanner(item.line, item.file, item.line_number);
    if (!item.parsed.label.empty()) {
      const auto label = labels_.find(item.parsed.label);
      if (label == labels_.end()) {
        std::vector<std::string> known;
        for (const auto& entry : labels_) known.push_back(entry.first);
        const std::string hint = nearest(item.parsed.label, known);
        scanner.fail_at(item.parsed.label_column,
                        fmt::format("unknown label \"{}\"", item.parsed.label),
                        hint.empty() ? "" : fmt::format("did you mean {}?", hint));
      }
      const std::size_t at = label->second.item;
      instruction.target = at < items_.size() ? items_[at].address : address_;
    } else if (item.parsed.numeric_target && moved_) {
      scanner.fail_at(item.parsed.column,
                      "a branch to a number, but instructions were moved to align long ones",
                      "use a label, or .noalign");
    }
    std::string problem;
    const auto words = try_encode(instruction, &problem);
    if (!words) scanner.fail_at(item.parsed.column, problem);
    code.push_back((*words)[0]);
    if (byte_length(instruction) == 8) code.push_back((*words)[1]);
  }
  return code;
}

}  // namespace gvp::gpgpu::g80
