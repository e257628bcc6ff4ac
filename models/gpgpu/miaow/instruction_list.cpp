// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/instruction_list.h"

#include <fmt/format.h>

#include <sstream>

#include "models/base/error.h"
#include "models/base/files.h"

namespace gvp::gpgpu::miaow {

using namespace southern_islands;

namespace {

bool ends_with(const std::string& text, const char* end) {
  const std::string tail(end);
  return text.size() > tail.size() &&
         text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

}  // namespace

std::string instruction_name(const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  std::string name(row.mnemonic);
  if (row.has_long_form()) name += instruction.vop3 ? "_e64" : "_e32";
  return name;
}

InstructionList::InstructionList(const std::string& text, const std::string& file) : all_(false) {
  std::istringstream stream(text);
  std::string line;
  for (uint32_t number = 1; std::getline(stream, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string name; words >> name;) {
      Instruction instruction;
      std::string mnemonic = name;
      const bool long_form = ends_with(name, "_e64");
      if (long_form || ends_with(name, "_e32")) mnemonic.resize(mnemonic.size() - 4);
      instruction.operation = find_operation(mnemonic);
      instruction.vop3 = long_form;
      if (instruction.operation == Operation::kNone || instruction_name(instruction) != name)
        throw bad_input(fmt::format("\"{}\" is no instruction of Southern Islands", name),
                        {file, number, 1},
                        "gvp-trim --trimmed writes such a list: s_add_i32, v_add_f32_e32...");
      add(instruction);
    }
  }
}

InstructionList InstructionList::of_file(const std::string& file) {
  if (file.empty()) return {};
  static const FileKind kind{"a list of instructions", std::size_t{1} << 20};
  return {read_whole_file(file, kind), file};
}

void InstructionList::add(const Instruction& instruction) {
  all_ = false;
  present_.set(index_of(instruction));
}

std::string InstructionList::text() const {
  std::string text;
  for (std::size_t i = 0; i < present_.size(); ++i) {
    if (!present_[i]) continue;
    Instruction instruction;
    instruction.operation = static_cast<Operation>(i / 2);
    instruction.vop3 = i % 2 != 0;
    text += instruction_name(instruction) + "\n";
  }
  return text;
}

}  // namespace gvp::gpgpu::miaow
