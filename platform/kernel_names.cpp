// SPDX-License-Identifier: Apache-2.0
#include "platform/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"

namespace gvp::platform {
namespace {

namespace g80 = gpgpu::g80;
using Names = std::map<std::string, std::string>;

constexpr size_t kShortestCubin = 64;

bool is_text(uint8_t byte) {
  return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t' || byte == '\r';
}

// The device hashes (FNV-1a) what it can reach of a kernel's code, which may end before padding
// does: every prefix stands for the kernel.
void add_prefixes(Names& names, const g80::Kernel& kernel) {
  uint32_t hash = 2166136261u;
  for (const uint32_t word : kernel.code) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (word >> shift & 0xffu)) * 16777619u;
    names.emplace(fmt::format("code-{:08x}", hash), kernel.name);
  }
}

void add_cubin(Names& names, std::string_view text) {
  try {
    for (const g80::Kernel& kernel : g80::parse_text_cubin(text, "").kernels)
      add_prefixes(names, kernel);
  } catch (const Error&) {
    // Text that looks like a cubin and is none.
  }
}

}  // namespace

Names kernel_names(const std::vector<uint8_t>& image) {
  Names names;
  for (auto at = image.begin(); at != image.end();) {
    const auto begin = std::find_if(at, image.end(), is_text);
    const auto end = std::find_if_not(begin, image.end(), is_text);
    at = end;
    if (end - begin < static_cast<std::ptrdiff_t>(kShortestCubin)) continue;
    const std::string_view text(reinterpret_cast<const char*>(&*begin),
                                static_cast<size_t>(end - begin));
    // Neighbouring bytes that look like text do not belong to it.
    const size_t first = text.find("architecture");
    const size_t last = text.rfind('}');
    if (first != std::string_view::npos && last != std::string_view::npos && first < last)
      add_cubin(names, text.substr(first, last + 1 - first));
  }
  return names;
}

}  // namespace gvp::platform
