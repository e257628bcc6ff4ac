/* SPDX-License-Identifier: Apache-2.0 */
#include "launch.h"

#include "xil_printf.h"
#include "xio.h"
#include "xparameters.h"

#define SLAVE XPAR_AXI_SLAVE_0_S00_AXI_BASEADDR
#define DDR3 XPAR_MIG_7SERIES_0_BASEADDR

/* The slave's registers. */
enum {
  kStart = 0x00,
  kBaseLds = 0x10,
  kInstructionIndex = 0x1C,
  kInstruction = 0x20,
  kReset = 0x24,
  kQuadCommit = 0x28,
  kQuadBase = 0x2C,
  kQuadData = 0x30,
  kMemoryState = 0x80,
  kStoreData = 0x84,
  kMemoryAddress = 0x88,
  kPrefetchAddress = 0xBC,
  kLoadData = 0xC0,
  kCycles = 0xC0,
  kAcknowledge = 0xC8,
  kDone = 0xCC,
  kVectorIndex = 0xD0,
  kVectorData = 0xD4,
  kVectorCommit = 0x1D4,
  kVectorClean = 0x1D8,
};
enum { kStoreRequested = 1, kStoreAccepted = 2, kStoreDone = 3 };
enum { kLoadRequested = 4, kLoadAccepted = 5, kLoadDone = 6 };
enum { kTable = 0, kBufferTable = 0x180, kConstants = 0x200, kArguments = 0x280 };
enum { kExecLowWord = 1, kExecHighWord = 3 };

static u32 cycles;
static u32 total_cycles;
static u32 served_words;

static void put(u32 offset, u32 value) { XIo_Out32(SLAVE + offset, value); }
static u32 get(u32 offset) { return XIo_In32(SLAVE + offset); }
static void pulse(u32 offset) {
  put(offset, 0);
  put(offset, 1);
  put(offset, 0);
}

void miaow_reset(void) { pulse(kReset); }

static void put_instruction(u32 index, u32 word) {
  put(kInstructionIndex, index);
  put(kInstruction, word);
}

void miaow_load(const u32* code, u32 words) {
  miaow_reset();
  for (u32 i = 0; i < words; ++i) put_instruction(i, code[i]);
  total_cycles = 0;
  served_words = 0;
}

static void put_quad(u32 first, u32 a, u32 b, u32 c, u32 d) {
  put(kQuadBase, first);
  put(kQuadData, a);
  put(kQuadData + 4, b);
  put(kQuadData + 8, c);
  put(kQuadData + 12, d);
  put(kQuadCommit, 1);
}

void miaow_write(enum memory memory, u32 address, u32 word) {
  if (memory == kDdr3) {
    XIo_Out32(DDR3 + address, word);
    return;
  }
  put(kPrefetchAddress, address);
  put(kLoadData, word);
  put(kDone, 1);
  put(kDone, 0);
}

u32 miaow_read(enum memory memory, u32 address) {
  if (memory == kDdr3) return XIo_In32(DDR3 + address);
  put(kPrefetchAddress, address);
  return get(kStoreData);
}

static void write_descriptor(enum memory memory, u32 at, u32 base, u32 bytes) {
  miaow_write(memory, at, base);
  miaow_write(memory, at + 4, 0);
  miaow_write(memory, at + 8, bytes);
  miaow_write(memory, at + 12, 0);
}

void miaow_bind(enum memory memory, const struct buffer* buffers, u32 count, const u32* arguments,
                u32 argument_count) {
  /* Addresses of DDR3 are the bus's: they are beyond prefetch memory. */
  const u32 offset = memory == kDdr3 ? DDR3 : 0;
  for (u32 i = 0; i < count; ++i)
    write_descriptor(memory, kBufferTable + 0x20 * i, offset + buffers[i].address,
                     buffers[i].bytes);
  for (u32 i = 0; i < argument_count; ++i) miaow_write(memory, kArguments + 4 * i, arguments[i]);
  put(kBaseLds, DDR3);
  put_quad(0, 0, 0, offset + kTable, 0);
  put_quad(4, offset + kConstants, 0, 0x80, 0);
  put_quad(8, offset + kArguments, 0, 4 * kMostArguments, 0);
  put_quad(12, 0, 0, 0, 0);
}

void miaow_set_scalars(u32 first, u32 second) {
  put_quad(0, first, second, 0, 0);
  for (u32 i = 4; i < 16; i += 4) put_quad(i, 0, 0, 0, 0);
}

static void put_vector(u32 number, const u32* values) {
  put(kVectorIndex, number);
  for (u32 lane = 0; lane < kLanes; ++lane) put(kVectorData + 4 * lane, values[lane]);
  put(kVectorCommit, 1);
}

/* One word, if the compute unit wants any. */
static void serve(void) {
  const u32 state = get(kMemoryState);
  if (state != kStoreRequested && state != kLoadRequested) return;
  pulse(kAcknowledge);
  while (get(kMemoryState) != (state == kStoreRequested ? kStoreAccepted : kLoadAccepted)) {
  }
  const u32 address = get(kMemoryAddress);
  if (state == kStoreRequested)
    XIo_Out32(address, get(kStoreData));
  else
    put(kLoadData, XIo_In32(address));
  pulse(kDone);
  u32 next;
  do {
    next = get(kMemoryState);
  } while (next == kStoreAccepted || next == kLoadAccepted);
  ++served_words;
}

int miaow_run(u32 lanes, const u32* x, const u32* y, u32 limit) {
  put_instruction(kExecLowWord, lanes >= 32 ? 0xFFFFFFFFu : (1u << lanes) - 1u);
  put_instruction(kExecHighWord, lanes >= 64  ? 0xFFFFFFFFu
                                 : lanes > 32 ? (1u << (lanes - 32)) - 1u
                                              : 0u);
  for (u32 number = 0; number < 16; ++number) {
    put(kVectorIndex, number);
    put(kVectorClean, 1);
    put(kVectorCommit, 1);
  }
  put_vector(0, x);
  put_vector(1, y);
  put(kStart, 1);
  int ended = 1;
  while (get(kStart) == 0) {
    serve();
    if (get(kCycles) > limit) {
      ended = 0;
      break;
    }
  }
  cycles = get(kCycles);
  total_cycles += cycles;
  miaow_reset();
  return ended;
}

u32 miaow_cycles(void) { return cycles; }
u32 miaow_total_cycles(void) { return total_cycles; }
u32 miaow_served_words(void) { return served_words; }

u32 miaow_scalar(u32 number) {
  put(kQuadBase, number & ~3u);
  return get(kQuadData + 4 * (number & 3u));
}

u32 miaow_vector(u32 number, u32 lane) {
  put(kVectorIndex, number);
  return get(kVectorData + 4 * lane);
}
