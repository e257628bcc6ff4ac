// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "models/gpgpu/flexgrip/configuration.h"
#include "models/host/configuration.h"
#include "platform/configuration/documentation.h"
#include "tests/platform/console_line.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& assignment) {
  Configuration configuration;
  try {
    assign(configuration, assignment);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

TEST(Keys, NamesAreUniqueAndSectionsStayTogether) {
  std::set<std::string> names, sections;
  std::string section = "none yet";
  for (const Key& key : Configuration{}.keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    if (key.section() == section) continue;
    section = key.section();
    EXPECT_TRUE(sections.insert(section).second) << "section in two places: " << section;
  }
}

TEST(Keys, EachStandsForAFieldOfItsOwn) {
  Configuration configuration;
  std::set<const void*> fields;
  for (const Key& key : Configuration{}.keys())
    std::visit([&](auto* field) { EXPECT_TRUE(fields.insert(field).second) << key.name; },
               key.field(configuration));
}

TEST(Keys, DefaultsAreAllowed) {
  Configuration configuration;
  for (const Key& key : Configuration{}.keys())
    EXPECT_NO_THROW(assign(configuration, key.name + "=" + value_text(Configuration{}, key)))
        << key.name;
}

TEST(Keys, SetTakesEachTypeOfValue) {
  Configuration configuration;
  assign(configuration, "gpgpu.sps=16");
  assign(configuration, "gpgpu.global_bytes=0x10_0000");
  assign(configuration, "gpgpu.multiplier=false");
  assign(configuration, "host.clock_hz=5e7");
  assign(configuration, "gpgpu.global_memory=ddr3");
  assign(configuration, "ddr3.model=\"at\"");
  assign(configuration, "uart16550.line=file:a=b.txt");
  EXPECT_EQ(configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps, 16u);
  EXPECT_EQ(configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").global_bytes,
            0x100000u);
  EXPECT_FALSE(configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").multiplier);
  EXPECT_EQ(configuration.settings<host::Configuration>("host").clock_hz, 50e6);
  EXPECT_EQ(configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").global_memory, "ddr3");
  EXPECT_EQ(configuration.model("ddr3"), "at");
  EXPECT_EQ(line_of(configuration), "file:a=b.txt");
}

TEST(Keys, UnknownNameSuggestsTheNearest) {
  EXPECT_EQ(error_of("gpgpu.spss=3"),
            "--set gpgpu.spss=3: unknown key \"gpgpu.spss\" (did you mean \"gpgpu.sps\"?)");
}

TEST(Keys, WrongTypeNamesTheTypeAndWhatIsAllowed) {
  EXPECT_THAT(error_of("gpgpu.sps=many"),
              HasSubstr("gpgpu.sps needs a whole number, not \"many\" (allowed: 8, 16 or 32)"));
  EXPECT_THAT(error_of("gpgpu.sms=1.5"), HasSubstr("needs a whole number, not 1.5"));
  EXPECT_THAT(error_of("gpgpu.sms="), HasSubstr("needs a whole number, not \"\""));
  EXPECT_THAT(error_of("gpgpu.multiplier=1"), HasSubstr("needs a boolean, not 1"));
  EXPECT_THAT(error_of("quantum_ns=1e999"), HasSubstr("needs a number"));
}

TEST(Keys, ValuesOutsideTheRangeAreRefused) {
  EXPECT_THAT(error_of("gpgpu.sps=12"), HasSubstr("is not possible (allowed: 8, 16 or 32)"));
  EXPECT_THAT(error_of("gpgpu.sms=0"), HasSubstr("allowed: 1 to 64"));
  EXPECT_THAT(error_of("gpgpu.sms=-1"), HasSubstr("not -1"));
  EXPECT_THAT(error_of("gpgpu.sms=4294967297"), HasSubstr("needs a whole number"));
  EXPECT_THAT(error_of("gpgpu.sms=99999999999999999999"), HasSubstr("needs a whole number"));
  EXPECT_THAT(error_of("gpgpu.code_bytes=5001"), HasSubstr("1024 to 262144, a multiple of 8"));
  EXPECT_THAT(error_of("axi.data_bytes=3"), HasSubstr("1 to 128, a power of two"));
  EXPECT_THAT(error_of("gpgpu.global_memory=sram"), HasSubstr("allowed: bram or ddr3"));
  EXPECT_THAT(error_of("host.model=fast"), HasSubstr("allowed: lt, at or rtl[:NAME]"));
  EXPECT_THAT(error_of("uart16550.line=tcp:70000"), HasSubstr("tcp:PORT"));
}

TEST(Keys, SetWithoutValueShowsHowToWriteIt) {
  EXPECT_THAT(error_of("gpgpu.sps"), HasSubstr("--set KEY=VALUE"));
  EXPECT_THAT(error_of("=3"), HasSubstr("--set KEY=VALUE"));
}

TEST(Keys, DocumentationPageIsCurrent) {
  std::ifstream file(std::string(GVP_SOURCE_DIR) + "/docs/configuration.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(page, configuration_page(Configuration{}))
      << "regenerate: build/bin/gpgpu-vp --help-config > docs/configuration.md";
}

}  // namespace
}  // namespace gvp::platform
