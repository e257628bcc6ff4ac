// SPDX-License-Identifier: Apache-2.0
// What a program says that was built without Verilator, and has plug-ins as its only blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/rtl/block_table.h"

namespace gvp::rtl {

// In the place of what CMake generates.
const std::vector<const gvp_rtl_block*>& built_in_blocks() {
  static const std::vector<const gvp_rtl_block*> none;
  return none;
}

namespace {

using testing::HasSubstr;

TEST(WithoutVerilator, ABlockOfItsOwnIsRefusedWithThePackagesToInstall) {
  try {
    block_named("axi_timer");
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("built without Verilator: it has no RTL block axi_timer"));
    EXPECT_THAT(error.what(), HasSubstr("install the Debian packages verilator and zlib1g-dev"));
  }
}

TEST(WithoutVerilator, ThoseOfPlugInsAreThere) {
  gvp_rtl_block block{};
  block.interface_version = GVP_RTL_INTERFACE_VERSION;
  block.name = "mine";
  register_block(block);
  EXPECT_EQ(&block_named("mine"), &block);
  EXPECT_THROW(register_block(block), Error);
  block.name = "other";
  block.interface_version = GVP_RTL_INTERFACE_VERSION + 1;
  EXPECT_THROW(register_block(block), Error);
}

}  // namespace
}  // namespace gvp::rtl
