// SPDX-License-Identifier: Apache-2.0
// A sum of two vectors that clang compiles to instructions of MIAOW2.0 alone: typed buffer
// accesses, to addresses of 32 bits.
int load(int4 buffer, int address, int offset, int format, int policy) __asm("llvm.amdgcn.raw.tbuffer.load.i32");
void store(int data, int4 buffer, int address, int offset, int format, int policy) __asm("llvm.amdgcn.raw.tbuffer.store.i32");
#define FORMAT (4 | 7 << 4)

kernel void matadd(global int* c, global const int* a, global const int* b) {
  const int i = get_global_id(0);
  const int4 all = (int4)(0, 0, -1, 0x27000);
  const int sum = load(all, (uint)(size_t)(a + i), 0, FORMAT, 0) + load(all, (uint)(size_t)(b + i), 0, FORMAT, 0);
  store(sum, all, (uint)(size_t)(c + i), 0, FORMAT, 0);
}
