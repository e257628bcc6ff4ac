// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/keys/probes.h"

namespace gvp::test {
namespace {

// Its options are in its version registers, its reset value in MSR.
const Values kVersionValues = {
    {"host.big_endian", "true"},  // refuses the program
    {"host.area_optimized", "true"},
    {"host.use_barrel", "false"},
    {"host.use_hw_mul", "0"},
    {"host.use_div", "false"},
    {"host.use_fpu", "2"},
    {"host.use_pcmp_instr", "false"},
    {"host.use_reorder_instr", "false"},
    {"host.use_msr_instr", "false"},
    {"host.fsl_links", "3"},
    {"host.use_extended_fsl_instr", "true"},
    {"host.use_mmu", "0"},
    {"host.mmu_zones", "3"},
    {"host.pvr", "1"},
    {"host.version", "25"},
    {"host.pvr_user1", "7"},
    {"host.pvr_user2", "7"},
    {"host.reset_msr", "128"},
    {"host.unaligned_exceptions", "false"},
    {"host.ill_opcode_exception", "false"},
    {"host.opcode_0x0_illegal", "false"},
    {"host.iaxi_bus_exception", "false"},
    {"host.daxi_bus_exception", "false"},
    {"host.div_zero_exception", "false"},
    {"host.fpu_exception", "true"},
    {"host.fsl_exception", "true"},
    {"host.use_icache", "true"},
    {"host.use_dcache", "true"},
    {"host.cache_byte_size", "256"},
    {"host.dcache_byte_size", "256"},
    {"host.icache_line_len", "8"},
    {"host.dcache_line_len", "8"},
    {"host.icache_baseaddr", "0x58000000"},
    {"host.icache_highaddr", "0x57ffffff"},
    {"host.dcache_baseaddr", "0x58000000"},
    {"host.dcache_highaddr", "0x57ffffff"},
    {"host.dcache_use_writeback", "true"},
    {"host.allow_icache_wr", "false"},
    {"host.allow_dcache_wr", "false"},
};

}  // namespace

void add_host(Probes& probes, const KeyKernels& kernels) {
  probes.add(kVersionValues, {"gpgpu-vp",
                              {kernels.versions, "--set", "host.use_icache=true", "--set",
                               "host.use_dcache=true"}});
}

}  // namespace gvp::test
