// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/assembler.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/g80/assembler_state.h"
#include "models/gpgpu/g80/names.h"
#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {
namespace {

// Comments become blanks, so that columns stay.  // and # to the end of the line, /* */ anywhere, ;
// to the end of a line that begins with it (is_remark() has those behind a statement).
std::string without_comments(std::string_view source, const std::string& file) {
  std::string text(source);
  std::size_t line = 1;
  bool blank = true;  // so far, this line
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (text[n] == '\n') ++line;
    const bool first = blank && text[n] == ';';
    blank = text[n] == '\n' || (blank && (text[n] == ' ' || text[n] == '\t'));
    const bool pair = n + 1 < text.size() && text[n] == '/';
    if (first || text[n] == '#' || (pair && text[n + 1] == '/')) {
      for (; n < text.size() && text[n] != '\n'; ++n) text[n] = ' ';
      --n;
    } else if (pair && text[n + 1] == '*') {
      const std::size_t end = text.find("*/", n + 2);
      if (end == std::string::npos)
        throw bad_input("comment without end", {file, static_cast<uint32_t>(line), 0},
                        "close it with */");
      for (; n < end + 2; ++n) {
        if (text[n] == '\n') ++line;
        if (text[n] != '\n') text[n] = ' ';
      }
      --n;
    }
  }
  return text;
}

// What follows the ';' of a statement is another statement or a comment.  It is a comment where its
// first word has small letters and is neither an instruction nor a label: what could be a mistyped
// instruction is never passed over.
bool is_remark(Scanner scanner) {
  const std::string word = scanner.name(".");
  const bool small =
      std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (!small || word[0] == '.' || scanner.peek() == ':') return false;
  const std::string stem = upper(word.substr(0, word.find('.')));
  const RowRange all = rows();
  return stem != "EXIT" && std::none_of(all.begin(), all.end(), [&](const Row& row) {
           return row.name.substr(0, row.name.find('.')) == stem;
         });
}

// After so many the rest is hardly worth reading.
constexpr std::size_t kMaximumErrors = 20;

}  // namespace

Module Assembler::run(std::string_view source) {
  const std::string text = without_comments(source, file_);
  uint32_t line_number = 0;
  for (std::size_t start = 0; start <= text.size();) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    // Statements end at ';'.  Columns count from the start of the line.
    for (std::size_t from = 0; from <= line.size();) {
      const std::size_t to = std::min(line.find(';', from), line.size());
      Scanner scanner(line.substr(0, to), file_, line_number);
      scanner.seek(from);
      if (from != 0 && is_remark(scanner)) break;
      try {
        if (!scanner.at_end()) statement(scanner);
      } catch (const Error& error) {
        errors_.push_back(error);
        if (errors_.size() == kMaximumErrors) throw_errors();
      }
      from = to + 1;
    }
    start = end + 1;
  }
  try {
    if (in_kernel_) finish_kernel();
  } catch (const Error& error) {
    errors_.push_back(error);
  }
  throw_errors();
  if (module_.kernels.empty())
    throw bad_input("no instruction in this file", {file_, 0, 0},
                    "begin a kernel with .kernel NAME");
  return module_;
}

// All errors of the file at once, as a user wants to see them.
void Assembler::throw_errors() const {
  if (errors_.empty()) return;
  if (errors_.size() == 1) throw errors_.front();
  std::string text;
  for (std::size_t n = 0; n < errors_.size(); ++n)
    text += fmt::format("{}{}", n == 0 ? "" : "\n", errors_[n].what());
  if (errors_.size() == kMaximumErrors) text += "\ntoo many errors; the rest was not read";
  throw bad_input(text);
}

// The lines around the instructions in what "cuobjdump -sass" prints: rules of dots or =, facts
// about the file, where the code of a function begins.
bool Assembler::listing_line(Scanner& scanner) {
  const std::size_t start = scanner.position();
  const char first = scanner.peek();
  if ((first == '.' || first == '=') &&
      scanner.rest().find_first_not_of(first) == std::string::npos)
    return scanner.rest().size() > 1;
  const std::string word = scanner.name();
  static const std::vector<std::string> kFacts = {"arch",         "producer",   "host",
                                                  "compile_size", "identifier", "ptxasOptions"};
  const bool fact = std::find(kFacts.begin(), kFacts.end(), word) != kFacts.end();
  if ((word == "Fatbin" && scanner.peek() != ':') || (fact && scanner.peek() == '=')) return true;
  if (word == "Function" && scanner.accept(':')) {
    if (in_kernel_) finish_kernel();
    const std::string name = scanner.name(".");
    if (name.empty()) scanner.fail("the name of the function is missing");
    begin_kernel(name);
    if (!scanner.at_end()) scanner.fail(fmt::format("unexpected \"{}\"", scanner.rest()));
    return true;
  }
  const std::string second = word == "code" ? scanner.name() : "";
  if (second == "version") return true;
  if (second == "for") {
    const std::string architecture = scanner.name();
    if (architecture.compare(0, 4, "sm_1") != 0)
      scanner.fail_at(start, fmt::format("code for {}", architecture),
                      "this assembler knows sm_10");
    return true;
  }
  scanner.seek(start);
  return false;
}

void Assembler::statement(Scanner& scanner) {
  if (listing_line(scanner)) return;
  // Labels, as many as there are.
  for (;;) {
    const std::size_t start = scanner.position();
    const std::string word = scanner.name(".");
    if (!word.empty() && word[0] != '.' && scanner.peek() == ':') {
      scanner.accept(':');
      kernel(scanner);
      layout_.label(word, scanner, start);
      if (scanner.at_end()) return;
      continue;
    }
    scanner.seek(start);
    break;
  }
  if (scanner.peek() == '.') {
    directive(scanner);
    return;
  }
  kernel(scanner);
  layout_.instruction(parse_instruction(scanner, symbols_), scanner);
}

Kernel& Assembler::kernel(Scanner&) {
  if (!in_kernel_) begin_kernel("kernel");
  return kernel_;
}

void Assembler::begin_kernel(const std::string& name) {
  kernel_ = Kernel{};
  kernel_.name = name;
  symbols_ = module_symbols_;
  layout_ = Layout{};
  in_kernel_ = true;
  registers_given_ = barriers_given_ = shared_given_ = parameters_given_ = false;
  parameter_end_ = shared_end_ = kSharedHeaderBytes;
}

void Assembler::finish_kernel() {
  in_kernel_ = false;
  kernel_.code = layout_.finish();
  if (kernel_.code.empty() && errors_.empty())
    throw bad_input(fmt::format("kernel \"{}\" has no instruction", kernel_.name), {file_, 0, 0});
  // Every thread has R0: it holds its number.
  if (!registers_given_) kernel_.registers = std::max(1u, layout_.registers_used());
  if (layout_.registers_used() > kernel_.registers)
    warnings_.push_back(layout_.use_beyond(kernel_.registers));
  if (!barriers_given_) kernel_.barriers = layout_.barriers_used();
  // Without .param nothing is said, and code may read what launches give all the same.
  if (parameters_given_) kernel_.parameter_bytes = parameter_end_ - kSharedHeaderBytes;
  kernel_.shared_bytes = std::max(shared_end_, parameter_end_);
  module_.kernels.push_back(std::move(kernel_));
}

Module assemble(std::string_view source, const std::string& file,
                std::vector<std::string>* warnings) {
  Assembler assembler(file);
  Module module = assembler.run(source);
  if (warnings != nullptr) *warnings = assembler.warnings();
  return module;
}

Instruction assemble_instruction(std::string_view text) {
  const std::size_t end = std::min(text.find(';'), text.size());
  Scanner scanner(text.substr(0, end), "", 0);
  const Symbols symbols;
  ParsedInstruction parsed = parse_instruction(scanner, symbols);
  if (!parsed.label.empty())
    scanner.fail_at(parsed.label_column, "a label needs a program around it");
  return parsed.instruction;
}

}  // namespace gvp::gpgpu::g80
