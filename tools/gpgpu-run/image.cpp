// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/image.h"

#include <cstring>
#include <string_view>

#include "models/gpgpu/g80/cubin.h"
#include "tools/console.h"

namespace gvp::tools {
namespace {

bool is_hex(const std::string& path) {
  constexpr std::string_view kSuffix = ".hex";
  return path.size() > kSuffix.size() &&
         path.compare(path.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
}

}  // namespace

std::vector<uint8_t> read_image(const std::string& path, const FileKind& place) {
  if (!is_hex(path)) {
    const std::string contents = read_whole_file(path, place);
    return {contents.begin(), contents.end()};
  }
  const std::vector<uint32_t> words = gpgpu::g80::read_hex(path);
  std::vector<uint8_t> bytes(words.size() * sizeof(uint32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

void write_image(const std::string& path, const std::vector<uint8_t>& bytes) {
  if (path != "-" && !is_hex(path)) {
    write_output(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return;
  }
  std::vector<uint32_t> words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  write_output(path, gpgpu::g80::to_hex(words));
}

}  // namespace gvp::tools
