/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions, tests of memory, and the files that newlib asks for and that are not there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "xil_assert.h"
#include "xil_testmem.h"

u32 Xil_AssertStatus = XIL_ASSERT_NONE;
s32 Xil_AssertWait = TRUE;
static Xil_AssertCallback callback;

void Xil_AssertSetCallback(Xil_AssertCallback Routine) { callback = Routine; }
void XNullHandler(void* NullParameter) { (void)NullParameter; }
void Xil_Assert(const char8* File, s32 Line) {
  if (callback != NULL) callback(File, Line);
  printf("%s:%ld: assertion failed\n", File, (long)Line);
  if (Xil_AssertWait) exit(1);
}

/* The value of a word in a subtest. */
static u32 pattern_of(u8 subtest, u32 index, u32 address, u32 pattern, unsigned bits) {
  switch (subtest) {
    case XIL_TESTMEM_INCREMENT:
      return pattern + index;
    case XIL_TESTMEM_WALKONES:
      return 1u << index % bits;
    case XIL_TESTMEM_WALKZEROS:
      return ~(1u << index % bits);
    case XIL_TESTMEM_INVERSEADDR:
      return ~address;
    default:
      return pattern;
  }
}

#define TEST_MEMORY(name, type, bits, usual)                                                   \
  s32 name(type* Addr, u32 Words, type Pattern, u8 Subtest) {                                  \
    if (Subtest > XIL_TESTMEM_MAXTEST || Words == 0) return -1;                                \
    volatile type* const memory = Addr;                                                        \
    const u32 pattern = Pattern == 0 ? usual : Pattern;                                        \
    for (u8 test = XIL_TESTMEM_INCREMENT; test <= XIL_TESTMEM_MAXTEST; ++test) {               \
      if (Subtest != XIL_TESTMEM_ALLMEMTESTS && Subtest != test) continue;                     \
      for (u32 i = 0; i < Words; ++i)                                                          \
        memory[i] = (type)pattern_of(test, i, (u32)&memory[i], pattern, bits);                 \
      for (u32 i = 0; i < Words; ++i)                                                          \
        if (memory[i] != (type)pattern_of(test, i, (u32)&memory[i], pattern, bits)) return -1; \
    }                                                                                          \
    return 0;                                                                                  \
  }
TEST_MEMORY(Xil_TestMem32, u32, 32, 0xDEADBEEFu)
TEST_MEMORY(Xil_TestMem16, u16, 16, 0xDEADu)
TEST_MEMORY(Xil_TestMem8, u8, 8, 0xA5u)

static int no_file(void) {
  errno = ENOENT;
  return -1;
}
int open(const char* name, int flags, ...);
int unlink(const char* name);
int link(const char* from, const char* to);
int open(const char* name, int flags, ...) {
  (void)name;
  (void)flags;
  return no_file();
}
int unlink(const char* name) {
  (void)name;
  return no_file();
}
int link(const char* from, const char* to) {
  (void)from;
  (void)to;
  return no_file();
}
int stat(const char* name, struct stat* status) {
  (void)name;
  (void)status;
  return no_file();
}
