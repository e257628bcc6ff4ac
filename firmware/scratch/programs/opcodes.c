/* SPDX-License-Identifier: Apache-2.0 */
/* What the compute unit can execute: for each opcode of some formats a kernel of that one
 * instruction, and what came out of it.  An opcode that it does not have never ends; a kernel that
 * is still running after kLimit cycles has such a one. */
#include "launch.h"
#include "platform.h"
#include "xil_printf.h"

enum { kLimit = 2000, kA = 0x00012345, kB = 0x00000007 };
enum { kEndOfProgram = 0xBF810000u };

static int right, wrong, hanging, untested;

enum outcome { kRight, kWrong, kHanging };

/* Runs `code` with s0 = v0 = kA, s1 = v1 = kB; the result is expected in s4, v4 or SCC. */
static int run(const u32* code, u32 words) {
  u32 kernel[16] = {0xBEFE03FFu, 0, 0xBEFF03FFu, 0};
  u32 count = 4, a[kLanes], b[kLanes];
  for (u32 i = 0; i < words; ++i) kernel[count++] = code[i];
  kernel[count++] = kEndOfProgram;
  for (u32 i = 0; i < kLanes; ++i) {
    a[i] = kA;
    b[i] = kB;
  }
  miaow_load(kernel, count);
  miaow_set_scalars(kA, kB);
  return miaow_run(kLanes, a, b, kLimit);
}

static void report(const char* format, u32 opcode, enum outcome outcome) {
  static const char* const texts[] = {"OK", "Wrong Result", "did not finish running"};
  int* const counters[] = {&right, &wrong, &hanging};
  ++*counters[outcome];
  xil_printf("%s: OPCODE %d %s\n", format, opcode, texts[outcome]);
}

struct test {
  u32 opcode;
  u32 expected;
};

enum where { kScalar, kVector };

static void test_all(const char* format, const struct test* tests, u32 count, u32 first_word,
                     u32 shift, enum where where) {
  for (u32 i = 0; i < count; ++i) {
    const u32 code = first_word | tests[i].opcode << shift;
    if (!run(&code, 1)) {
      report(format, tests[i].opcode, kHanging);
      continue;
    }
    const u32 found = where == kScalar ? miaow_scalar(4) : miaow_vector(4, 0);
    report(format, tests[i].opcode, found == tests[i].expected ? kRight : kWrong);
  }
}

/* s_cselect_b32 s4, 1, 0 shows SCC. */
static void test_compares(const struct test* tests, u32 count) {
  for (u32 i = 0; i < count; ++i) {
    const u32 code[] = {0xBF000000u | tests[i].opcode << 16 | 1u << 8 | 0u, 0x85048081u};
    if (!run(code, 2))
      report("SOPC", tests[i].opcode, kHanging);
    else
      report("SOPC", tests[i].opcode, miaow_scalar(4) == tests[i].expected ? kRight : kWrong);
  }
}

/* v_cndmask_b32 v4, 0, v1, vcc shows lane 0's bit. */
static void test_vector_compares(const struct test* tests, u32 count) {
  for (u32 i = 0; i < count; ++i) {
    const u32 code[] = {0x7C000000u | tests[i].opcode << 17 | 1u << 9 | 256u,
                        4u << 17 | 1u << 9 | 128u};
    if (!run(code, 2))
      report("VOPC", tests[i].opcode, kHanging);
    else
      report("VOPC", tests[i].opcode,
             miaow_vector(4, 0) == (tests[i].expected ? kB : 0) ? kRight : kWrong);
  }
}

/* s4 = s0 op s1; 12 and 13 are none */
static const struct test sop2[] = {
    {0, kA + kB},  {1, kA - kB},   {2, kA + kB},  {3, kA - kB},  {6, kB},       {7, kB},
    {8, kA},       {9, kA},        {12, 0},       {13, 0},       {14, kA& kB},  {16, kA | kB},
    {18, kA ^ kB}, {20, kA & ~kB}, {30, kA << 7}, {32, kA >> 7}, {34, kA >> 7}, {38, kA* kB},
};
/* s4 = op s0 */
static const struct test sop1[] = {
    {3, kA}, {7, ~(u32)kA}, {11, 0xA2C48000u}, {25, 0x45}, {26, 0x2345},
};
/* s4 = 0x1234, or s4, which is 0, op 0x1234 */
static const struct test sopk[] = {{0, 0x1234}, {15, 0x1234}, {16, 0}};
static const struct test sopc[] = {
    {0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 0},  {5, 0},
    {6, 0}, {7, 1}, {8, 1}, {9, 1}, {10, 0}, {11, 0},
};
/* v4 = v0 op v1 */
static const struct test vop2[] = {
    {9, kA* kB},   {17, kB},      {18, kA},           {19, kB},      {20, kA},
    {22, 0},       {26, 0xE0},    {27, kA& kB},       {28, kA | kB}, {29, kA ^ kB},
    {37, kA + kB}, {38, kA - kB}, {39, (u32)kB - kA},
};
/* v0 op v1, first of signed, then of unsigned words */
static const struct test vopc[] = {
    {128, 0}, {129, 0}, {130, 0}, {131, 0}, {132, 1}, {133, 1}, {134, 1}, {135, 1},
    {192, 0}, {193, 0}, {194, 0}, {195, 0}, {196, 1}, {197, 1}, {198, 1}, {199, 1},
};
/* v4 = op v0 */
static const struct test vop1[] = {
    {1, kA},
    {6, 0x4791A280u},
    {55, ~(u32)kA},
    {56, 0xA2C48000u},
};

#define TESTS(tests) (tests), sizeof(tests) / sizeof((tests)[0])

int main(void) {
  init_platform();
  test_all("SOP2", TESTS(sop2), 0x80000000u | 4u << 16 | 1u << 8 | 0u, 23, kScalar);
  test_all("SOP1", TESTS(sop1), 0xBE800000u | 4u << 16 | 0u, 8, kScalar);
  test_all("SOPK", TESTS(sopk), 0xB0000000u | 4u << 16 | 0x1234u, 23, kScalar);
  test_compares(TESTS(sopc));
  test_all("VOP2", TESTS(vop2), 4u << 17 | 1u << 9 | 256u, 25, kVector);
  test_all("VOP1", TESTS(vop1), 0x7E000000u | 4u << 17 | 256u, 9, kVector);
  test_vector_compares(TESTS(vopc));
  for (u32 opcode = 0; opcode < 8; ++opcode) { /* their results are in memory */
    xil_printf("MTBUF: OPCODE %d No test available\n", opcode);
    ++untested;
  }
  xil_printf("%d OK, %d Wrong Result, %d did not finish running, %d No test available\n", right,
             wrong, hanging, untested);
  cleanup_platform();
  return wrong;
}
