// SPDX-License-Identifier: Apache-2.0
#include "models/host/page_table.h"

#include <gtest/gtest.h>

namespace gvp::host {
namespace {

constexpr uint32_t kRam = 0x50000000;
constexpr uint32_t kPage = PageTable::kPageBytes;

PageTable::Page page(uint32_t address) {
  PageTable::Page result;
  result.read_tag = address;
  result.write_tag = address;
  result.offset = 0x700000000000;
  return result;
}

bool matches(const PageTable& table, uint32_t address, uint32_t bytes) {
  return (address & PageTable::tag_mask(bytes)) ==
         table.pages()[PageTable::index(address)].read_tag;
}

TEST(PageTableTest, NoPageMatchesBeforeItIsRemembered) {
  PageTable table;
  table.allocate();
  for (const uint32_t address : {0u, kPage, kRam, 0xfffff000u})
    EXPECT_FALSE(matches(table, address, 1)) << std::hex << address;
}

TEST(PageTableTest, NoTwoPagesCompete) {
  PageTable table;
  table.allocate();
  for (const uint32_t distance : {0x1000u, 0x100000u, 0x1000000u, 0x10000000u}) {
    table.remember(kRam, kRam, page(kRam));
    table.remember(kRam + distance, kRam + distance, page(kRam + distance));
    EXPECT_TRUE(matches(table, kRam + 12, 4));
    EXPECT_TRUE(matches(table, kRam + distance + 12, 4));
  }
}

TEST(PageTableTest, UnalignedAddressesDoNotMatch) {
  PageTable table;
  table.allocate();
  table.remember(kRam, kRam, page(kRam));
  EXPECT_TRUE(matches(table, kRam + 3, 1));
  EXPECT_FALSE(matches(table, kRam + 3, 2));
  EXPECT_FALSE(matches(table, kRam + 2, 4));
}

TEST(PageTableTest, ForgettingForgetsAll) {
  PageTable table;
  table.allocate();
  table.remember(0, 0, page(0));
  table.remember(kRam, kRam, page(kRam));
  table.remember(0xc0000000, kRam, page(0xc0000000));
  table.forget();
  for (const uint32_t address : {0u, kRam, 0xc0000000u})
    EXPECT_FALSE(matches(table, address, 1)) << std::hex << address;
}

TEST(PageTableTest, LinesWithCodeAreThoseOfThePhysicalPage) {
  PageTable table;
  table.allocate();
  const uint32_t other = kRam + kPage;
  table.remember(kRam, other, page(kRam));  // two pages changed places
  table.remember(other, kRam, page(other));
  table.remember(0xc0000000, kRam, page(0xc0000000));
  table.set_code_lines(kRam + 64, 2);
  EXPECT_EQ(table.pages()[PageTable::index(kRam)].code_lines, 0u);
  EXPECT_EQ(table.pages()[PageTable::index(other)].code_lines, 2u);
  EXPECT_EQ(table.pages()[PageTable::index(0xc0000000)].code_lines, 2u);
}

TEST(PageTableTest, LinesWithCodeReachUntranslatedPages) {
  PageTable table;
  table.allocate();
  table.remember(kRam, kRam, page(kRam));
  table.set_code_lines(kRam, 1);
  EXPECT_EQ(table.pages()[PageTable::index(kRam)].code_lines, 1u);
  table.set_code_lines(kRam, 0);
  EXPECT_EQ(table.pages()[PageTable::index(kRam)].code_lines, 0u);
}

// The list of translated pages is searched each time a block is built.
TEST(PageTableTest, TranslatedPagesAreBounded) {
  PageTable table;
  table.allocate();
  const uint32_t first = 0xc0000000;
  uint32_t address = first;
  do {
    table.remember(address, kRam, page(address));
    address += kPage;
  } while (matches(table, first, 1) && address != 0);
  EXPECT_NE(address, 0u) << "nothing was ever forgotten";
  EXPECT_TRUE(matches(table, address - kPage, 1));
}

}  // namespace
}  // namespace gvp::host
