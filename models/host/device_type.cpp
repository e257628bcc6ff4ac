// SPDX-License-Identifier: Apache-2.0
// The MicroBlaze as a device of a board: its local memory is a window inside it.
#include "models/device/device_type.h"

#include <nlohmann/json.hpp>

#include "models/host/host.h"

namespace gvp::host {
namespace {

using namespace device;
using C = Configuration;

std::vector<Key> keys() {
  return {
      {"clock_hz", field<&C::clock_hz>, range(1e6, 1e9), "Hz", "Clock of the MicroBlaze"},
      {"engine", field<&C::engine>, one_of({"interpreter", "jit"}), "",
       "How the MicroBlaze's code is executed: interpreted, or hot code translated into this "
       "computer's (x86-64); results and simulated time are the same"},
      {"jit_threshold", field<&C::jit_threshold>, range(1, 1e9), "",
       "Executions of a block before it is translated"},
      {"jit_code_bytes", field<&C::jit_code_bytes>, power_of_two(1 << 16, 1 << 30), "bytes",
       "Memory for translated code; when it is full, all of it is translated anew"},
      {"lmb_size", field<&C::lmb_size>, power_of_two(4096, 1 << 20), "bytes",
       "Size of the local memory"},
      {"big_endian", field<&C::big_endian>, anything(), "", "Byte order (C_ENDIANNESS = 0)"},
      {"area_optimized", field<&C::area_optimized>, anything(), "",
       "Three pipeline stages instead of five (C_AREA_OPTIMIZED)"},
      {"use_barrel", field<&C::use_barrel>, anything(), "", "Barrel shifter"},
      {"use_hw_mul", field<&C::use_hw_mul>, range(0, 2), "",
       "Multiplier: 0 none, 1 32-bit result, 2 also the high half"},
      {"use_div", field<&C::use_div>, anything(), "", "Divider"},
      {"use_fpu", field<&C::use_fpu>, range(0, 2), "",
       "Floating point: 0 none, 1 basic, 2 with conversions and square root"},
      {"use_pcmp_instr", field<&C::use_pcmp_instr>, anything(), "",
       "Pattern compare and count leading zeros"},
      {"use_reorder_instr", field<&C::use_reorder_instr>, anything(), "",
       "Swapped and reversed loads and stores"},
      {"use_msr_instr", field<&C::use_msr_instr>, anything(), "", "msrset, msrclr"},
      {"fsl_links", field<&C::fsl_links>, range(0, 16), "", "AXI4-Stream links"},
      {"use_extended_fsl_instr", field<&C::use_extended_fsl_instr>, anything(), "",
       "getd, putd and the variants of get and put"},
      {"use_mmu", field<&C::use_mmu>, range(0, 3), "",
       "0 none, 1 user mode, 2 protection, 3 virtual memory"},
      {"mmu_zones", field<&C::mmu_zones>, range(0, 16), "", "Protection zones"},
      {"mmu_privileged_instr", field<&C::mmu_privileged_instr>, anything(), "",
       "get and put allowed in user mode"},
      {"use_stack_protection", field<&C::use_stack_protection>, anything(), "",
       "Stack limit registers SLR, SHR"},
      {"pvr", field<&C::pvr>, range(0, 2), "",
       "Processor version registers: 0 none, 1 basic, 2 full"},
      {"version", field<&C::version>, range(0, 255), "", "Version code in PVR0 (20 is 8.10.a)"},
      {"pvr_user1", field<&C::pvr_user1>, range(0, 255), "", "PVR0.USER1"},
      {"pvr_user2", field<&C::pvr_user2>, anything(), "", "PVR1"},
      {"base_vectors", field<&C::base_vectors>, multiple_of(128, 0, 4294967168), "",
       "Address of the vectors"},
      {"reset_msr", field<&C::reset_msr>, anything(), "", "MSR after reset"},
      {"m_axi_dp_exclusive_access", field<&C::m_axi_dp_exclusive_access>, anything(), "",
       "lwx and swx that reach the bus are AXI exclusive accesses (C_M_AXI_DP_EXCLUSIVE_ACCESS)"},
      {"unaligned_exceptions", field<&C::unaligned_exceptions>, anything(), "",
       "Unaligned accesses raise an exception"},
      {"ill_opcode_exception", field<&C::ill_opcode_exception>, anything(), "",
       "Illegal opcodes raise an exception"},
      {"opcode_0x0_illegal", field<&C::opcode_0x0_illegal>, anything(), "",
       "The word 0 is an illegal opcode"},
      {"iaxi_bus_exception", field<&C::iaxi_bus_exception>, anything(), "",
       "Bus errors of fetches raise an exception"},
      {"daxi_bus_exception", field<&C::daxi_bus_exception>, anything(), "",
       "Bus errors of loads and stores raise an exception"},
      {"div_zero_exception", field<&C::div_zero_exception>, anything(), "",
       "Division by zero raises an exception"},
      {"fpu_exception", field<&C::fpu_exception>, anything(), "", "Floating-point exceptions"},
      {"fsl_exception", field<&C::fsl_exception>, anything(), "", "Stream exceptions"},
      {"use_icache", field<&C::use_icache>, anything(), "", "Instruction cache"},
      {"use_dcache", field<&C::use_dcache>, anything(), "", "Data cache"},
      {"cache_model", field<&C::cache_model>, one_of({"auto", "always-hit", "contents"}), "",
       "What a cache is: always-hit, no more than accesses without bus latency; contents, lines "
       "and "
       "tags as in hardware, stale data included; auto, always-hit where host.model is lt, else "
       "contents"},
      {"cache_byte_size", field<&C::cache_byte_size>, power_of_two(64, 65536), "bytes",
       "Size of the instruction cache"},
      {"dcache_byte_size", field<&C::dcache_byte_size>, power_of_two(64, 65536), "bytes",
       "Size of the data cache"},
      {"icache_line_len", field<&C::icache_line_len>, one_of({"4", "8", "16"}), "words",
       "Line of the instruction cache"},
      {"dcache_line_len", field<&C::dcache_line_len>, one_of({"4", "8", "16"}), "words",
       "Line of the data cache"},
      {"icache_baseaddr", field<&C::icache_baseaddr>, anything(), "",
       "First address that the instruction cache holds; the range's size is a power of two, and it "
       "starts at a multiple of that"},
      {"icache_highaddr", field<&C::icache_highaddr>, anything(), "",
       "Last address that the instruction cache holds"},
      {"dcache_baseaddr", field<&C::dcache_baseaddr>, anything(), "",
       "First address that the data cache holds"},
      {"dcache_highaddr", field<&C::dcache_highaddr>, anything(), "",
       "Last address that the data cache holds"},
      {"dcache_use_writeback", field<&C::dcache_use_writeback>, anything(), "",
       "The data cache is write-back, not write-through"},
      {"allow_icache_wr", field<&C::allow_icache_wr>, anything(), "", "wic has an effect"},
      {"allow_dcache_wr", field<&C::allow_dcache_wr>, anything(), "", "wdc has an effect"},
  };
}

constexpr const char* kLocalMemory = "lmb";

std::vector<Window> windows(const Instance& instance) {
  Window memory{kLocalMemory, instance.as<C>().lmb_size,
                "local memory (LMB block RAM): reset, exception and interrupt vectors"};
  memory.local = true;
  return {memory};
}

const char* flag(bool value) { return value ? "<1>" : "<0>"; }

// The properties that Linux reads (arch/microblaze, cpuinfo).
TreeNode device_tree(const Instance& instance) {
  const C& c = instance.as<C>();
  const auto number = [](auto value) { return '<' + std::to_string(value) + '>'; };
  TreeNode node{"cpu", {"xlnx,microblaze-8.10.a"}, {}};
  node.properties = {{"device_type", "\"cpu\""},
                     {"clock-frequency", number(static_cast<uint64_t>(c.clock_hz))},
                     {"timebase-frequency", number(static_cast<uint64_t>(c.clock_hz))},
                     {"xlnx,endianness", flag(!c.big_endian)},
                     {"xlnx,area-optimized", flag(c.area_optimized)},
                     {"xlnx,use-barrel", flag(c.use_barrel)},
                     {"xlnx,use-div", flag(c.use_div)},
                     {"xlnx,use-hw-mul", number(c.use_hw_mul)},
                     {"xlnx,use-fpu", number(c.use_fpu)},
                     {"xlnx,use-msr-instr", flag(c.use_msr_instr)},
                     {"xlnx,use-pcmp-instr", flag(c.use_pcmp_instr)},
                     {"xlnx,use-mmu", number(c.use_mmu)},
                     {"xlnx,mmu-zones", number(c.mmu_zones)},
                     {"xlnx,pvr", number(c.pvr)},
                     {"xlnx,pvr-user1", number(unsigned{c.pvr_user1})},
                     {"xlnx,pvr-user2", number(c.pvr_user2)},
                     {"xlnx,fsl-links", number(c.fsl_links)},
                     {"xlnx,use-icache", flag(c.use_icache)},
                     {"xlnx,use-dcache", flag(c.use_dcache)},
                     {"xlnx,dcache-use-writeback", flag(c.dcache_use_writeback)}};
  // A cache that is not there has no size.
  if (c.use_icache)
    node.properties.insert(node.properties.end(),
                           {{"i-cache-size", number(c.cache_byte_size)},
                            {"i-cache-line-size", number(4 * c.icache_line_len)},
                            {"i-cache-baseaddr", number(c.icache_baseaddr)},
                            {"i-cache-highaddr", number(c.icache_highaddr)}});
  if (c.use_dcache)
    node.properties.insert(node.properties.end(),
                           {{"d-cache-size", number(c.dcache_byte_size)},
                            {"d-cache-line-size", number(4 * c.dcache_line_len)},
                            {"d-cache-baseaddr", number(c.dcache_baseaddr)},
                            {"d-cache-highaddr", number(c.dcache_highaddr)}});
  return node;
}

Parts make(const Instance& instance, Surroundings& surroundings) {
  C configuration = instance.as<C>();
  configuration.lmb_base = static_cast<uint32_t>(instance.bases.at(kLocalMemory));
  configuration.max_instructions = surroundings.max_instructions;
  auto host = make_host(instance.name.c_str(), instance.model, configuration);
  Host& h = *host;
  Parts parts;
  parts.initiators = {{"instruction", &h.instruction_socket()}, {"data", &h.data_socket()}};
  parts.connect_input = [&h](unsigned, sc_core::sc_signal<bool>& signal) { h.interrupt(signal); };
  parts.reset = [&h] { h.reset(); };
  parts.statistics = [&h] {
    nlohmann::ordered_json json = {{"instructions", h.instructions()}, {"cycles", h.cycles()}};
    json.update(h.statistics());
    return json;
  };
  parts.module = std::move(host);
  return parts;
}

}  // namespace

DeviceType microblaze_type() {
  DeviceType type;
  type.name = "microblaze";
  type.description = "MicroBlaze";
  type.models = {"lt", "at"};
  type.defaults = C{};
  type.keys = keys();
  type.windows = windows;
  // One transaction at a time: UG984, "Memory Mapped Interfaces", M_AXI_IP and M_AXI_DP.
  type.masters = {{"instruction", 1, true, true}, {"data", 1, false, true}};
  type.interrupt_inputs = [](const Instance&) { return 1u; };
  type.device_tree = device_tree;
  type.make = make;
  type.has_reset = true;
  type.is_processor = true;
  return type;
}

}  // namespace gvp::host
