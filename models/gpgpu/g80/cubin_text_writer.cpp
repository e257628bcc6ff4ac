// SPDX-License-Identifier: Apache-2.0
// Writes the text form of cubins, as cubin_text.cpp reads it.
#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/g80/cubin.h"

namespace gvp::gpgpu::g80 {
namespace {

void append_words(std::string& text, const std::vector<uint32_t>& words, const char* indent) {
  for (std::size_t n = 0; n < words.size(); n += 4) {
    text += indent;
    for (std::size_t m = n; m < std::min(n + 4, words.size()); ++m)
      text += fmt::format("{:#010x} ", words[m]);
    text += '\n';
  }
}

void append_segment(std::string& text, const char* block, const char* segname,
                    const ConstantSegment& s, const std::string& indent) {
  text += fmt::format("{}{} {{\n", indent, block);
  if (!s.name.empty()) text += fmt::format("{}\tname = {}\n", indent, s.name);
  text +=
      fmt::format("{0}\tsegname = {1}\n{0}\tsegnum = {2}\n{0}\toffset = {3}\n{0}\tbytes = {4}\n",
                  indent, segname, s.bank, s.offset, s.bytes);
  if (!s.words.empty()) {
    text += indent + "\tmem {\n";
    append_words(text, s.words, (indent + "\t\t").c_str());
    text += indent + "\t}\n";
  }
  text += indent + "}\n";
}

std::string encoded(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool plain = c > ' ' && c <= '~' && std::string_view("{}=%").find(c) == std::string::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

void append_lines(std::string& text, const Kernel& kernel) {
  if (kernel.lines.empty()) return;
  text += fmt::format("lines {{\n\tname = {}\n", kernel.name);
  for (const std::string& file : kernel.lines.files())
    text += fmt::format("\tfile = {}\n", encoded(file));
  text += "\trows {\n";
  for (const LineTable::Row& row : kernel.lines.rows())
    text += fmt::format("\t\t{:#06x} {} {}\n", row.address, row.file, row.line);
  text += "\t}\n}\n";
}

}  // namespace

std::string to_text_cubin(const Module& module) {
  std::string text = fmt::format("architecture {{{}}}\nabiversion {{{}}}\nmodname {{{}}}\n",
                                 module.architecture, module.abi_version, module.name);
  for (const ConstantSegment& segment : module.constants)
    append_segment(text, "consts", "const", segment, "");
  for (const Relocation& r : module.relocations)
    append_segment(text, "reloc", "reloc", {r.name, r.bank, r.offset, r.bytes, r.words}, "");
  for (const Kernel& kernel : module.kernels) {
    text += fmt::format("code {{\n\tname = {}\n\tlmem = {}\n\tsmem = {}\n\treg = {}\n\tbar = {}\n",
                        kernel.name, kernel.local_bytes, kernel.shared_bytes, kernel.registers,
                        kernel.barriers);
    if (kernel.parameter_bytes) text += fmt::format("\tparam = {}\n", *kernel.parameter_bytes);
    text += "\tbincode {\n";
    append_words(text, kernel.code, "\t\t");
    text += "\t}\n";
    for (const ConstantSegment& segment : kernel.constants)
      append_segment(text, "const", "const", segment, "\t");
    text += "}\n";
    append_lines(text, kernel);
  }
  return text;
}

}  // namespace gvp::gpgpu::g80
