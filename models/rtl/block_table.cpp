// SPDX-License-Identifier: Apache-2.0
#include "models/rtl/block_table.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::rtl {
namespace {

std::vector<const gvp_rtl_block*>& table() {
  static std::vector<const gvp_rtl_block*> all = built_in_blocks();
  return all;
}

}  // namespace

void register_block(const gvp_rtl_block& block) {
  if (block.interface_version != GVP_RTL_INTERFACE_VERSION)
    throw bad_input(fmt::format("RTL block {} was built for version {} of the pin interface; this "
                                "program has version {}",
                                block.name, block.interface_version, GVP_RTL_INTERFACE_VERSION),
                    {}, "build it again, against this version's package");
  if (find_block(block.name) != nullptr)
    throw bad_input(fmt::format("there is an RTL block {} already", block.name));
  table().push_back(&block);
}

const gvp_rtl_block* find_block(std::string_view name) {
  for (const gvp_rtl_block* block : table())
    if (name == block->name) return block;
  return nullptr;
}

const gvp_rtl_block& block_named(const std::string& name) {
  if (const gvp_rtl_block* block = find_block(name)) return *block;
  if (built_in_blocks().empty())
    throw bad_input(
        fmt::format("this program was built without Verilator: it has no RTL block {}", name), {},
        "install the Debian packages verilator and zlib1g-dev and build again");
  std::string names;
  for (const gvp_rtl_block* block : table())
    names += (names.empty() ? "" : ", ") + std::string(block->name);
  throw bad_input(fmt::format("there is no RTL block {}", name), {},
                  fmt::format("blocks are {}; --plugin FILE.so adds others", names));
}

}  // namespace gvp::rtl
