// SPDX-License-Identifier: Apache-2.0
#include "models/host/version_registers.h"

namespace gvp::host {
namespace {

// Bit n counted from the most significant one, as the manual's tables do.
constexpr uint32_t bit(unsigned n, bool value) { return value ? 0x80000000u >> n : 0; }

uint32_t configuration_register(const Configuration& c) {
  const bool any_exception = c.unaligned_exceptions || c.ill_opcode_exception ||
                             c.iaxi_bus_exception || c.daxi_bus_exception || c.div_zero_exception ||
                             c.fpu_exception || c.fsl_exception;
  return bit(0, c.pvr == 2) | bit(1, c.use_barrel) | bit(2, c.use_div) | bit(3, c.use_hw_mul > 0) |
         bit(4, c.use_fpu > 0) | bit(5, any_exception) | bit(6, c.use_icache) |
         bit(7, c.use_dcache) | bit(8, c.use_mmu > 0) | bit(10, !c.big_endian) |
         bit(12, c.use_stack_protection) | uint32_t{c.version} << 8 | c.pvr_user1;
}

uint32_t feature_register(const Configuration& c) {
  return bit(0, true) /* data AXI */ | bit(1, c.lmb_size > 0) | bit(2, true) /* instruction AXI */ |
         bit(3, c.lmb_size > 0) | bit(5, true) /* interrupt active high */ |
         bit(12, c.use_extended_fsl_instr) | bit(13, c.fsl_exception) | bit(14, c.use_msr_instr) |
         bit(15, c.use_pcmp_instr) | bit(16, c.area_optimized) | bit(17, c.use_barrel) |
         bit(18, c.use_div) | bit(19, c.use_hw_mul > 0) | bit(20, c.use_fpu > 0) |
         bit(21, c.use_hw_mul == 2) | bit(22, c.use_fpu == 2) | bit(25, c.opcode_0x0_illegal) |
         bit(26, c.unaligned_exceptions) | bit(27, c.ill_opcode_exception) |
         bit(28, c.iaxi_bus_exception) | bit(29, c.daxi_bus_exception) |
         bit(30, c.div_zero_exception) | bit(31, c.fpu_exception);
}

uint32_t log2(uint32_t value) {
  uint32_t result = 0;
  while (value > 1) {
    value >>= 1;
    ++result;
  }
  return result;
}

// Address bits of the cacheable range beyond those that index the cache (PVR4.ICTS, PVR5.DCTS).
uint32_t tag_bits(uint32_t first, uint32_t last, uint32_t cache_bytes) {
  uint32_t bits = 0;
  for (uint64_t size = uint64_t{last} - first + 1; size > cache_bytes; size >>= 1) ++bits;
  return (bits & 31) << 26;
}

}  // namespace

uint32_t version_register(const Configuration& c, unsigned number) {
  if (c.pvr == 0 || (c.pvr == 1 && number > 0)) return 0;
  switch (number) {
    case 0:
      return configuration_register(c);
    case 1:
      return c.pvr_user2;
    case 2:
      return feature_register(c);
    case 3:
      return c.fsl_links << 7 | bit(12, c.use_reorder_instr);
    case 4:
      if (!c.use_icache) return 0;
      return bit(0, true) | tag_bits(c.icache_baseaddr, c.icache_highaddr, c.cache_byte_size) |
             bit(7, c.allow_icache_wr) | log2(c.icache_line_len) << 21 |
             log2(c.cache_byte_size) << 16;
    case 5:
      if (!c.use_dcache) return 0;
      return bit(0, true) | tag_bits(c.dcache_baseaddr, c.dcache_highaddr, c.dcache_byte_size) |
             bit(7, c.allow_dcache_wr) | log2(c.dcache_line_len) << 21 |
             log2(c.dcache_byte_size) << 16 | bit(17, c.dcache_use_writeback);
    case 6:
      return c.icache_baseaddr;
    case 7:
      return c.icache_highaddr;
    case 8:
      return c.dcache_baseaddr;
    case 9:
      return c.dcache_highaddr;
    case 10:
      return 0x0e000000;  // target family: Virtex-6
    case 11:
      // MMU, shadow TLB sizes (2 instruction and 4 data entries, as logarithms), full TLB access,
      // zones, stream instructions in user mode, MSR at reset.
      return c.use_mmu << 30 | 1u << 27 | 2u << 24 | 3u << 22 | c.mmu_zones << 17 |
             bit(15, c.mmu_privileged_instr) | c.reset_msr;
    case 12:
      return c.base_vectors;
    default:
      return 0;
  }
}

}  // namespace gvp::host
