// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/keys/probes.h"
#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

Probe board(const Options& options, const std::string& program = "hello") {
  return {"gpgpu-vp", options + Options{firmware(program)}};
}

// Where the host's and the GPGPU's accesses to the DDR3 meet.
Probe contention(const Options& more = {}) {
  return {"gpgpu-vp", Options{"--timing", "at", "--model", "host=lt", "--arguments", "32", "--set",
                              "gpgpu.global_memory=ddr3"} +
                          more + Options{firmware("bench")}};
}

}  // namespace

void add_board(Probes& probes, const KeyKernels& kernels) {
  const Options at = {"--timing", "at", "--max-instructions", "3000"};
  const Options caches =
      at + Options{"--set", "host.use_icache=true", "--set", "host.use_dcache=true"};
  probes["host.use_icache"] = {"true", board(at)};
  probes["host.use_dcache"] = {"true", board(at)};
  probes["quantum_ns"] = {"100", board({}, "selftest")};
  probes["uart16550.line"] = {"none", board({})};
  probes["uartlite.line"] = {"tcp:0", board({})};
  probes["host.model"] = {"at", board({})};
  probes["host.clock_hz"] = {"50e6", board(at)};
  probes["host.lmb_size"] = {"4096", board({}, "selftest")};
  probes["host.cache_model"] = {"always-hit", board(caches)};  // refused
  probes["axi.model"] = {"at", board({"--max-instructions", "3000"})};
  for (const char* key : {"axi.request_cycles", "axi.response_cycles", "axi.lite_cycles"})
    probes[key] = {"9", board(at)};
  probes["axi.clock_hz"] = {"50e6", board(at)};
  probes["axi.check"] = {"true", board(at)};
  probes["axi.data_bytes"] = {"1",
                              bus(kernels.everything, {"--model", "axi=lt", "--model", "ddr3=lt"})};
  probes["axi.crossing_cycles"] = {"9", board(at + Options{"--set", "axi.ddr3.clock_hz=400e6"})};
  probes["axi.arbitration"] = {"fixed", contention()};
  for (const char* port : {"host_instruction", "host_data", "ddr3"}) {
    const std::string prefix = std::string("axi.") + port;
    probes[prefix + ".clock_hz"] = {"50e6", board(at)};
    probes[prefix + ".register_slices"] = {"3", board(at)};
    probes[prefix + ".data_bytes"] = {"1", board(at)};
  }
  probes["axi.ddr3.data_bytes"] = {"1", contention()};
  probes["axi.gpgpu.clock_hz"] = {"50e6", bus(kernels.everything)};
  probes["axi.gpgpu.register_slices"] = {"3", bus(kernels.everything)};
  probes["axi.gpgpu.data_bytes"] = {"1", bus(kernels.everything)};
  for (const char* port : {"axi.gpgpu.qos", "axi.host_instruction.qos"})
    probes[port] = {"9", contention({"--set", "axi.arbitration=qos"})};
  for (const char* device : {"intc", "timer", "uart16550", "uartlite"})
    probes[std::string(device) + ".model"] = {"rtl", board({})};
  probes["intc.inputs"] = {"7", board({})};  // the GPGPU is on line 7: refused
  probes["ddr3.model"] = {"at", board({"--model", "axi=at", "--max-instructions", "3000"})};
  probes["ddr3.size"] = {"16777216", board({"--max-time", "1ms"})};
  probes["ddr3.clock_hz"] = {"333e6", board(at)};
  probes["ddr3.device"] = {"ddr3-800d", board(at)};
  probes["ddr3.front_end_ns"] = {"70", board(at)};
  probes["ddr3.mapping"] = {"bank-row-column", board(at)};
  probes["ddr3.page_policy"] = {"closed", board(at)};
  probes["ddr3.scheduler"] = {"in-order", contention()};
  probes["ddr3.queue_depth"] = {"1", contention()};
  probes["ddr3.refresh"] = {"false", board(at)};
}

}  // namespace gvp::test
