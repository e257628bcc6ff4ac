// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/keys/kernels.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <initializer_list>

#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

// Every kind of instruction and operand that has a cost of its own.
constexpr const char* kEverything = R"(
.kernel everything
.regs 20
.param number
.local 64
.shared 256
.const c1[0x0], 1, 2, 3, 4
    I2I.U32.U16 R1, R0L
    SHL R2, R1, 0x2
    IADD32 R3, R1, R2
    MOV32 R4, R3
    MOV R4, s[number]
    NOP C0.TRUE
    IADD.C0 R4, R2, R1
    IADD.CARRY0 R5, R2, R1
    LLD.U64 R6, local[0x0]
    LST.U64 local[0x8], R6
    R2A A1, R2, 0x0
    S2R R8, SR_CLOCK
    MVC R9, c[0x0] [A1+++0x1]
    MOV R9, R124
    R2A A1, R2, 0x0
    MVI R5, 0x8
    ISET.S32.C0 o[0x7f], R1, R5, LT
    R2G.U32.U32 g[A1+0x8], R1
    BAR
    MOV R10, g [A1+0x8]
    SSY join
    BRA C0.NE, join
    IMUL.U16.U16 R10, R1L, R2L
    IMAD.U16 R10, R1L, R2L, R10
join:
    NOP.S
    GLD.U32 R14 (C0.NE), global14[R2]
    MVI R5, 0x0
    SSY left
again:
    IADD32I R5, R5, 0x1
    ISET.S32.C0 o[0x7f], R5, R1, GE
    BRA C0.NE, left
    BRA again
left:
    NOP.S
    MOV.U16 R10L, R1H
    I2F.F32.S32 R11, R1
    FSET R12, R11, R11, LT
    FADD R12, R11, R11
    FADD R12, R11, -R11
    FMUL R12, R11, R11
    FMAD R12, R11, R11, R12
    RCP R12, R11
    CAL function
    PBK behind
    BRK
behind:
    GST.U32 global14[R2], R1
    GLD.U32 R13, global14[R2]
    RET
function:
    RET
)";

// Stores the results of a truncated multiply-add and of a denormal sum, one to a misaligned place,
// and reads a constant far away.
constexpr const char* kArithmetic = R"(
.kernel arithmetic
    MVI R1, 0x3fc00001
    FMAD R2, R1, R1, -R1
    MVI R3, 0x100
    GST.U32 global14[R3], R2
    MVI R1, 0x00000001
    FADD R2, R1, R1
    MVI R3, 0x104
    GST.U32 global14[R3], R2
    EXIT
)";

// What a device without extensions stops at.
constexpr const char* kExtensions = R"(
.kernel extensions
    MVI R1, 0x200
    MVI R2, 0x1
    GRED.IADD global14[R1], R2
    EXIT
)";

// Threads read words of lines far apart again and again, and write some of them.
constexpr const char* kColumns = R"(
.kernel columns
.regs 8
    I2I.U32.U16 R1, R0L
    MVI R7, 0x50000000
    SHL R2, R1, 0x6
    IADD R2, R2, R7
    MVI R5, 0x0
    MVI R6, 0x3
    SSY left
again:
    GLD.U32 R3, global14[R2]
    IADD32I R3, R3, 0x1
    SHL R4, R1, 0x2
    IADD R4, R4, R7
    GST.U32 global14[R4], R3
    GLD.U32 R3, global14[R4]
    GST.U32 global14[R2], R3
    IADD32I R5, R5, 0x1
    ISET.S32.C0 o[0x7f], R5, R6, GE
    BRA C0.NE, left
    BRA again
left:
    NOP.S
    EXIT
)";

// Threads read constants far apart again and again, in a loop of some length.
constexpr const char* kScatteredBegin = R"(
.kernel scattered
.regs 8
.const c1[0x0], [1024]
    I2I.U32.U16 R1, R0L
    MVI R7, 0x7
    LOP.AND R2, R1, R7
    SHL R2, R2, 0x6
    MVI R5, 0x0
    MVI R6, 0x3
    SSY left
again:
    R2A A1, R2, 0x0
    MVC R3, c[0x1] [A1+0x0]
)";
constexpr const char* kScatteredEnd = R"(
    MVC R3, c[0x1] [A1+0x8]
    IADD32I R5, R5, 0x1
    ISET.S32.C0 o[0x7f], R5, R6, GE
    BRA C0.NE, left
    BRA again
left:
    NOP.S
    EXIT
)";

std::string repeated(unsigned times, const std::string& what) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += what;
  return text;
}
std::string cubin(const std::string& text) {
  const std::string source = temporary("kernel.s");
  const std::string path = temporary("kernel.cubin");
  write(source, text);
  const Result result = run("g80as", {source, "-o", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::remove(source.c_str());
  return path;
}
void put(std::string& image, std::initializer_list<uint32_t> words) {
  for (const uint32_t word : words)
    image.append(reinterpret_cast<const char*>(&word), sizeof word);  // little-endian, as is x86
}

// An executable that ends with a value made of MSR and PVR0 to PVR11: too large for an exit code,
// so that gpgpu-vp prints it.
std::string version_program() {
  constexpr uint32_t kAt = 0x50000000;
  constexpr uint32_t kHeader = 52 + 32;
  std::string code;
  put(code, {0x94608001});  // mfs r3, rmsr
  for (uint32_t pvr = 0; pvr < 12; ++pvr)
    put(code, {0x00a31800,        // add r5, r3, r3
               0x00651800,        // add r3, r5, r3: by an odd number, so that no bit is lost
               0x9480a000 + pvr,  // mfs r4, rpvr
               0x00632000});      // add r3, r3, r4
  put(code, {0xb8000000});        // bri 0
  const auto bytes = static_cast<uint32_t>(code.size());
  std::string image(
      "\x7f"
      "ELF\x01\x01\x01",
      7);
  image.resize(16);
  put(image, {2 | 189 << 16, 1, kAt, 52, 0, 0, 52 | 32 << 16, 1 | 40 << 16, 0});
  put(image, {1, kHeader, kAt, kAt, bytes, bytes, 7, 4});
  const std::string path = temporary("versions.elf");
  write(path, image + code);
  return path;
}

}  // namespace

KeyKernels::KeyKernels()
    : everything(cubin(kEverything)),
      arithmetic(cubin(kArithmetic)),
      extensions(cubin(kExtensions)),
      large(cubin(".kernel large\n.const c1[0x0], [1024]\n.word 0xf0000001, 0xe0000000" +
                  repeated(200, ", 0xf0000001, 0xe0000000") + "\nEXIT\n")),
      misaligned(cubin(".kernel misaligned\n MVI R1, 0x6\n GLD.U32 R2, global14[R1]\n EXIT\n")),
      columns(cubin(kColumns)),
      scattered(cubin(kScatteredBegin + repeated(60, "    IADD32I R4, R4, 0x1\n") + kScatteredEnd)),
      versions(version_program()) {}

KeyKernels::~KeyKernels() {
  for (const std::string& path :
       {everything, arithmetic, extensions, large, misaligned, columns, scattered, versions})
    std::remove(path.c_str());
}

}  // namespace gvp::test
