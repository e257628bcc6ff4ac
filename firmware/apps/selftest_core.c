/* SPDX-License-Identifier: Apache-2.0 */
/* The processor and the memories. */
#include <stdlib.h>
#include <string.h>

#include "apps/check.h"
#include "bsp/core.h"
#include "bsp/exception.h"
#include "platform/memory_map.h"

extern volatile uint32_t user_vector_count; /* bsp/exception.c */
extern char _device_memory_start[], _device_memory_end[];

/* Keeps the compiler from computing the result itself. */
static uint32_t opaque(uint32_t value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

void check_core(void) {
  check_group("processor");
  const uint32_t a = opaque(0x12345678), b = opaque(0x9ABCDEF0);
  check_equal(a * b, 0x242D2080, "32-bit product");
  check_equal((uint32_t)((uint64_t)a * b >> 32), 0x0B00EA4E, "high half of the unsigned product");
  check_equal((uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32), 0xF8CC93D6,
              "high half of the signed product");
  check_equal(b / a, 8, "unsigned quotient");
  check_equal((uint32_t)((int32_t)b / (int32_t)opaque(1000)), 0xFFE613AE, "signed quotient");
  check_equal(b << opaque(5), 0x579BDE00, "shift left");
  check_equal((uint32_t)((int32_t)b >> opaque(5)), 0xFCD5E6F7, "arithmetic shift right");
  uint32_t result;
  __asm__("pcmpbf %0, %1, %2" : "=r"(result) : "r"(0x11223344), "r"(0x55663377));
  check_equal(result, 3, "pattern compare finds the byte");
  __asm__("clz %0, %1" : "=r"(result) : "r"(opaque(0x00012345)));
  check_equal(result, 15, "leading zeros");
  __asm__("swapb %0, %1" : "=r"(result) : "r"(a));
  check_equal(result, 0x78563412, "byte swap");
  __asm__("add %0, %1, %1\n\taddc %0, r0, r0" : "=&r"(result) : "r"(0x80000000));
  check_equal(result, 1, "carry");
  uint32_t word = 5, failed;
  __asm__ volatile("lwx %0, %2, r0\n\taddik %0, %0, 1\n\tswx %0, %2, r0\n\taddic %1, r0, 0"
                   : "=&r"(result), "=&r"(failed)
                   : "r"(&word)
                   : "memory");
  check(word == 6 && failed == 0, "exclusive load and store");
}

static bool words_hold(volatile uint32_t* memory, uint32_t words) {
  for (uint32_t i = 0; i < words; ++i) memory[i] = (uint32_t)(uintptr_t)&memory[i] ^ 0xA5A5A5A5u;
  bool ok = true;
  for (uint32_t i = 0; i < words; ++i)
    ok &= memory[i] == ((uint32_t)(uintptr_t)&memory[i] ^ 0xA5A5A5A5u);
  for (uint32_t bit = 0; bit < 32; ++bit) memory[bit % words] = 1u << bit;
  for (uint32_t bit = 0; bit < 32; ++bit) ok &= memory[bit] == 1u << bit;
  return ok;
}

static bool bytes_go_where_they_belong(volatile uint32_t* memory) {
  volatile uint8_t* bytes = (volatile uint8_t*)memory;
  volatile uint16_t* halves = (volatile uint16_t*)memory;
  memory[0] = 0x44332211;
  bool ok = bytes[0] == 0x11 && bytes[3] == 0x44 && halves[1] == 0x4433;
  bytes[1] = 0xAA;
  halves[1] = 0xBBCC;
  ok &= memory[0] == 0xBBCCAA11;
  return ok;
}

/* Address lines: words at all powers of two apart must be different words. */
static bool no_aliases(uint32_t base, uint32_t end) {
  volatile uint32_t* origin = (volatile uint32_t*)base;
  *origin = 0;
  for (uint32_t step = 4; base + step < end; step *= 2) *(volatile uint32_t*)(base + step) = step;
  bool ok = *origin == 0;
  for (uint32_t step = 4; base + step < end; step *= 2)
    ok &= *(volatile uint32_t*)(base + step) == step;
  return ok;
}

void check_memory(void) {
  enum { kLmbWords = 1024, kHeapWords = 8192, kLmbFree = 0x1000 };
  check_group("memory");
  volatile uint32_t* lmb = (volatile uint32_t*)opaque(GVP_LMB_BASE + kLmbFree);
  check(words_hold(lmb, kLmbWords), "local memory holds what is written");
  check(bytes_go_where_they_belong(lmb), "local memory: bytes and halfwords");
  check(no_aliases(GVP_LMB_BASE + kLmbFree, GVP_LMB_BASE + GVP_LMB_SIZE),
        "local memory: no aliases");
  uint32_t* heap = malloc(4 * kHeapWords);
  if (!check(heap != NULL, "the heap has room")) return;
  check(words_hold(heap, kHeapWords), "DDR3 holds what is written");
  check(bytes_go_where_they_belong(heap), "DDR3: bytes and halfwords");
  free(heap);
  check(no_aliases((uint32_t)_device_memory_start, (uint32_t)_device_memory_end),
        "DDR3: no aliases");
}

/* Does the core have this exception?  PVR2 tells; a core without PVR does not, and then an
 * exception that does not come means that there is none. */
enum {
  kPvr2Unaligned = 0x20,
  kPvr2Illegal = 0x10,
  kPvr2InstructionBus = 0x08,
  kPvr2DataBus = 0x04,
  kPvr2Divide = 0x02
};

static bool configured(uint32_t bit) {
  uint32_t pvr0, pvr2;
  if ((core_read_msr() & CORE_MSR_PVR) == 0) return false;
  __asm__ volatile("mfs %0, rpvr0" : "=r"(pvr0));
  if ((pvr0 & CORE_PVR0_FULL) == 0) return false; /* PVR0 alone */
  __asm__ volatile("mfs %0, rpvr2" : "=r"(pvr2));
  return (pvr2 & bit) != 0;
}

static void expect_cause(enum exception_cause got, enum exception_cause expected, uint32_t bit,
                         const char* name) {
  if (got == EXCEPTION_NONE && !configured(bit))
    check_skip(name, "the core is built without it");
  else
    check_equal(got, expected, name);
}

static void check_instruction_exceptions(void) {
  exception_expect();
  __asm__ volatile(".long 0xFC000000"); /* opcode 0x3F does not exist */
  expect_cause(exception_taken(NULL), EXCEPTION_ILLEGAL_OPCODE, kPvr2Illegal, "illegal opcode");

  uint32_t quotient = 1;
  exception_expect();
  __asm__ volatile("idiv %0, %1, %2" : "+r"(quotient) : "r"(opaque(0)), "r"(opaque(7)));
  expect_cause(exception_taken(NULL), EXCEPTION_DIVIDE, kPvr2Divide, "division by zero");
  check((core_read_msr() & CORE_MSR_DZO) != 0, "division by zero sets MSR[DZO]");
  core_write_msr(core_read_msr() & ~CORE_MSR_DZO);

  const uint32_t before = user_vector_count;
  __asm__ volatile("brki r16, 8" : : : "r16", "memory");
  check_equal(user_vector_count, before + 1, "the user vector returns behind brki");

  void (*nowhere)(void) = (void (*)(void))opaque(0x70000000);
  if (!configured(kPvr2InstructionBus)) {
    check_skip("instruction bus error", "the core is built without it");
    return;
  }
  exception_expect();
  nowhere();
  check_equal(exception_taken(NULL), EXCEPTION_INSTRUCTION_BUS, "instruction bus error");
}

static void check_data_exceptions(void) {
  uint32_t words[2] = {0x44332211, 0x88776655}, address, value = 0;
  const uint32_t odd = opaque((uint32_t)words + 1);
  exception_expect();
  __asm__ volatile("lwi %0, %1, 0" : "+r"(value) : "r"(odd) : "memory");
  const enum exception_cause cause = exception_taken(&address);
  expect_cause(cause, EXCEPTION_UNALIGNED, kPvr2Unaligned, "unaligned load");
  if (cause == EXCEPTION_UNALIGNED) {
    check_equal(address, odd, "unaligned load: EAR has the address");
    uint32_t skipped = 0;
    exception_expect();
    __asm__ volatile("brid 1f\n\tlwi %0, %2, 0\n\taddik %1, %1, 1\n1:"
                     : "+r"(value), "+r"(skipped)
                     : "r"(odd)
                     : "memory");
    check(exception_taken(NULL) == EXCEPTION_UNALIGNED && skipped == 0,
          "unaligned load in a delay slot goes on at the branch's target");
  }

  const uint32_t hole = opaque(0x70000000);
  exception_expect();
  (void)*(volatile uint32_t*)hole;
  const enum exception_cause read_cause = exception_taken(&address);
  expect_cause(read_cause, EXCEPTION_DATA_BUS, kPvr2DataBus, "data bus error of a load");
  if (read_cause == EXCEPTION_DATA_BUS)
    check_equal(address, hole, "bus error: EAR has the address");
  exception_expect();
  *(volatile uint32_t*)hole = 1;
  expect_cause(exception_taken(NULL), EXCEPTION_DATA_BUS, kPvr2DataBus,
               "data bus error of a store");
}

void check_exceptions(void) {
  check_group("exceptions");
  check_instruction_exceptions();
  check_data_exceptions();
}
