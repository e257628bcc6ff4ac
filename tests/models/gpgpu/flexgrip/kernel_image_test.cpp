// SPDX-License-Identifier: Apache-2.0
// What is loaded for a kernel, and what is refused before it is: at the edges of what a device has.
#include "models/gpgpu/flexgrip/kernel_image.h"

#include <gmock/gmock.h>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/support/temporary_file.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const device::GlobalMemory kGlobal{0x1000, 0x1000, 0, true, "make it larger"};

class KernelImageTest : public testing::Test {
 protected:
  KernelImageTest() {
    instance_.name = "gpu";
    instance_.settings = Configuration{};
    request_.file = file_.path();
  }

  // Of a kernel in assembly.
  KernelImage image(const std::string& source) {
    write(g80::to_text_cubin(g80::assemble(source, "test")));
    return make_kernel_image(request_, instance_, kGlobal);
  }
  std::string complaint(const std::string& source) {
    try {
      image(source);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  void write(const std::string& text) { std::ofstream(file_.path()) << text; }
  Configuration& configuration() { return instance_.as<Configuration>(); }
  static uint32_t word(const KernelImage& image, uint32_t offset) {
    uint32_t value = 0;
    std::memcpy(&value, &image.constants.at(offset), sizeof value);
    return value;
  }

  test::TemporaryFile file_{"kernel.cubin"};
  device::Instance instance_;
  device::LaunchRequest request_;
};

TEST_F(KernelImageTest, VariablesLieAtTheEndOfGlobalMemoryFromThereDown) {
  const KernelImage made = image(
      ".global first, 4\n.global second, c14[4], 7, 8, 9\n"
      ".kernel k\n RET;\n");
  ASSERT_EQ(made.variables.size(), 2u);
  EXPECT_EQ(made.variables[0].name, "first");
  EXPECT_EQ(made.variables[0].address, 0x1f00u);
  EXPECT_EQ(made.variables[0].bytes, 4u);
  EXPECT_EQ(made.variables[1].address, 0x1e00u);
  EXPECT_THAT(made.variables[1].words, ElementsAre(7, 8, 9));
  // the kernel finds their addresses in bank 14
  EXPECT_EQ(word(made, made.banks[14].base), 0x1f00u);
  EXPECT_EQ(word(made, made.banks[14].base + 4), 0x1e00u);
}

TEST_F(KernelImageTest, VariablesMayFillGlobalMemoryAndNoMore) {
  EXPECT_EQ(complaint(".global all, 0x1000\n.kernel k\n RET;\n"), "");
  EXPECT_EQ(complaint(".global most, 0xf00\n.global rest, 0x100\n.kernel k\n RET;\n"), "");
  for (const char* variables : {".global all, 0x1004\n", ".global most, 0xf04\n.global b, 4\n"})
    EXPECT_THAT(complaint(std::string(variables) + ".kernel k\n RET;\n"),
                AllOf(HasSubstr("bytes does not fit global memory"), HasSubstr("make it larger")));
}

TEST_F(KernelImageTest, OneBankAloneIsAllOfConstantMemory) {
  configuration().constant_bytes = 64;
  const KernelImage made = image(".kernel k\n.const c1[8], 5, 6\n RET;\n");
  EXPECT_EQ(made.constants.size(), 64u);
  EXPECT_EQ(word(made, 8), 5u);
  EXPECT_EQ(word(made, 12), 6u);
  for (const BankPlace& bank : made.banks) {
    EXPECT_EQ(bank.base, 0u);
    EXPECT_EQ(bank.bytes, 64u);
  }
}

TEST_F(KernelImageTest, SeveralBanksLieOneAfterTheOther) {
  configuration().constant_bytes = 64;
  request_.constants = {{3, 4, {0xabc}}};
  const KernelImage made =
      image(".const c0[0], 1, 2, 3, 4, 5\n.kernel k\n.const c1[0], 6\n RET;\n");
  EXPECT_EQ(made.banks[0].base, 0u);
  EXPECT_EQ(made.banks[0].bytes, 20u);
  EXPECT_EQ(made.banks[1].base, 32u) << "at a multiple of 16";
  EXPECT_EQ(made.banks[1].bytes, 4u);
  EXPECT_EQ(made.banks[2].base, 0u) << "nobody mentions it";
  EXPECT_EQ(made.banks[2].bytes, 64u);
  EXPECT_EQ(made.banks[3].base, 48u);
  EXPECT_EQ(made.banks[3].bytes, 8u);
  EXPECT_EQ(word(made, 16), 5u);
  EXPECT_EQ(word(made, 32), 6u);
  EXPECT_EQ(word(made, 48), 0u);
  EXPECT_EQ(word(made, 52), 0xabcu);
}

TEST_F(KernelImageTest, ConstantsMayFillConstantMemoryAndNoMore) {
  const char* source = ".kernel k\n RET;\n";
  configuration().constant_bytes = 32;
  request_.constants = {{1, 28, {1}}};
  EXPECT_EQ(complaint(source), "");
  request_.constants = {{1, 32, {1}}};
  EXPECT_THAT(complaint(source),
              AllOf(HasSubstr("the constants need 36 bytes, constant memory has 32"),
                    HasSubstr("--set gpu.constant_bytes=256")));
  request_.constants = {{0, 65536, {1}}};
  EXPECT_THAT(complaint(source), HasSubstr("65536 are the most a device can have"));
  request_.constants = {{0, 0, {1}}, {1, 12, {1}}};
  EXPECT_EQ(complaint(source), "");
  request_.constants = {{0, 0, {1}}, {1, 16, {1}}};
  EXPECT_THAT(complaint(source), HasSubstr("the constants need 48 bytes"));
  request_.constants = {{15, 0, {1}}};
  EXPECT_EQ(complaint(source), "");
  request_.constants = {{16, 0, {1}}};
  EXPECT_THAT(complaint(source), HasSubstr("there is no constant bank 16"));
}

TEST_F(KernelImageTest, AKernelGetsTheParametersThatItDeclares) {
  const char* two = ".kernel k\n.param a, b\n RET;\n";
  request_.parameters = {1, 2};
  EXPECT_EQ(complaint(two), "");
  request_.parameters = {1};
  EXPECT_THAT(complaint(two),
              HasSubstr("kernel k takes 8 bytes of parameters, 4 are given (give one --param"));
  request_.parameters = {1, 2, 3};
  EXPECT_THAT(complaint(two), HasSubstr("12 are given"));
  EXPECT_EQ(complaint(".kernel k\n RET;\n"), "") << "does not say";
  request_.parameters = {1};
  EXPECT_EQ(complaint(".kernel k\n.param a 2\n RET;\n"), "") << "a word holds it";
}

TEST_F(KernelImageTest, LocalMemoryAndCodeHaveTheirLimits) {
  configuration().local_bytes = 32;
  EXPECT_EQ(complaint(".kernel k\n.local 32\n RET;\n"), "");
  EXPECT_THAT(complaint(".kernel k\n.local 36\n RET;\n"),
              AllOf(HasSubstr("needs 36 bytes of local memory per thread, the device has 32"),
                    HasSubstr("--set gpu.local_bytes=48")));
  request_.is_bare = true;
  request_.registers = 4;
  configuration().code_bytes = 16;
  const auto bare = [&](size_t words) -> std::string {
    std::vector<uint32_t> code;
    for (size_t i = 0; i < words; i += 2) code.insert(code.end(), {0x30000003, 0x00000780});
    write(g80::to_hex(code));
    try {
      make_kernel_image(request_, instance_, kGlobal);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(bare(4), "");
  EXPECT_THAT(bare(6), HasSubstr("24 bytes of code, the device has room for 16"));
  EXPECT_THAT(bare(0), HasSubstr("no code"));
}

TEST_F(KernelImageTest, RegistersBeyondTheDeclaredOnesAreNamedWithTheirPlace) {
  const std::string head = ".kernel k\n.regs 4\n MVI R1, 0x1;\n";
  EXPECT_EQ(complaint(head + "MOV R3, R1;\n RET;\n"), "");
  EXPECT_THAT(
      complaint(head + "MOV R4, R1;\n MOV R1, R9;\n RET;\n"),
      AllOf(HasSubstr("kernel k has 4 registers a thread and uses R4 at 0x0008: MOV R4, R1"),
            HasSubstr("it takes 10;")));
  EXPECT_EQ(complaint(head + "IADD R1, R1, R124;\n RET;\n"), "") << "zero, on purpose";
  EXPECT_EQ(complaint(head + "IADD R127, R1, R124;\n RET;\n"), "");
  EXPECT_THAT(complaint(head + "IADD R1, R1, R123;\n RET;\n"), HasSubstr("uses R123"));
  request_.any_register = true;
  EXPECT_EQ(complaint(head + "MOV R4, R1;\n RET;\n"), "");
}

TEST_F(KernelImageTest, WhatIsNotCodeIsNotLookedAt) {
  EXPECT_EQ(complaint(".kernel k\n.regs 4\n RET;\n .word 0xf0000003, 0x00000780;\n"), "");
}

TEST_F(KernelImageTest, TakesWhatTheFileSaysOfTheKernel) {
  request_.parameters = {1, 2};
  const KernelImage made = image(".kernel k\n.regs 6\n.param a, b\n.shared 40\n RET;\n");
  EXPECT_EQ(made.name, "k");
  EXPECT_EQ(made.registers, 6u);
  EXPECT_EQ(made.static_shared_bytes, 40u);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
