// SPDX-License-Identifier: Apache-2.0
#include "models/cache/settings.h"

#include <gmock/gmock.h>

#include "models/base/error.h"
#include "models/cache/keys.h"

namespace gvp::cache {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string complaint(const Settings& settings) {
  try {
    validate(settings, "gpgpu.l1");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CacheSettings, DefaultsArePossible) { EXPECT_EQ(complaint({}), ""); }

TEST(CacheSettings, SetsArePowersOfTwo) {
  Settings s;
  s.sets = 24;
  EXPECT_THAT(complaint(s), AllOf(HasSubstr("gpgpu.l1.sets = 24"), HasSubstr("power of two")));
}

TEST(CacheSettings, WaysNeedNotBe) {
  Settings s;
  s.ways = 3;
  EXPECT_EQ(complaint(s), "");
  s.ways = 65;
  EXPECT_THAT(complaint(s), AllOf(HasSubstr("gpgpu.l1.ways = 65"), HasSubstr("1 to 64")));
}

TEST(CacheSettings, SectorIsNoLargerThanALine) {
  Settings s;
  s.line_bytes = 64;
  EXPECT_THAT(complaint(s), AllOf(HasSubstr("gpgpu.l1.sector_bytes = 128"), HasSubstr("64")));
}

TEST(CacheSettings, ReplacementIsOneOfThree) {
  Settings s;
  s.replacement = "plru";
  EXPECT_THAT(complaint(s),
              AllOf(HasSubstr("gpgpu.l1.replacement"), HasSubstr("lru, fifo or random")));
}

TEST(CacheSettings, SeedIsNotZero) {
  Settings s;
  s.seed = 0;
  EXPECT_THAT(complaint(s), HasSubstr("gpgpu.l1.seed = 0"));
}

TEST(CacheSettings, WriteEvictCannotAllocate) {
  Settings s;
  s.write_allocate = true;
  EXPECT_THAT(complaint(s), HasSubstr("gpgpu.l1.write_allocate = true"));
  s.write = "write-back";
  EXPECT_EQ(complaint(s), "");
}

TEST(CacheKeys, SetTheFieldOfTheCacheThatTheyName) {
  struct Device {
    Settings l1, l2;
  };
  std::any settings = Device{};
  for (const device::Key& key : cache_keys<&Device::l2>("l2", "L2"))
    if (key.name == "l2.ways")
      device::assign(key.field(settings), key.allowed, key.name, int64_t{7}, {});
  EXPECT_EQ(std::any_cast<Device&>(settings).l2.ways, 7u);
  EXPECT_EQ(std::any_cast<Device&>(settings).l1.ways, Settings{}.ways);
}

}  // namespace
}  // namespace gvp::cache
