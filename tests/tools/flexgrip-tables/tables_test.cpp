// SPDX-License-Identifier: Apache-2.0
// The packages of FlexGrip's RTL that are made from the models' tables are as they are made now.
#include "tools/flexgrip-tables/tables.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace gvp::tools {
namespace {

TEST(FlexGripTables, CommittedPackagesAreThoseOfTheModelsTables) {
  for (const Package& package : flexgrip_packages()) {
    std::ifstream file(GVP_SOURCE_DIR "/rtl/flexgrip/" + package.file, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == package.text)
        << package.file << " differs: run build/bin/flexgrip-tables rtl/flexgrip";
  }
}

}  // namespace
}  // namespace gvp::tools
