// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "models/base/error.h"
#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/instruction_parser.h"
#include "models/gpgpu/g80/layout.h"
#include "models/gpgpu/g80/names.h"
#include "models/gpgpu/g80/scanner.h"

namespace gvp::gpgpu::g80 {
namespace {

// Comments become blanks, so that columns stay.  // and # to the end of the line, /* */ anywhere.
std::string without_comments(std::string_view source, const std::string& file) {
  std::string text(source);
  std::size_t line = 1;
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (text[n] == '\n') ++line;
    const bool pair = n + 1 < text.size() && text[n] == '/';
    if (text[n] == '#' || (pair && text[n + 1] == '/')) {
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

// After so many the rest is hardly worth reading.
constexpr std::size_t kMaximumErrors = 20;

class Assembler {
 public:
  explicit Assembler(std::string file) : file_(std::move(file)) {}

  Module run(std::string_view source);

 private:
  void statement(Scanner& scanner);
  bool listing_line(Scanner& scanner);
  void directive(Scanner& scanner);
  void begin_kernel(const std::string& name);
  void finish_kernel();
  void parse_words(Scanner& scanner);
  void parse_constant(Scanner& scanner);
  void parse_global(Scanner& scanner);
  void parse_parameter(Scanner& scanner);
  void parse_shared(Scanner& scanner);
  uint32_t parse_size(Scanner& scanner, const char* what, uint32_t maximum);
  void throw_errors() const;
  void define(Scanner& scanner, std::size_t column, const std::string& name, uint32_t value);
  Kernel& kernel(Scanner& scanner);

  std::string file_;
  Module module_;
  Symbols module_symbols_;
  // Of the kernel being read:
  bool in_kernel_ = false;
  Kernel kernel_;
  Symbols symbols_;
  Layout layout_;
  bool registers_given_ = false;
  bool barriers_given_ = false;
  bool shared_given_ = false;
  uint32_t parameter_end_ = kSharedHeaderBytes;
  uint32_t shared_end_ = kSharedHeaderBytes;
  uint32_t next_relocation_ = 0;
  std::vector<Error> errors_;
};

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

// The lines around the instructions in what "cuobjdump -sass" prints.
bool Assembler::listing_line(Scanner& scanner) {
  const std::size_t start = scanner.position();
  if (scanner.peek() == '.' && scanner.rest().find_first_not_of('.') == std::string::npos)
    return scanner.rest().size() > 1;  // a rule of dots
  const std::string word = scanner.name();
  if (word == "Function" && scanner.accept(':')) {
    if (in_kernel_) finish_kernel();
    const std::string name = scanner.name(".");
    if (name.empty()) scanner.fail("the name of the function is missing");
    begin_kernel(name);
    if (!scanner.at_end()) scanner.fail(fmt::format("unexpected \"{}\"", scanner.rest()));
    return true;
  }
  if (word == "code" && scanner.name() == "for") {
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
  registers_given_ = barriers_given_ = shared_given_ = false;
  parameter_end_ = shared_end_ = kSharedHeaderBytes;
}

void Assembler::finish_kernel() {
  in_kernel_ = false;
  kernel_.code = layout_.finish();
  if (kernel_.code.empty() && errors_.empty())
    throw bad_input(fmt::format("kernel \"{}\" has no instruction", kernel_.name), {file_, 0, 0});
  // Every thread has R0: it holds its number.
  if (!registers_given_) kernel_.registers = std::max(1u, layout_.registers_used());
  if (!barriers_given_) kernel_.barriers = layout_.barriers_used();
  kernel_.parameter_bytes = parameter_end_ - kSharedHeaderBytes;
  kernel_.shared_bytes = std::max(shared_end_, parameter_end_);
  module_.kernels.push_back(std::move(kernel_));
}

uint32_t Assembler::parse_size(Scanner& scanner, const char* what, uint32_t maximum) {
  scanner.skip_space();
  const std::size_t column = scanner.position();
  const uint32_t value = scanner.required_number(what);
  if (value > maximum)
    scanner.fail_at(column, fmt::format("{} is too large", what),
                    fmt::format("at most {}", maximum));
  return value;
}

void Assembler::define(Scanner& scanner, std::size_t column, const std::string& name,
                       uint32_t value) {
  if (!symbols_.emplace(name, value).second)
    scanner.fail_at(column, fmt::format("\"{}\" is defined already", name));
}

void Assembler::directive(Scanner& scanner) {
  const std::size_t start = scanner.position();
  scanner.accept('.');
  const std::string name = scanner.name();
  if (name == "kernel") {
    if (in_kernel_) finish_kernel();
    scanner.skip_space();
    const std::size_t column = scanner.position();
    const std::string kernel_name = scanner.name(".");
    if (kernel_name.empty()) scanner.fail("the name of the kernel is missing");
    if (module_.find(kernel_name) != nullptr)
      scanner.fail_at(column, fmt::format("there is a kernel \"{}\" already", kernel_name));
    begin_kernel(kernel_name);
  } else if (name == "end") {
    if (!in_kernel_) scanner.fail_at(start, ".end without .kernel");
    finish_kernel();
  } else if (name == "regs") {
    kernel(scanner).registers = parse_size(scanner, "number of registers", 128);
    registers_given_ = true;
  } else if (name == "local") {
    kernel(scanner).local_bytes = parse_size(scanner, "local memory", 0x10000);
  } else if (name == "bar") {
    kernel(scanner).barriers = parse_size(scanner, "number of barriers", 16);
    barriers_given_ = true;
  } else if (name == "param") {
    parse_parameter(scanner);
  } else if (name == "shared") {
    parse_shared(scanner);
  } else if (name == "const") {
    parse_constant(scanner);
  } else if (name == "global") {
    parse_global(scanner);
  } else if (name == "word") {
    parse_words(scanner);
  } else if (name == "align") {
    const uint32_t bytes = parse_size(scanner, "alignment", 8);
    if (bytes != 4 && bytes != 8) scanner.fail_at(start, "code aligns to 4 or 8");
    kernel(scanner);
    if (bytes == 8) layout_.align();
  } else if (name == "noalign") {
    kernel(scanner);
    layout_.no_alignment();
  } else {
    static const std::vector<std::string> kKnown = {"kernel", "end",   "regs",   "local",
                                                    "bar",    "param", "shared", "const",
                                                    "global", "word",  "align",  "noalign"};
    const std::string hint = nearest(name, kKnown);
    scanner.fail_at(start, fmt::format("unknown directive .{}", name),
                    hint.empty() ? "" : fmt::format("did you mean .{}?", hint));
  }
  if (!scanner.at_end()) scanner.fail(fmt::format("unexpected \"{}\"", scanner.rest()));
}

void Assembler::parse_words(Scanner& scanner) {
  kernel(scanner);
  do {
    layout_.word(scanner.required_number("word"));
  } while (scanner.accept(','));
}

// .param NAME [BYTES] {, NAME [BYTES]}: at the next naturally aligned address in s[]
void Assembler::parse_parameter(Scanner& scanner) {
  kernel(scanner);
  if (shared_given_) scanner.fail("parameters come before .shared");
  do {
    scanner.skip_space();
    const std::size_t column = scanner.position();
    const std::string name = scanner.name();
    if (name.empty()) scanner.fail("the name of a parameter is expected");
    uint32_t bytes = 4;
    if (!scanner.at_end() && scanner.peek() != ',') bytes = parse_size(scanner, "parameter", 256);
    const uint32_t alignment = bytes % 8 == 0 && bytes != 0 ? 8
                               : bytes % 4 == 0             ? 4
                               : bytes % 2 == 0             ? 2
                                                            : 1;
    parameter_end_ = (parameter_end_ + alignment - 1) / alignment * alignment;
    define(scanner, column, name, parameter_end_);
    parameter_end_ += bytes;
    if (parameter_end_ - kSharedHeaderBytes > 256)
      scanner.fail_at(column, "more than 256 bytes of parameters");
  } while (scanner.accept(','));
  shared_end_ = parameter_end_;
}

// .shared BYTES  or  .shared NAME, BYTES
void Assembler::parse_shared(Scanner& scanner) {
  kernel(scanner);
  scanner.skip_space();
  const std::size_t column = scanner.position();
  const bool number = scanner.peek() >= '0' && scanner.peek() <= '9';
  std::string name;
  if (!number) {
    name = scanner.name();
    if (name.empty()) scanner.fail("bytes, or a name and bytes, are expected");
    scanner.expect(',', "the name");
  }
  shared_end_ = (std::max(shared_end_, parameter_end_) + 3) & ~3u;
  if (!name.empty()) define(scanner, column, name, shared_end_);
  shared_end_ += parse_size(scanner, "shared memory", 0x4000);
  if (shared_end_ > 0x4000)
    scanner.fail_at(column, "shared memory exceeds 16384 bytes",
                    fmt::format("this kernel has {}, header and parameters included", shared_end_));
  shared_given_ = true;
}

// .const [NAME,] c1[OFFSET], word {, word}: of the kernel, or of the module before any kernel
void Assembler::parse_constant(Scanner& scanner) {
  scanner.skip_space();
  const std::size_t start = scanner.position();
  ConstantSegment segment;
  std::string word = scanner.name();
  std::size_t column = start;
  if (scanner.accept(',')) {
    segment.name = word;
    scanner.skip_space();
    column = scanner.position();
    word = scanner.name();
  }
  const std::string bank = upper(word);
  const bool valid = bank.size() >= 2 && bank.size() <= 3 && bank[0] == 'C' &&
                     bank.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!valid || std::stoul(bank.substr(1)) > 15)
    scanner.fail_at(column, "a constant bank is expected", "as in .const c1[0x0], 0x3ff");
  segment.bank = static_cast<unsigned>(std::stoul(bank.substr(1)));
  scanner.expect('[', "the bank");
  segment.offset = parse_size(scanner, "offset", 0xffff);
  scanner.expect(']', "the offset");
  if (segment.offset % 4 != 0) scanner.fail_at(column, "the offset is not a multiple of 4");
  scanner.expect(',', "the address");
  if (scanner.accept('[')) {  // so many bytes, zero
    segment.bytes = parse_size(scanner, "size", 0x10000);
    scanner.expect(']', "the size");
  } else {
    do {
      segment.words.push_back(scanner.required_number("word"));
    } while (scanner.accept(','));
    segment.bytes = static_cast<uint32_t>(segment.words.size() * 4);
  }
  if (segment.offset + segment.bytes > 0x10000)
    scanner.fail_at(start, "a constant bank has 65536 bytes");
  if (!segment.name.empty()) {
    if (in_kernel_) define(scanner, start, segment.name, segment.offset);
    if (!in_kernel_ && !module_symbols_.emplace(segment.name, segment.offset).second)
      scanner.fail_at(start, fmt::format("\"{}\" is defined already", segment.name));
  }
  (in_kernel_ ? kernel_.constants : module_.constants).push_back(std::move(segment));
}

// .global NAME, BYTES: a variable in global memory; its address stands in the next word of c14
void Assembler::parse_global(Scanner& scanner) {
  scanner.skip_space();
  const std::size_t column = scanner.position();
  if (in_kernel_) scanner.fail_at(column, ".global comes before .kernel");
  Relocation relocation;
  relocation.name = scanner.name();
  if (relocation.name.empty()) scanner.fail("the name of the variable is expected");
  scanner.expect(',', "the name");
  relocation.bytes = parse_size(scanner, "size", 0x10000000);
  relocation.offset = next_relocation_;
  next_relocation_ += 4;
  if (!module_symbols_.emplace(relocation.name, relocation.offset).second)
    scanner.fail_at(column, fmt::format("\"{}\" is defined already", relocation.name));
  module_.relocations.push_back(std::move(relocation));
}

}  // namespace

Module assemble(std::string_view source, const std::string& file) {
  return Assembler(file).run(source);
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
