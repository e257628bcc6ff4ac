// SPDX-License-Identifier: Apache-2.0
#include "platform/elf/elf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <random>

#include "models/base/error.h"
#include "tests/platform/elf/elf_image.h"
#include "tests/support/seed.h"

namespace gvp::platform {
namespace {

using test::elf_image;
using testing::HasSubstr;

// Memory at 0..0xffff and 0x50000000..0x5000ffff that counts what is written.
struct FakeMemory {
  std::map<uint32_t, uint8_t> bytes;
  size_t written = 0;

  static size_t present(uint32_t address, size_t size) {
    const uint32_t offset = address & 0x0fffffff;
    const bool exists = (address >> 28 == 0 || address >> 28 == 5) && offset < 0x10000;
    return exists ? std::min<size_t>(size, 0x10000 - offset) : 0;
  }
  LoaderMemory loader() {
    return {[this](uint32_t address, void* data, size_t size) {
              const size_t done = present(address, size);
              for (size_t i = 0; i < done; ++i)
                static_cast<uint8_t*>(data)[i] = bytes[address + static_cast<uint32_t>(i)];
              return done;
            },
            [this](uint32_t address, const void* data, size_t size) {
              const size_t done = present(address, size);
              for (size_t i = 0; i < done; ++i)
                bytes[address + static_cast<uint32_t>(i)] = static_cast<const uint8_t*>(data)[i];
              written += done;
              return done;
            },
            "look at the board"};
  }
};

std::vector<uint8_t> good_image() {
  return elf_image({{0x50, {1, 2, 3, 4, 5, 6, 7, 8}, 8}, {0x50000000, {9, 10}, 100}}, 0x50,
                   {{"_start", 0x50, 8}, {"value", 0x50000000, 2, STT_OBJECT}});
}

std::string error_of(std::vector<uint8_t> image) {
  try {
    const ElfFile file = parse_elf(std::move(image), "f.elf");
    FakeMemory memory;
    load(file, memory.loader());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

// The good image with one field of the ELF header changed.
template <typename T>
std::vector<uint8_t> with_header(size_t offset, T value) {
  std::vector<uint8_t> image = good_image();
  std::memcpy(image.data() + offset, &value, sizeof value);
  return image;
}

// The good image with one field of the first program header changed.
std::vector<uint8_t> with_segment(size_t offset, uint32_t value) {
  return with_header(sizeof(Elf32_Ehdr) + offset, value);
}

TEST(ElfFile, SegmentsAreLoadedAtTheirPhysicalAddresses) {
  const ElfFile file = parse_elf(good_image(), "f.elf");
  FakeMemory memory;
  load(file, memory.loader());
  EXPECT_EQ(file.entry, 0x50u);
  EXPECT_FALSE(file.big_endian);
  EXPECT_EQ(memory.bytes[0x50], 1);
  EXPECT_EQ(memory.bytes[0x57], 8);
  EXPECT_EQ(memory.bytes[0x50000001], 10);
}

TEST(ElfFile, BssIsWrittenOnlyWhereMemoryIsNotZero) {
  const ElfFile file = parse_elf(good_image(), "f.elf");
  FakeMemory clean;
  load(file, clean.loader());
  EXPECT_EQ(clean.written, 10u);
  FakeMemory dirty;
  dirty.bytes[0x50000050] = 77;
  load(file, dirty.loader());
  EXPECT_EQ(dirty.bytes[0x50000050], 0);
}

TEST(ElfFile, TheOldMachineNumberIsAccepted) {
  EXPECT_EQ(error_of(with_header<uint16_t>(offsetof(Elf32_Ehdr, e_machine), 0xbaab)), "accepted");
}

TEST(ElfFile, WhatIsNoMicroblazeExecutableIsRefused) {
  EXPECT_THAT(error_of({}), HasSubstr("f.elf: not an ELF file"));
  EXPECT_THAT(error_of(std::vector<uint8_t>(100, 'x')), HasSubstr("not an ELF file"));
  EXPECT_THAT(error_of(with_header<uint16_t>(offsetof(Elf32_Ehdr, e_machine), EM_X86_64)),
              HasSubstr("built for x86-64, not for MicroBlaze"));
  EXPECT_THAT(error_of(with_header<uint16_t>(offsetof(Elf32_Ehdr, e_type), ET_REL)),
              HasSubstr("a relocatable object, not an executable (link it first)"));
  EXPECT_THAT(error_of(elf_image({}, 0)), HasSubstr("nothing to load"));
}

TEST(ElfFile, ASegmentOutsideMemoryIsNamedWithItsRange) {
  EXPECT_EQ(error_of(elf_image({{0x50, {1, 2, 3, 4}, 4}, {0x40000000, {1}, 0x20}}, 0x50)),
            "f.elf: segment 1 (0x40000000 to 0x4000001f) lies outside memory: there is none at "
            "0x40000000 (look at the board)");
  EXPECT_THAT(error_of(elf_image({{0xfff0, {1, 2, 3, 4}, 0x20}}, 0xfff0)),
              HasSubstr("there is none at 0x00010000"));
}

TEST(ElfFile, CorruptProgramHeadersAreRefused) {
  EXPECT_THAT(error_of(with_segment(offsetof(Elf32_Phdr, p_filesz), 0x7fffffff)),
              HasSubstr("segment 0: more bytes in the file than in memory"));
  EXPECT_THAT(error_of(with_segment(offsetof(Elf32_Phdr, p_offset), 0xfffffff0)),
              HasSubstr("beyond the end of the file"));
  EXPECT_THAT(error_of(with_segment(offsetof(Elf32_Phdr, p_memsz), 0xffffffff)),
              HasSubstr("exceeds the 32-bit address space"));
  EXPECT_THAT(error_of(with_segment(offsetof(Elf32_Phdr, p_paddr), 0x50000001)),
              HasSubstr("segments 1 and 0 overlap at 0x50000001"));
}

TEST(ElfFile, TheEntryPointMustBeCode) {
  EXPECT_THAT(error_of(with_header<uint32_t>(offsetof(Elf32_Ehdr, e_entry), 0x51)),
              HasSubstr("entry point 0x00000051 is not a multiple of 4"));
  EXPECT_THAT(error_of(with_header<uint32_t>(offsetof(Elf32_Ehdr, e_entry), 0x1000)),
              HasSubstr("is in no loaded segment"));
}

TEST(ElfFile, EveryTruncationIsRefusedOrHarmless) {
  const std::vector<uint8_t> image = good_image();
  for (size_t size = 0; size < image.size(); ++size) {
    const std::string outcome = error_of({image.begin(), image.begin() + static_cast<long>(size)});
    if (size < sizeof(Elf32_Ehdr) + 2 * sizeof(Elf32_Phdr) + 10) {
      EXPECT_NE(outcome, "accepted") << "cut to " << size << " bytes";
    }
  }
}

TEST(ElfFile, MutatedFilesDoNoHarm) {
  const uint32_t seed = gvp::test::seed(12345);
  SCOPED_TRACE(gvp::test::text_of_seed(seed));
  std::mt19937 random(seed);
  const std::vector<uint8_t> good = good_image();
  for (int i = 0; i < 5000; ++i) {
    std::vector<uint8_t> image = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
      image[random() % image.size()] = static_cast<uint8_t>(random());
    error_of(std::move(image));
  }
}

TEST(SymbolTable, DescribesAddressesByTheSymbolThatHoldsThem) {
  const ElfFile file = parse_elf(
      elf_image({{0x50, std::vector<uint8_t>(64), 64}}, 0x50,
                {{"_start", 0x50, 16}, {"label", 0x60, 0, STT_NOTYPE}, {"main", 0x70, 8}}),
      "f.elf");
  EXPECT_EQ(file.symbols.describe(0x50), "_start");
  EXPECT_EQ(file.symbols.describe(0x5c), "_start+0xc");
  EXPECT_EQ(file.symbols.describe(0x64), "label+0x4");
  EXPECT_EQ(file.symbols.describe(0x77), "main+0x7");
  EXPECT_EQ(file.symbols.describe(0x78), "");
  EXPECT_EQ(file.symbols.describe(0x4f), "");
  ASSERT_NE(file.symbols.find("main"), nullptr);
  EXPECT_EQ(file.symbols.find("main")->address, 0x70u);
}

TEST(SymbolTable, PrefersFunctionsAmongSymbolsOfOneAddress) {
  const SymbolTable table({{0x10, 0, "text_begin", false}, {0x10, 8, "main", true}});
  EXPECT_EQ(table.describe(0x10), "main");
}

}  // namespace
}  // namespace gvp::platform
