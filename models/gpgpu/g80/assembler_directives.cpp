// SPDX-License-Identifier: Apache-2.0
// What stands in an assembly source besides instructions: kernels and their resources, parameters,
// shared memory, constants, variables, words.
#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/g80/assembler_state.h"
#include "models/gpgpu/g80/names.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr uint32_t kMostGlobalBytes = 0x10000000;

}  // namespace

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
// .param: there are none
void Assembler::parse_parameter(Scanner& scanner) {
  kernel(scanner);
  if (shared_given_) scanner.fail("parameters come before .shared");
  parameters_given_ = true;
  scanner.skip_space();
  if (scanner.at_end()) return;
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

// c1[OFFSET], in bytes.
Assembler::Place Assembler::parse_place(Scanner& scanner, const char* example) {
  scanner.skip_space();
  const std::size_t column = scanner.position();
  const std::string bank = upper(scanner.name());
  const bool valid = bank.size() >= 2 && bank.size() <= 3 && bank[0] == 'C' &&
                     bank.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!valid || std::stoul(bank.substr(1)) > 15)
    scanner.fail_at(column, "a constant bank is expected", example);
  Place place;
  place.bank = static_cast<unsigned>(std::stoul(bank.substr(1)));
  scanner.expect('[', "the bank");
  place.offset = parse_size(scanner, "offset", 0xffff);
  scanner.expect(']', "the offset");
  if (place.offset % 4 != 0) scanner.fail_at(column, "the offset is not a multiple of 4");
  return place;
}

// word {, word}  or  [BYTES] of zeros
Assembler::Contents Assembler::parse_contents(Scanner& scanner, uint32_t most_bytes) {
  Contents contents;
  if (scanner.accept('[')) {
    contents.bytes = parse_size(scanner, "size", most_bytes);
    scanner.expect(']', "the size");
    return contents;
  }
  do {
    contents.words.push_back(scanner.required_number("word"));
  } while (scanner.accept(','));
  contents.bytes = static_cast<uint32_t>(contents.words.size() * 4);
  return contents;
}

void Assembler::define_in_module(Scanner& scanner, std::size_t column, const std::string& name,
                                 uint32_t value) {
  if (!module_symbols_.emplace(name, value).second)
    scanner.fail_at(column, fmt::format("\"{}\" is defined already", name));
}

// .const [NAME,] c1[OFFSET], CONTENTS: of the kernel, or of the module before any kernel
void Assembler::parse_constant(Scanner& scanner) {
  scanner.skip_space();
  const std::size_t start = scanner.position();
  ConstantSegment segment;
  const std::string word = scanner.name();
  if (scanner.accept(',')) {
    segment.name = word;
  } else {
    scanner.seek(start);
  }
  const Place place = parse_place(scanner, "as in .const c1[0x0], 0x3ff");
  segment.bank = place.bank;
  segment.offset = place.offset;
  scanner.expect(',', "the address");
  Contents contents = parse_contents(scanner, 0x10000);
  segment.bytes = contents.bytes;
  segment.words = std::move(contents.words);
  if (segment.offset + segment.bytes > 0x10000)
    scanner.fail_at(start, "a constant bank has 65536 bytes");
  if (!segment.name.empty()) {
    if (in_kernel_) {
      define(scanner, start, segment.name, segment.offset);
    } else {
      define_in_module(scanner, start, segment.name, segment.offset);
    }
  }
  (in_kernel_ ? kernel_.constants : module_.constants).push_back(std::move(segment));
}

// .global NAME, BYTES: a variable in global memory; its address stands in the next word of c14.
// .global NAME, c14[OFFSET], CONTENTS: in that word.
void Assembler::parse_global(Scanner& scanner) {
  scanner.skip_space();
  const std::size_t column = scanner.position();
  if (in_kernel_) scanner.fail_at(column, ".global comes before .kernel");
  Relocation relocation;
  relocation.name = scanner.name();
  if (relocation.name.empty()) scanner.fail("the name of the variable is expected");
  scanner.expect(',', "the name");
  scanner.skip_space();
  if (scanner.peek() >= '0' && scanner.peek() <= '9') {
    relocation.bytes = parse_size(scanner, "size", kMostGlobalBytes);
    relocation.offset = next_relocation_;
  } else {
    const Place place = parse_place(scanner, "as in .global counter, c14[0x0], [4]");
    relocation.bank = place.bank;
    relocation.offset = place.offset;
    scanner.expect(',', "the address");
    Contents contents = parse_contents(scanner, kMostGlobalBytes);
    relocation.bytes = contents.bytes;
    relocation.words = std::move(contents.words);
  }
  next_relocation_ = std::max(next_relocation_, relocation.offset + 4);
  define_in_module(scanner, column, relocation.name, relocation.offset);
  module_.relocations.push_back(std::move(relocation));
}

}  // namespace gvp::gpgpu::g80
