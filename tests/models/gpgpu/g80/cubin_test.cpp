// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/cubin.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "models/base/error.h"
#include "models/gpgpu/g80/assembler.h"
#include "tests/models/gpgpu/g80/random_words.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::g80 {
namespace {

using testing::HasSubstr;

constexpr const char* kSource = R"(
.const table, c0[0x8], 1, 2, 3
.global counter, 4
.global grid, 64
.kernel first
.param out, n
.shared tile, 128
.local 8
.const c1[0x0], 0x3ff
    MVC R1, c[0xe][counter]
    R2G.U32.U32 g[0x9], R1
    BAR
    EXIT
.kernel second
    RET
)";

std::string message(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "";
}

std::string text_error(const std::string& text) {
  return message([&] { parse_text_cubin(text, "k.cubin"); });
}

std::string elf_of(const Module& module) {
  const auto bytes = to_elf_cubin(module);
  return {bytes.begin(), bytes.end()};
}

void expect_same_kernels(const Module& a, const Module& b) {
  ASSERT_EQ(a.kernels.size(), b.kernels.size());
  for (std::size_t n = 0; n < a.kernels.size(); ++n) {
    const Kernel& x = a.kernels[n];
    const Kernel& y = b.kernels[n];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.registers, y.registers);
    EXPECT_EQ(x.shared_bytes, y.shared_bytes);
    EXPECT_EQ(x.local_bytes, y.local_bytes);
    EXPECT_EQ(x.barriers, y.barriers);
    EXPECT_EQ(x.parameter_bytes, y.parameter_bytes);
    EXPECT_EQ(x.code, y.code);
    EXPECT_EQ(x.constants, y.constants);
  }
}

TEST(Cubin, TextFormRoundTrips) {
  const Module module = assemble(kSource, "k.s");
  const Module again = parse_cubin(to_text_cubin(module), "k.cubin");
  expect_same_kernels(module, again);
  EXPECT_EQ(again.constants, module.constants);
  EXPECT_EQ(again.relocations, module.relocations);
}

TEST(Cubin, ElfFormRoundTrips) {
  const Module module = assemble(kSource, "k.s");
  const Module again = parse_cubin(elf_of(module), "k.cubin");
  expect_same_kernels(module, again);
  EXPECT_EQ(again.relocations, module.relocations);
  // The bank begins at 0, so what lies before the table is a segment of its own.
  ASSERT_EQ(again.constants.size(), 2u);
  EXPECT_EQ(again.constants[1], module.constants[0]);
}

TEST(Cubin, AssemblerFillsInTheResources) {
  const Module module = assemble(kSource, "k.s");
  const Kernel& kernel = module.kernels[0];
  EXPECT_EQ(kernel.registers, 2u);
  EXPECT_EQ(kernel.barriers, 1u);
  EXPECT_EQ(kernel.parameter_bytes, 8u);
  EXPECT_EQ(kernel.shared_bytes, 16u + 8 + 128);
  EXPECT_EQ(kernel.static_shared_bytes(), 128u);
  EXPECT_EQ(kernel.local_bytes, 8u);
}

TEST(Cubin, TextOfCompilersIsReadInAnyLayout) {
  const Module module = parse_cubin(
      "architecture {sm_10} abiversion   {1} modname {cubin} code { name = add lmem = 0 smem = 28 "
      "reg  = 4 bar = 0 bincode { 0xd00e0005 0xa0c00781 0000000000 } const { segname = const "
      "segnum = 1 offset = 0 bytes = 4 mem { 0x0000000a } } } sampler { name = t texunit = 0 }",
      "k.cubin");
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].code, (std::vector<uint32_t>{0xd00e0005, 0xa0c00781, 0}));
  EXPECT_EQ(module.kernels[0].shared_bytes, 28u);
  EXPECT_EQ(module.kernels[0].parameter_bytes, std::nullopt);
  EXPECT_EQ(module.kernels[0].constants[0].words, std::vector<uint32_t>{10});
}

TEST(Cubin, TextErrorsNameFileLineAndRemedy) {
  EXPECT_THAT(text_error("code {\n name = k\n reg = many\n}"),
              HasSubstr("k.cubin:3:8: \"many\" is no number"));
  for (const char* number : {"1a", "a", "1:", "0xg", "0x", "-1", "1.5"})
    EXPECT_THAT(text_error(std::string("code {\n name = k\n reg = ") + number + "\n}"),
                HasSubstr("is no number"))
        << number;
  EXPECT_THAT(text_error("code {\n name = k\n reg = 200\n"), HasSubstr("at most 128"));
  EXPECT_THAT(text_error("code {\n name = k\n"), HasSubstr("the end of the file"));
  EXPECT_THAT(text_error("code { name = k }"), HasSubstr("has no code"));
  EXPECT_THAT(text_error("code { bincode { 0x1 } }"), HasSubstr("without name"));
  EXPECT_THAT(text_error("architecture {sm_20}"), HasSubstr("compile for sm_10"));
  EXPECT_THAT(text_error("hello world"), HasSubstr("no part of a cubin"));
  EXPECT_THAT(text_error("code { name = k bincode { 0x1ffffffff } }"), HasSubstr("too large"));
  EXPECT_THAT(text_error("consts { segnum = 16 }"), HasSubstr("at most 15"));
  EXPECT_THAT(text_error("consts { bytes = 8 mem { 0x1 } }"), HasSubstr("1 words"));
}

// The last value that is right and the first that is not.
TEST(Cubin, TextNumbersHaveTheirLimits) {
  struct Case {
    const char* format;  // of a number
    uint64_t most, next;
    const char* error;
  };
  const std::string kernel = "code { name = k bincode { 0x30000003 0x00000780 } ";
  for (const Case& each :
       {Case{"reg = {} }}", 128, 129, "at most 128"}, Case{"bar = {} }}", 16, 17, "at most 16"},
        Case{"smem = {} }}", 65536, 65537, "at most 65536"},
        Case{"lmem = {} }}", 16777216, 16777217, "at most 16777216"},
        Case{"const {{ segnum = {} bytes = 4 mem {{ 1 }} }} }}", 15, 16, "at most 15"},
        Case{"const {{ segnum = 1 offset = {} mem {{ 1 2 }} }} }}", 65528, 65532, "65536 bytes"},
        Case{"const {{ segnum = 1 offset = 4 bytes = {} }} }}", 65532, 65536, "65536 bytes"},
        Case{"const {{ segnum = 1 bytes = {} }} }}", 65536, 65537, "65536 bytes"}}) {
    const auto error = [&](uint64_t number) {
      return text_error(kernel + fmt::format(fmt::runtime(each.format), number));
    };
    EXPECT_EQ(error(each.most), "") << each.format;
    EXPECT_THAT(error(each.next), HasSubstr(each.error)) << each.format;
  }
}

TEST(Cubin, ElfErrorsNameTheProblem) {
  std::string elf = elf_of(assemble(kSource, "k.s"));
  const auto error = [](const std::string& file) {
    return message([&] { parse_cubin(file, "k.cubin"); });
  };
  std::string other = elf;
  other[18] = 3;  // e_machine
  EXPECT_THAT(error(other), HasSubstr("k.cubin: no code for a GPU (ELF machine 3)"));
  other = elf;
  other[36] = 20;  // e_flags
  EXPECT_THAT(error(other), HasSubstr("compile for sm_10"));
  other = elf;
  other[5] = 2;  // EI_DATA
  EXPECT_THAT(error(other), HasSubstr("little-endian"));
  EXPECT_THAT(error(elf.substr(0, 40)), HasSubstr("k.cubin: "));
}

// A field of a section's header; the file is of 32 bits or of 64.
struct Field {
  std::size_t offset_32, offset_64;
};
constexpr Field kFlags = {8, 8}, kSize = {20, 32}, kInfo = {28, 44};

// Where it is in the file.
std::size_t place_of(const std::string& elf, const std::string& section, const Field& field) {
  const bool is_64 = elf[4] == 2;
  const auto number = [&](std::size_t at, unsigned bytes) {
    uint32_t word = 0;
    std::memcpy(&word, &elf[at], bytes);
    return std::size_t{word};
  };
  const std::size_t first = number(is_64 ? 40 : 32, 4), each = number(is_64 ? 58 : 46, 2);
  const std::size_t count = number(is_64 ? 60 : 48, 2), names = number(is_64 ? 62 : 50, 2);
  const std::size_t text = number(first + names * each + (is_64 ? 24 : 16), 4);
  for (std::size_t n = 0; n < count; ++n)
    if (section == &elf[text + number(first + n * each, 4)])
      return first + n * each + (is_64 ? field.offset_64 : field.offset_32);
  ADD_FAILURE() << "there is no section " << section;
  return 0;
}
void set(std::string& elf, const std::string& section, const Field& field, uint32_t value) {
  std::memcpy(&elf[place_of(elf, section, field)], &value, sizeof value);
}

TEST(Cubin, ElfErrorsOfKernelsNameTheirSection) {
  const std::string good = elf_of(assemble(kSource, "k.s"));
  const auto error = [&](const Field& field, uint32_t value) {
    std::string elf = good;
    set(elf, ".text.first", field, value);
    return message([&] { parse_cubin(elf, "k.cubin"); });
  };
  EXPECT_EQ(error(kInfo, 128u << 24), "");
  EXPECT_THAT(error(kInfo, 129u << 24), HasSubstr("129 registers per thread"));
  EXPECT_THAT(error(kSize, 0), HasSubstr("0 bytes are no code"));
  EXPECT_THAT(error(kSize, 6), HasSubstr("6 bytes are no code"));
  EXPECT_EQ(error(kSize, 8), "");
  std::string elf = good;
  set(elf, ".text.second", kFlags, 31u << 20 | 6);
  EXPECT_EQ(parse_cubin(elf, "k.cubin").kernels.at(1).barriers, 31u);
}

// With lines, too.
Module full_module() {
  Module module = assemble(kSource, "k.s");
  LineTable& lines = module.kernels[0].lines;
  lines.add(0, lines.file("k.cu"), 3);
  lines.add(8, lines.file("k.h"), 300);
  return module;
}

TEST(Cubin, ElfErrorsOfLinesNameTheirSection) {
  std::string elf = elf_of(full_module());
  EXPECT_EQ(message([&] { parse_cubin(elf, "k.cubin"); }), "");
  --elf[place_of(elf, ".debug_line", kSize)];
  EXPECT_THAT(message([&] { parse_cubin(elf, "k.cubin"); }),
              testing::AllOf(HasSubstr(".debug_line: the unit at 0x0 reaches beyond the section"),
                             HasSubstr("the file is damaged")));
}

TEST(Cubin, TruncatedFilesNeverCrash) {
  const Module module = full_module();
  for (const std::string& file : {to_text_cubin(module), elf_of(module)})
    for (std::size_t size = 0; size < file.size(); ++size) {
      try {
        parse_cubin(file.substr(0, size), "k.cubin");
      } catch (const Error&) {
      }
    }
}

TEST(Cubin, DamagedFilesNeverCrash) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  const Module module = full_module();
  for (const std::string& file : {to_text_cubin(module), elf_of(module)})
    for (unsigned n = 0; n < 5000; ++n) {
      std::string damaged = file;
      for (unsigned m = 0; m <= random() % 4; ++m)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      try {
        parse_cubin(damaged, "k.cubin");
      } catch (const Error&) {
      }
    }
}

TEST(Cubin, KernelsAreFoundByName) {
  const Module module = assemble(kSource, "k.s");
  EXPECT_EQ(module.kernel("second", "k.s").name, "second");
  EXPECT_THAT(message([&] { module.kernel("third", "k.s"); }),
              HasSubstr("k.s: no kernel \"third\" (the kernels are: first, second)"));
  EXPECT_THAT(message([&] { module.kernel("", "k.s"); }), HasSubstr("which of the kernels"));
}

TEST(Hex, WordsCommentsAndErrors) {
  EXPECT_EQ(parse_hex("# head\n0x10 # sixteen\nff\n\n1 2\n", "k.hex"),
            (std::vector<uint32_t>{0x10, 0xff, 1, 2}));
  EXPECT_EQ(parse_hex(to_hex({0xdeadbeef, 0}), "k.hex"), (std::vector<uint32_t>{0xdeadbeef, 0}));
  EXPECT_THAT(message([] { parse_hex("0x1\n  0x123456789\n", "k.hex"); }),
              HasSubstr("k.hex:2:3: \"0x123456789\" is no 32-bit word"));
  EXPECT_THAT(message([] { parse_hex("12g4\n", "k.hex"); }), HasSubstr("k.hex:1:1"));
}

TEST(Files, MissingFilesAreNamed) {
  EXPECT_THAT(message([] { read_cubin("/nowhere/k.cubin"); }), HasSubstr("/nowhere/k.cubin: "));
}

}  // namespace
}  // namespace gvp::gpgpu::g80
