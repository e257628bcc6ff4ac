// SPDX-License-Identifier: Apache-2.0
// Configuration of the MicroBlaze, named after the hardware's parameters (UG984, table "MicroBlaze
// Parameters"; C_USE_DIV is use_div).  The defaults describe the processor of a Xilinx ML605 Linux
// design (little-endian, version 8.10.a, barrel shifter, 64-bit multiplier, divider, pattern
// compare, full MMU) with every exception enabled, plus the reorder and bit-field instructions of
// later versions, so that code for -mcpu=v9.6 runs.
#pragma once

#include <cstdint>
#include <string>

namespace gvp::host {

struct Configuration {
  double clock_hz = 100e6;
  uint32_t lmb_base = 0;           // local memory, byte address
  uint32_t lmb_size = 128u << 10;  // bytes; 0: none
  uint64_t max_instructions = 0;   // stop after this many; 0: no limit

  // How instructions are executed: "interpreter", or "jit", which translates hot code into machine
  // code of this computer.  Results and simulated time are the same.
  std::string engine = "interpreter";
  uint32_t jit_threshold = 64;         // executions of a block before it is translated, at least 1
  uint32_t jit_code_bytes = 16 << 20;  // memory for translated code; when it is full, all goes

  // Units.  What is missing makes its instructions illegal, as in hardware.
  bool big_endian = false;              // C_ENDIANNESS = 0
  bool area_optimized = false;          // C_AREA_OPTIMIZED = 1: 3-stage pipeline; else 5 stages
  bool use_barrel = true;               // bs*
  unsigned use_hw_mul = 2;              // 1: mul, muli; 2: also mulh, mulhu, mulhsu
  bool use_div = true;                  // idiv, idivu
  unsigned use_fpu = 0;                 // 1: add, subtract, multiply, divide, compare; 2: all
  bool use_pcmp_instr = true;           // pcmp*, clz
  bool use_reorder_instr = true;        // swapb, swaph, reversed loads and stores
  bool use_msr_instr = true;            // msrset, msrclr
  unsigned fsl_links = 0;               // AXI4-Stream links, 0..16: get, put
  bool use_extended_fsl_instr = false;  // getd, putd and the atomic, test, exception variants
  unsigned use_mmu = 3;                 // 0 none, 1 user mode, 2 protection, 3 virtual memory
  unsigned mmu_zones = 16;              // 0..16 protection zones
  bool mmu_privileged_instr = false;    // get, put allowed in user mode
  bool use_stack_protection = false;    // SLR, SHR
  unsigned pvr = 2;                     // processor version registers: 0 none, 1 PVR0, 2 all
  uint8_t version = 0x14;     // PVR0.VERSION: 0x14 is 8.10.a (UG984 table "Version codes")
  uint8_t pvr_user1 = 0;      // PVR0.USER1
  uint32_t pvr_user2 = 0;     // PVR1
  uint32_t base_vectors = 0;  // C_BASE_VECTORS, multiple of 128
  uint32_t reset_msr = 0;     // C_RESET_MSR

  // lwx and swx are AXI exclusive accesses on M_AXI_DP (C_M_AXI_DP_EXCLUSIVE_ACCESS), which the bus
  // must know; else the processor's own reservation decides alone.
  bool m_axi_dp_exclusive_access = false;

  // Hardware exceptions.
  bool unaligned_exceptions = true;
  bool ill_opcode_exception = true;
  bool opcode_0x0_illegal = true;
  bool iaxi_bus_exception = true;
  bool daxi_bus_exception = true;
  bool div_zero_exception = true;
  bool fpu_exception = false;
  bool fsl_exception = false;

  // Caches, between the processor and everything beyond the local memory.
  bool use_icache = false;
  bool use_dcache = false;
  // "contents": lines, tags and what follows from them, within the cacheable ranges, switched by
  // MSR.ICE and MSR.DCE (cache_controller.h).  "always-hit": no contents; accesses to memory cost
  // no bus latency.  "auto": always-hit for the loosely timed processor, else contents.
  std::string cache_model = "auto";
  uint32_t cache_byte_size = 8192;  // C_CACHE_BYTE_SIZE: the instruction cache, 64 to 65536
  uint32_t dcache_byte_size = 8192;
  uint32_t icache_line_len = 4;  // words: 4, 8 or 16
  uint32_t dcache_line_len = 4;
  // Cacheable range, both included: the first 256 MiB of that design's memory, as much as a range
  // can have that starts there.
  uint32_t icache_baseaddr = 0x50000000;
  uint32_t icache_highaddr = 0x5fffffff;
  uint32_t dcache_baseaddr = 0x50000000;
  uint32_t dcache_highaddr = 0x5fffffff;
  bool dcache_use_writeback = false;  // else write-through
  bool allow_icache_wr = true;        // wic has an effect
  bool allow_dcache_wr = true;        // wdc has an effect

  // A cache without contents, as far as there is one.
  bool icache_always_hits() const { return use_icache && cache_model != "contents"; }
  bool dcache_always_hits() const { return use_dcache && cache_model != "contents"; }
};

}  // namespace gvp::host
