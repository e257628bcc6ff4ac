// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/keys.h"

#include <utility>

#include "models/cache/keys.h"

namespace gvp::gpgpu::flexgrip {

using namespace device;
using C = Configuration;

namespace {

template <auto kMember>
Field network(std::any& settings) {
  return &(std::any_cast<C&>(settings).network.*kMember);
}

std::vector<Key> network_keys() {
  using N = hierarchy::NetworkSettings;
  return {
      {"network.topology", network<&N::topology>, one_of({"none", "crossbar", "mesh"}), "",
       "Network between SMs and L2 cache or memory (thesis table 11: mesh); none: they reach it in "
       "the same cycle"},
      {"network.flit_bytes", network<&N::flit_bytes>, power_of_two(4, 256), "bytes",
       "What a link of it moves in a cycle"},
      {"network.hop_cycles", network<&N::hop_cycles>, range(1, 100), "cycles",
       "Of a packet's head from one link to the next (assumed: as GPGPU-Sim's example of a mesh)"},
      {"network.queue", network<&N::queue>, range(1, 1024), "",
       "Requests that have room at the L2 cache or memory; others wait in the network"},
      {"network.answer_queue", network<&N::answer_queue>, range(1, 64), "",
       "Answers that have room at the L2 cache or memory; where it is full they hold what is "
       "behind"},
      {"network.input_flits", network<&N::input_flits>, range(1, 48), "",
       "Flits that have room before a source's first link"},
      {"network.buffer_flits", network<&N::buffer_flits>, range(1, 1024), "",
       "Flits that have room at a link's end"},
      {"network.clock_hz", network<&N::clock_hz>, range(0, 1e9), "Hz",
       "Clock of the network; 0: the GPGPU's (thesis 5.5: all at 100 MHz)"},
  };
}

}  // namespace

const std::vector<Key>& keys() {
  static const std::vector<Key> all = [] {
    std::vector<Key> rows = {
        {"sms", field<&C::sms>, range(1, 64), "", "Streaming multiprocessors (SM)"},
        {"sps", field<&C::sps>, one_of({"8", "16", "32"}), "", "Scalar processors (SP) per SM"},
        {"clock_hz", field<&C::clock_hz>, range(1e6, 1e9), "Hz", "Clock of the GPGPU"},
        {"warps_per_sm", field<&C::warps_per_sm>, range(1, 256), "",
         "Warp slots of an SM (thesis table 5: 24)"},
        {"threads_per_sm", field<&C::threads_per_sm>, range(32, 8192), "",
         "Threads an SM can hold (thesis table 5: 768)"},
        {"blocks_per_sm", field<&C::blocks_per_sm>, range(1, 256), "",
         "Block slots of an SM (thesis table 5: 8)"},
        {"threads_per_block", field<&C::threads_per_block>, range(1, 1024), "",
         "Largest block (thesis table 5: 256)"},
        {"registers_per_sm", field<&C::registers_per_sm>, range(32, 1 << 20), "",
         "32-bit registers of an SM (thesis table 5: 8192)"},
        {"shared_bytes_per_sm", field<&C::shared_bytes_per_sm>, range(256, 65536), "bytes",
         "Shared memory of an SM (thesis table 5: 16384)"},
        {"shared_banks", field<&C::shared_banks>, one_of({"none", "compute-1.x", "compute-2.x"}),
         "",
         "Shared memory serves lane after lane (none, FlexGrip), or has NVIDIA's 16 banks of "
         "compute capability 1.x or 32 of 2.x and serves what is free of conflicts at once"},
        {"local_bytes", field<&C::local_bytes>, range(0, 65536), "bytes",
         "Local memory of a thread"},
        {"stack_depth", field<&C::stack_depth>, range(0, 64), "entries",
         "Warp stack; 0 is a device without divergence (thesis 4.1.1: 32)"},
        {"multiplier", field<&C::multiplier>, anything(), "", "Multiplier present (thesis 4.1)"},
        {"three_operands", field<&C::three_operands>, anything(), "",
         "Third operand present: multiply-add and the like (thesis 4.1)"},
        {"floating_point", field<&C::floating_point>, anything(), "",
         "Floating-point and special-function units present"},
        {"device_extensions", field<&C::device_extensions>, anything(), "",
         "Instructions of later devices: atomic operations on global memory (compute capability "
         "1.1), on shared memory and votes (1.2)"},
        {"first_path", field<&C::first_path>, one_of({"taken", "not-taken"}), "",
         "Which side of a divergent branch runs first: taken (the RTL) or not-taken (the thesis)"},
        {"fmad", field<&C::fmad>, one_of({"truncate", "ieee"}), "",
         "FMAD rounds the product before the addition (ieee, the RTL) or chops it (truncate, sm_10 "
         "hardware)"},
        {"denormals", field<&C::denormals>, one_of({"flush", "keep"}), "",
         "Denormal operands and results of floating point become zero, or not"},
        {"partial_warps", field<&C::partial_warps>, one_of({"masked", "full"}), "",
         "Lanes without a thread in the last warp of a block: masked, or full: they run, too, and "
         "do "
         "as thread 0 does (the RTL)"},
        {"code_bytes", field<&C::code_bytes>, multiple_of(8, 1024, 262144), "bytes",
         "System memory, where kernels' code lies"},
        {"constant_bytes", field<&C::constant_bytes>, multiple_of(4, 256, 65536), "bytes",
         "Constant memory"},
        {"global_memory", field<&C::global_memory>, one_of({"bram", "ddr3"}), "",
         "Where global memory is: bram, a block RAM of the GPGPU's own that the host reaches "
         "through a window (thesis 3), or ddr3, the GPGPU being a master on the bus (thesis 5)"},
        {"global_bytes", field<&C::global_bytes>, multiple_of(4096, 4096, 32 << 20), "bytes",
         "Size of that block RAM"},
        {"global_addresses", field<&C::global_addresses>, one_of({"checked", "wrap"}), "",
         "Misaligned addresses and such beyond that block RAM: checked stops the kernel, wrap "
         "accesses byte by byte modulo the size (FlexGripPlus)"},
        {"null_page", field<&C::null_page>, anything(), "",
         "Accesses of a kernel to the first 256 bytes of global memory stop it, as a null pointer "
         "leads there; false: they are memory (as in the RTL)"},
    };
    rows.push_back({"perfect_memory", field<&C::perfect_memory>, anything(), "",
                    "Memory on the bus answers GPGPU and caches in the next cycle (thesis 5.6)"});
    rows.push_back({"request_bytes", field<&C::request_bytes>,
                    one_of({"0", "32", "64", "128", "256"}), "bytes",
                    "What a load of a lane asks L2 cache or memory for where there is no L1 cache "
                    "(thesis 5.5: 32); 0: what it needs"});
    rows.push_back(
        {"outstanding", field<&C::outstanding>, range(1, 256), "",
         "Transactions of the port on the bus at a time; more than 1: of a loosely timed "
         "bus (GPGPU-Sim's DRAM scheduler: 16)"});
    rows.push_back({"port_bytes", field<&C::port_bytes>, power_of_two(4, 128), "bytes",
                    "What the data channel of that port moves in a cycle, between transactions of "
                    "which several are under way"});
    rows.push_back({"sm_requests", field<&C::sm_requests>, range(0, 1024), "",
                    "Requests of an SM on their way at a time while its other warps go on; 0: its "
                    "pipeline holds until those of an instruction are answered (FlexGrip)"});
    rows.push_back({"coalescing", field<&C::coalescing>,
                    one_of({"none", "compute-1.0", "compute-1.2", "compute-2.0"}), "",
                    "Which lanes share a request: none (FlexGrip), or NVIDIA's rules for a compute "
                    "capability: 1.0 and 1.1, 1.2 and 1.3, or 2.x, by which the lanes of a warp "
                    "share a line of the L1 cache, or 32 bytes without"});
    rows.push_back({"off_chip_base", field<&C::off_chip_base>, multiple_of(4096, 0, 4294963200.0),
                    "address",
                    "Where memory on the bus holds system memory and behind it, from the next "
                    "multiple of 4 KiB on, constant memory, if the cache for either is enabled; "
                    "0x6ff80000 is near the end of the default board's DDR3"});
    for (Key& key : cache::cache_keys<&C::l1>("l1", "L1 data cache of each SM"))
      rows.push_back(std::move(key));
    for (Key& key : cache::cache_keys<&C::l2>("l2", "L2 cache of all SMs"))
      rows.push_back(std::move(key));
    rows.push_back({"l2.clock_hz", field<&C::l2_clock_hz>, range(0, 1e9), "Hz",
                    "L2 cache of all SMs: its clock; 0: the GPGPU's (thesis 5.5: 100 MHz)"});
    for (Key& key : cache::read_cache_keys<&C::instruction_cache>(
             "instruction_cache", "Instruction cache of each SM", "-gpgpu_cache:il1 4:128:4,L"))
      rows.push_back(std::move(key));
    for (Key& key : cache::read_cache_keys<&C::constant_cache>(
             "constant_cache", "Constant cache of each SM", "-gpgpu_const_cache:l1 64:64:2,L"))
      rows.push_back(std::move(key));
    for (Key& key :
         cache::loads_cache_keys<&C::texture_cache>("texture_cache", "Texture cache of each SM"))
      rows.push_back(std::move(key));
    for (Key& key : network_keys()) rows.push_back(std::move(key));
    for (Key& key : timing_keys()) rows.push_back(std::move(key));
    return rows;
  }();
  return all;
}

}  // namespace gvp::gpgpu::flexgrip
