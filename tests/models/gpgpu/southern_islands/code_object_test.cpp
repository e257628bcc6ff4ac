// SPDX-License-Identifier: Apache-2.0
// Objects as clang 14 writes them, and what is left of them when they are damaged.
#include "models/gpgpu/southern_islands/code_object.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "models/base/error.h"
#include "tests/models/gpgpu/southern_islands/llvm.h"
#include "tests/support/seed.h"
#include "tests/support/temporary_file.h"

namespace gvp::gpgpu::southern_islands {
namespace {

using testing::HasSubstr;

std::string compiled(const std::string& source) {
  const test::TemporaryFile text("k.cl");
  const test::TemporaryFile object("k.o");
  std::ofstream(text.path()) << source;
  EXPECT_EQ(
      test::output_of("clang-14 -target amdgcn-- -mcpu=tahiti -nogpulib -fintegrated-as -x cl "
                      "-cl-std=CL1.2 -O2 "
                      "-Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/tahiti-amdgcn--.bc "
                      "-include clc/clc.h -c " +
                      text.path() + " -o " + object.path() + " 2>&1"),
      "");
  std::ifstream stream(object.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Two kernels; compiled once.
const std::string& good() {
  static const std::string object = compiled(
      "kernel void add(global int* c, global const int* a) { c[get_global_id(0)] += a[0]; }\n"
      "kernel void share(global int* c) { local int s[100]; s[get_local_id(1)] = "
      "c[get_group_id(2)];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); c[get_local_id(0)] = s[get_local_id(1) ^ 1]; }\n"
      "kernel void nothing(void) {}\n");
  return object;
}

std::string problem_with_object(const std::string& contents) {
  try {
    read_code_object(contents, "k.o");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "";
}

template <typename Header>
std::string changed(std::string contents, const std::function<void(Header&)>& change) {
  Header header;
  std::memcpy(&header, contents.data(), sizeof header);
  change(header);
  std::memcpy(contents.data(), &header, sizeof header);
  return contents;
}

TEST(CodeObject, HasCodeAndWhatKernelsNeed) {
  const CodeObject object = read_code_object(good(), "k.o");
  ASSERT_EQ(object.kernels.size(), 3u);
  const ObjectKernel& add = object.kernels[0];
  EXPECT_EQ(add.name, "add");
  EXPECT_EQ(add.entry, 0u);
  EXPECT_EQ(object.code[(add.entry + add.bytes) / 4 - 1], 0xbf810000u);  // s_endpgm
  EXPECT_EQ(add.user_scalars, 2u);
  EXPECT_EQ(add.group_numbers, (std::array<bool, 3>{true, false, false}));
  EXPECT_EQ(add.local_dimensions, 1u);
  EXPECT_EQ(add.share_bytes, 0u);
  EXPECT_EQ(add.vector_registers % 4, 0u);
  const ObjectKernel& share = object.kernels[1];
  EXPECT_EQ(share.entry % 256, 0u);
  EXPECT_EQ(share.share_bytes, 512u);  // of 400, in units of 256
  EXPECT_EQ(share.group_numbers, (std::array<bool, 3>{true, false, true}));
  EXPECT_EQ(share.local_dimensions, 2u);
  EXPECT_EQ(object.kernels[2].user_scalars, 0u);
  EXPECT_FALSE(add.arguments);
}

TEST(CodeObject, KernelsAreFoundByName) {
  const CodeObject object = read_code_object(good(), "k.o");
  EXPECT_EQ(object.kernel("share", "k.o").name, "share");
  EXPECT_THROW(object.kernel("", "k.o"), Error);
  try {
    object.kernel("sub", "k.o");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("k.o: no kernel sub (name one by --kernel: add, share, nothing)"));
  }
}

TEST(CodeObject, OthersFilesAreRefused) {
  EXPECT_THAT(problem_with_object(""), HasSubstr("no ELF file"));
  EXPECT_THAT(problem_with_object("__kernel void k"), HasSubstr("no ELF file"));
  EXPECT_THAT(
      problem_with_object(changed<Elf64_Ehdr>(good(), [](auto& h) { h.e_machine = EM_X86_64; })),
      HasSubstr("ELF machine 62"));
  EXPECT_THAT(problem_with_object(changed<Elf64_Ehdr>(good(), [](auto& h) { h.e_flags = 0x2c; })),
              HasSubstr("ELF flags 0x2c"));
  EXPECT_THAT(problem_with_object(changed<Elf64_Ehdr>(good(), [](auto& h) { h.e_type = ET_DYN; })),
              HasSubstr("no relocatable object"));
}

// Two tables, which the code finds through pointers, and one that it names itself.
const std::string& with_tables() {
  static const std::string object = compiled(
      "constant char c[3] = {7, 8, 9};\nconstant long table[4] = {1, 2, 3, 4};\n"
      "static constant int own[3] = {5, 6, 0};\n"
      "kernel void k(global long* o, int i) { o[0] = table[i] + c[i] + own[i]; }");
  return object;
}

TEST(CodeObject, TablesAreReachedWhereverTheyLie) {
  for (const uint32_t address : {0x40000000u, 0xff000000u}) {
    CodeObject object = read_code_object(with_tables(), "k.o");
    object.place(address);
    ASSERT_EQ(object.relocations.size(), 6u);
    ASSERT_EQ(object.pointers.size(), 2u);
    std::string first_bytes;
    for (const Relocation& each : object.relocations) {
      ASSERT_TRUE(each.relative);
      if (each.high) {
        EXPECT_EQ(object.code[each.offset / 4], 0u);
        continue;
      }
      // s_getpc_b64 gives the address behind it, to which the next instruction adds its word.
      const uint32_t behind_getpc = each.offset - 4;
      uint32_t found = behind_getpc + object.code[each.offset / 4] - address;
      ASSERT_LT(found, object.tables.size());
      for (const TablePointer& pointer : object.pointers) {
        if (pointer.offset != found) continue;
        uint64_t to = 0;
        std::memcpy(&to, &object.tables[found], sizeof to);
        found = static_cast<uint32_t>(to - address);
        ASSERT_LT(found, object.tables.size());
        break;
      }
      first_bytes += static_cast<char>('0' + object.tables[found]);
    }
    std::sort(first_bytes.begin(), first_bytes.end());
    EXPECT_EQ(first_bytes, "157");
  }
}

TEST(CodeObject, OtherRelocationsAndPrivateMemoryAreRefused) {
  std::string object = with_tables();
  const std::string text = ".rodata";
  object[object.find(text) + 1] = 'x';  // no table any more
  EXPECT_THAT(problem_with_object(object),
              HasSubstr("kernel k: the code at 0xc has to be relocated (table)"));
  EXPECT_THAT(
      problem_with_object(compiled("kernel void k(global float* o, int i, int n) { float b[64];\n"
                                   "for (int j = 0; j < n; ++j) b[j] = o[j]; o[0] = b[i]; }")),
      HasSubstr("kernel k: needs private memory"));
}

TEST(CodeObject, FunctionsThatKernelsHaveInlinedAreNoKernels) {
  const CodeObject object =
      read_code_object(compiled("float f(float x) { return x + x; }\n"
                                "kernel void k(global float* o) { o[0] = f(o[1]); }"),
                       "k.o");
  ASSERT_EQ(object.kernels.size(), 1u);
  EXPECT_EQ(object.kernels[0].name, "k");
}

TEST(CodeObject, TruncatedOnesAreRefused) {
  for (std::size_t length = 0; length < good().size(); length += 7)
    EXPECT_NE(problem_with_object(good().substr(0, length)), "") << length;
}

TEST(CodeObject, DamagedOnesAreReadOrRefused) {
  std::mt19937 random(test::seed(1));
  for (unsigned n = 0; n < 3000; ++n) {
    std::string contents = n % 2 == 0 ? good() : with_tables();
    for (unsigned count = 1 + static_cast<unsigned>(random()) % 4; count != 0; --count)
      contents[random() % contents.size()] = static_cast<char>(random());
    problem_with_object(contents);
  }
}

KernelArguments laid_out(const std::vector<std::pair<unsigned, std::string>>& types) {
  KernelArguments kernel{"k", {}};
  for (const auto& [space, type] : types) kernel.arguments.push_back(argument_of(space, type, "a"));
  lay_out(kernel);
  return kernel;
}

// Offsets as clang 14's code for this list of arguments reads them.
TEST(KernelArguments, LieWhereClangReadsThem) {
  const KernelArguments kernel = laid_out({{1, "int*"},
                                           {3, "float4*"},
                                           {0, "char"},
                                           {0, "double"},
                                           {2, "float*"},
                                           {0, "uchar __attribute__((ext_vector_type(3)))"},
                                           {0, "ulong"},
                                           {0, "char"}});
  std::vector<uint32_t> offsets;
  for (const KernelArgument& each : kernel.arguments) offsets.push_back(each.offset);
  EXPECT_EQ(offsets, (std::vector<uint32_t>{36, 44, 48, 52, 60, 68, 76, 84}));
  EXPECT_EQ(kernel.hidden_offset(), 88u);
  EXPECT_EQ(kernel.arguments[5].type, "uchar3");
  EXPECT_TRUE(kernel.complete());
  EXPECT_EQ(laid_out({}).hidden_offset(), 36u);
}

TEST(KernelArguments, StructuresAreUnknown) {
  EXPECT_FALSE(laid_out({{0, "pair"}}).complete());
  EXPECT_FALSE(laid_out({{0, "float5"}}).complete());
  EXPECT_FALSE(laid_out({{0, "image2d_t"}}).complete());
}

TEST(KernelArguments, SurviveTheirText) {
  const std::vector<KernelArguments> kernels{laid_out({{1, "unsigned char*"}, {0, "float4"}}),
                                             {"empty", {}}};
  const auto again = parse_arguments(to_text(kernels), "k.o");
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].arguments[0].type, "unsigned char*");
  EXPECT_EQ(again[0].arguments[1].offset, kernels[0].arguments[1].offset);
  EXPECT_EQ(again[1].kernel, "empty");
  for (const char* text : {"x", "0 a int\n", "kernel k\n4 a int\n", "kernel k\n0 a\n", "kernel \n"})
    EXPECT_THROW(parse_arguments(text, "k.o"), Error) << text;
}

}  // namespace
}  // namespace gvp::gpgpu::southern_islands
