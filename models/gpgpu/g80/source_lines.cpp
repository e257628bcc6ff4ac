// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/source_lines.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/cubin_elf.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr uint16_t kMachineOffset = 18;  // of an ELF file's header
constexpr std::string_view kTextCubin = "architecture {sm_1";
constexpr std::string_view kLines = "lines {";

bool is_elf_cubin(std::string_view contents) {
  return contents.substr(0, 4) == "\177ELF" && contents.size() > kMachineOffset &&
         static_cast<unsigned char>(contents[kMachineOffset]) == cubin_elf::kMachineCuda;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_text(char c) { return is_blank(c) || (c >= ' ' && c <= '~'); }

// Where the text cubin that begins here ends: behind its last whole block.
std::size_t end_of_cubin(std::string_view contents, std::size_t begin) {
  std::size_t end = begin;
  unsigned depth = 0;
  for (std::size_t at = begin; at < contents.size() && is_text(contents[at]); ++at) {
    const char c = contents[at];
    if (c == '{') ++depth;
    if (c == '}' && depth == 0) break;
    if (c == '}' && --depth == 0) end = at + 1;
    const bool of_name = is_blank(c) || (c >= 'a' && c <= 'z') || c == '{' || c == '}';
    if (depth == 0 && !of_name) break;
  }
  return end;
}

}  // namespace

void SourceLines::learn(std::string_view contents) {
  if (is_elf_cubin(contents)) return add(contents);
  for (std::size_t at = contents.find(kTextCubin); at != std::string_view::npos;) {
    const std::size_t end = std::max(end_of_cubin(contents, at), at + kTextCubin.size());
    const std::string_view cubin = contents.substr(at, end - at);
    if (cubin.find(kLines) != std::string_view::npos) add(cubin);
    at = contents.find(kTextCubin, end);
  }
}

void SourceLines::add(std::string_view cubin) {
  try {
    for (Kernel& kernel : parse_cubin(cubin, "").kernels)
      if (!kernel.lines.empty()) kernels_.push_back(std::move(kernel));
  } catch (const Error&) {
    // Damaged, or of another machine: the same file loaded as a kernel is refused with the reason.
  }
}

const LineTable* SourceLines::find(std::string_view kernel, const uint32_t* code,
                                   std::size_t words) const {
  const LineTable* found = nullptr;
  for (const Kernel& each : kernels_) {
    if (each.code.size() > words || !std::equal(each.code.begin(), each.code.end(), code)) continue;
    if (each.name == kernel) return &each.lines;
    found = &each.lines;
  }
  return found;
}

}  // namespace gvp::gpgpu::g80
