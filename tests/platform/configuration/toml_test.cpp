// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/host/configuration.h"
#include "platform/configuration/keys.h"
#include "tests/platform/console_line.h"
#include "tests/support/seed.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& text) {
  Configuration configuration;
  try {
    read_text(configuration, text, "p.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

TEST(PlatformFile, SectionsAndDottedKeysMeanTheSame) {
  Configuration one, two;
  read_text(one, "quantum_ns = 500\n[gpgpu]\nsps = 32\nglobal_memory = 'ddr3'\n", "a");
  read_text(two, "gpgpu.global_memory = \"ddr3\"\ngpgpu.sps = 32\nquantum_ns = 5e2\n", "b");
  EXPECT_EQ(write_toml(one), write_toml(two));
  EXPECT_EQ(one.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps, 32u);
}

TEST(PlatformFile, ErrorsNameFileLineAndColumn) {
  EXPECT_EQ(error_of("[gpgpu]\n  spss = 3\n"),
            "p.toml:2:3: unknown key \"gpgpu.spss\" (did you mean \"gpgpu.sps\"?)");
  EXPECT_EQ(error_of("[gpgpu]\nsps = 12\n"),
            "p.toml:2:7: gpgpu.sps = 12 is not possible (allowed: 8, 16 or 32)");
  EXPECT_EQ(error_of("[gpgpu]\nsps = [8]\n"),
            "p.toml:2:7: gpgpu.sps needs a whole number, not an array (allowed: 8, 16 or 32)");
  EXPECT_EQ(error_of("[gpgpu]\nsps = 1979-05-27\n"),
            "p.toml:2:7: gpgpu.sps needs a whole number, not a date or time "
            "(allowed: 8, 16 or 32)");
  EXPECT_THAT(error_of("[gpgpu\n"), StartsWith("p.toml:1:"));
}

TEST(PlatformFile, UnknownSectionsAreRefusedEvenWhenEmpty) {
  EXPECT_THAT(error_of("[gpgu]\n"), HasSubstr("unknown key \"gpgu\""));
  EXPECT_THAT(error_of("[gpgu]\nsps = 8\n"), HasSubstr("did you mean \"gpgpu.sps\"?"));
  EXPECT_EQ(error_of("[gpgpu]\n"), "accepted");
}

TEST(PlatformFile, ARepeatedKeyIsRefused) {
  EXPECT_THAT(error_of("quantum_ns = 5\nquantum_ns = 6\n"), StartsWith("p.toml:2:"));
}

TEST(PlatformFile, MissingFileIsRefusedByName) {
  Configuration configuration;
  try {
    read_file(configuration, "/nowhere/p.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("/nowhere/p.toml: cannot open"));
  }
}

TEST(PlatformFile, AnythingThatIsNoTextIsRefusedWithoutHarm) {
  const uint32_t seed = gvp::test::seed(20260101);
  SCOPED_TRACE(gvp::test::text_of_seed(seed));
  std::mt19937 random(seed);
  const std::string good = write_toml(Configuration{});
  for (int i = 0; i < 300; ++i) {
    std::string text = good;
    for (int changes = 0; changes < 4; ++changes)
      text[random() % text.size()] = static_cast<char>(random());
    Configuration configuration;
    try {
      read_text(configuration, text, "mutated");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
    }
  }
}

TEST(PlatformFile, DumpReadsBackIdentically) {
  Configuration changed;
  assign(changed, "quantum_ns=0x10");
  assign(changed, "host.clock_hz=66666666.7");
  assign(changed, "gpgpu.sps=32");
  assign(changed, "gpgpu.multiplier=false");
  assign(changed, "uart16550.line=file:odd \"name\"\t.txt");
  Configuration read;
  read_text(read, write_toml(changed), "dump");
  EXPECT_EQ(write_toml(read), write_toml(changed));
  EXPECT_EQ(read.settings<host::Configuration>("host").clock_hz, 66666666.7);
  EXPECT_EQ(line_of(read), "file:odd \"name\"\t.txt");
}

TEST(PlatformFile, ShippedFilesAreValid) {
  for (const char* name :
       {"flexgrip.toml", "flexgripplus.toml", "flexgrip_thesis.toml", "flexgrip_chapter5.toml"}) {
    Configuration configuration;
    EXPECT_NO_THROW(
        read_file(configuration, std::string(GVP_SOURCE_DIR) + "/platform/configs/" + name))
        << name;
  }
}

TEST(PlatformFile, FlexgripIsTheBuiltInDefault) {
  Configuration configuration;
  read_file(configuration, std::string(GVP_SOURCE_DIR) + "/platform/configs/flexgrip.toml");
  EXPECT_EQ(write_toml(configuration), write_toml(Configuration{}));
}

}  // namespace
}  // namespace gvp::platform
