// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/gpgpu/g80/disassembler.h"

namespace gvp::gpgpu::g80 {
namespace {

// Long instructions at odd words, and code of an odd number of words: the assembler would align.
bool needs_no_alignment(const std::vector<DisassembledLine>& lines, std::size_t words) {
  return words % 2 != 0 ||
         std::any_of(lines.begin(), lines.end(), [](const DisassembledLine& line) {
           return line.words == 2 && line.address % 8 != 0;
         });
}

std::string constant_directive(const ConstantSegment& segment) {
  std::string text = ".const ";
  if (!segment.name.empty()) text += segment.name + ", ";
  text += fmt::format("c{}[{:#x}], ", segment.bank, segment.offset);
  if (segment.words.empty()) return text + fmt::format("[{}]\n", segment.bytes);
  std::vector<std::string> words;
  for (const uint32_t word : segment.words) words.push_back(fmt::format("{:#x}", word));
  return text + fmt::format("{}\n", fmt::join(words, ", "));
}

// The short form where the assembler would choose the same word of c14.
std::string global_directive(const Relocation& r, uint32_t& next) {
  const bool plain = r.bank == 14 && r.offset == next && r.words.empty();
  next = std::max(next, r.offset + 4);
  if (plain) return fmt::format(".global {}, {}\n", r.name, r.bytes);
  std::string text = fmt::format(".global {}, c{}[{:#x}], ", r.name, r.bank, r.offset);
  if (r.words.empty()) return text + fmt::format("[{}]\n", r.bytes);
  std::vector<std::string> words;
  for (const uint32_t word : r.words) words.push_back(fmt::format("{:#x}", word));
  return text + fmt::format("{}\n", fmt::join(words, ", "));
}

std::string header(const Kernel& kernel, bool no_alignment) {
  std::string text = fmt::format(".kernel {}\n", kernel.name);
  // Code without a cubin around it (.hex) does not say what it needs.
  if (kernel.registers != 0)
    text += fmt::format(".regs {}\n.bar {}\n", kernel.registers, kernel.barriers);
  if (kernel.parameter_bytes)
    text += *kernel.parameter_bytes == 0
                ? ".param\n"
                : fmt::format(".param parameters {}\n", *kernel.parameter_bytes);
  if (kernel.static_shared_bytes() != 0)
    text += fmt::format(".shared {}\n", kernel.static_shared_bytes());
  if (kernel.local_bytes != 0) text += fmt::format(".local {}\n", kernel.local_bytes);
  for (const ConstantSegment& segment : kernel.constants) text += constant_directive(segment);
  if (no_alignment) text += ".noalign\n";
  return text;
}

void append_code(std::string& text, const Kernel& kernel,
                 const std::vector<DisassembledLine>& lines, const ListingOptions& options) {
  const char* dim = options.colours ? "\033[2m" : "";
  const char* warn = options.colours ? "\033[33m" : "";
  const char* normal = options.colours ? "\033[0m" : "";
  auto row = kernel.lines.rows().begin();
  for (const DisassembledLine& line : lines) {
    for (; !options.plain && row != kernel.lines.rows().end() && row->address <= line.address;
         ++row)
      text += fmt::format("    {}//## File \"{}\", line {}{}\n", dim,
                          kernel.lines.files()[row->file], row->line, normal);
    if (options.plain) {
      text += line.text + '\n';
      continue;
    }
    const uint32_t first = kernel.code[line.address / 4];
    const std::string words =
        line.words == 2 ? fmt::format("{:#010x} {:#010x}", first, kernel.code[line.address / 4 + 1])
                        : fmt::format("{:#010x}", first);
    text += fmt::format("    {}/*{:04x}*/{}  {:<46} {}/* {} */{}", dim, line.address, normal,
                        line.text, dim, words, normal);
    if (!line.remark.empty()) text += fmt::format("  {}// {}{}", warn, line.remark, normal);
    text += '\n';
  }
}

}  // namespace

std::string to_listing(const Module& module, const ListingOptions& options) {
  std::string text;
  if (!options.plain) {
    for (const ConstantSegment& segment : module.constants) text += constant_directive(segment);
    uint32_t next = 0;
    for (const Relocation& r : module.relocations) text += global_directive(r, next);
  }
  for (const Kernel& kernel : module.kernels) {
    const auto lines = disassemble(kernel.code.data(), kernel.code.size());
    if (!options.plain)
      text += (text.empty() ? "" : "\n") +
              header(kernel, needs_no_alignment(lines, kernel.code.size()));
    append_code(text, kernel, lines, options);
  }
  return text;
}

std::string list_kernels(const Module& module) {
  std::string text;
  for (const Kernel& kernel : module.kernels) {
    text += fmt::format("{}: {} words, {} registers, {} bytes shared, {} bytes local, {} barriers",
                        kernel.name, kernel.code.size(), kernel.registers, kernel.shared_bytes,
                        kernel.local_bytes, kernel.barriers);
    if (kernel.parameter_bytes)
      text += fmt::format(", {} bytes of parameters", *kernel.parameter_bytes);
    text += '\n';
  }
  return text;
}

std::string list_problems(const Module& module) {
  std::string text;
  for (const Kernel& kernel : module.kernels)
    for (const DisassembledLine& line : disassemble(kernel.code.data(), kernel.code.size()))
      if (!line.remark.empty())
        text += fmt::format("{}+{:#06x}: {}\n", kernel.name, line.address, line.remark);
  return text;
}

}  // namespace gvp::gpgpu::g80
