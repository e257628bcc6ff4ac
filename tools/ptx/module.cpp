// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/module.h"

#include "models/base/error.h"
#include "tools/ptx/shown_names.h"

namespace gvp::ptx {
void fail(const Module& module, const Instruction& instruction, const std::string& what,
          const std::string& remedy) {
  const SourceLine& source = instruction.source;
  const auto file = module.files.find(source.file);
  if (source.line == 0 || file == module.files.end()) {
    module.source.fail(instruction.position, what, remedy);
  }
  std::string message = what;
  if (!remedy.empty()) message += " (" + remedy + ")";
  message += caret_below(line_of_file(file->second, source.line), source.column);
  throw bad_input(message, {shown_file(file->second), source.line, source.column});
}

bool writes_first_operand(const Instruction& instruction) {
  if (instruction.operands.empty()) return false;
  const char shape = info(instruction.opcode).shape.front();
  return shape == 'd' || shape == 'v';
}

}  // namespace gvp::ptx
