// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/keys/probes.h"
#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

// Warps whose texture has more lines than its cache.
Probe textures(unsigned points, const Options& more = {}) {
  return {"gpgpu-vp",
          Options{"-c", source("platform/configs/flexgrip_chapter5.toml"), "--arguments",
                  "unverified kmn " + std::to_string(points), "--set", "gpgpu.l1.enabled=true",
                  "--set", "gpgpu.l1.ports=4", "--set", "gpgpu.texture_cache.enabled=true", "--set",
                  "gpgpu.texture_cache.ways=8", "--set", "gpgpu.texture_cache.replacement=random"} +
              more + Options{firmware("chapter5")}};
}

// Warps that read and write more lines than the caches have, with two SMs.
Probe caches(const std::string& path, const Options& more = {}) {
  return bus(path, Options{"--set", "gpgpu.l1.enabled=true", "--set", "gpgpu.l1.sets=4", "--set",
                           "gpgpu.l1.replacement=random", "--set", "gpgpu.l2.enabled=true", "--set",
                           "gpgpu.l2.sets=4", "--set", "gpgpu.l2.ways=4", "--set",
                           "gpgpu.l2.replacement=random", "--set", "gpgpu.sms=2"} +
                       more);
}

const Values kCacheValues = {
    {"enabled", "false"},    {"sets", "1"},           {"ways", "1"},
    {"line_bytes", "256"},   {"sector_bytes", "32"},  {"replacement", "lru"},
    {"seed", "9"},           {"write", "write-back"}, {"hit_cycles", "9"},
    {"miss_registers", "1"}, {"miss_requests", "1"},  {"ports", "2"},
};

const Values kTextureCacheValues = {
    {"enabled", "false"},    {"sets", "1"},          {"ways", "1"},          {"line_bytes", "256"},
    {"sector_bytes", "32"},  {"replacement", "lru"}, {"seed", "9"},          {"hit_cycles", "9"},
    {"miss_registers", "1"}, {"ports", "2"},         {"miss_requests", "1"},
};

// Caches of code and constants that are smaller than those: of `scattered`'s a few lines.
Probe code_caches(const std::string& path, const Options& more = {}) {
  return bus(path, Options{"--set", "gpgpu.instruction_cache.enabled=true",
                           "--set", "gpgpu.instruction_cache.sets=2",
                           "--set", "gpgpu.instruction_cache.ways=2",
                           "--set", "gpgpu.instruction_cache.line_bytes=64",
                           "--set", "gpgpu.instruction_cache.sector_bytes=64",
                           "--set", "gpgpu.instruction_cache.replacement=random",
                           "--set", "gpgpu.constant_cache.enabled=true",
                           "--set", "gpgpu.constant_cache.sets=2",
                           "--set", "gpgpu.constant_cache.ways=2",
                           "--set", "gpgpu.constant_cache.replacement=random"} +
                       more);
}

const Values kCodeCacheValues = {
    {"enabled", "false"},   {"sets", "1"},          {"ways", "1"}, {"line_bytes", "128"},
    {"sector_bytes", "32"}, {"replacement", "lru"}, {"seed", "9"}, {"hit_cycles", "9"},
};

}  // namespace

// What the kernel stores goes over the bus.
Probe bus(const std::string& path, const Options& more) {
  return kernel(path, Options{"--set", "gpgpu.global_memory=ddr3"} + more);
}

void add_hierarchy(Probes& probes, const KeyKernels& kernels) {
  for (const char* level : {"gpgpu.l1.", "gpgpu.l2."}) {
    for (const auto& [key, value] : kCacheValues)
      probes[level + key] = {value, caches(kernels.columns)};
    probes[std::string(level) + "write_allocate"] = {
        "true", caches(kernels.columns, {"--set", "gpgpu.l1.write=write-back", "--set",
                                         "gpgpu.l2.write=write-back"})};
    probes[std::string(level) + "miss_queue"] = {
        "1", caches(kernels.columns, {"--set", "gpgpu.l2.write=write-back"})};
    const std::string write = level;
    probes[write + "write_buffer"] = {
        "0", caches(kernels.columns,
                    {"--set", write + "write=write-back", "--set", write + "write_allocate=true"})};
  }
  for (const char* level : {"gpgpu.instruction_cache.", "gpgpu.constant_cache."})
    for (const auto& [key, value] : kCodeCacheValues)
      probes[level + key] = {value, code_caches(kernels.scattered)};
  for (const auto& [key, value] : kTextureCacheValues)
    probes["gpgpu.texture_cache." + key] = {value, textures(40)};
  probes["gpgpu.texture_cache.miss_queue"] = {
      "1", textures(200, {"--set", "gpgpu.network.topology=none", "--set", "gpgpu.outstanding=1"})};
  probes["gpgpu.off_chip_base"] = {"0x50003000", code_caches(kernels.scattered)};
  // Where an L1 cache sends it several requests a cycle: stores.
  probes["gpgpu.l2.ports"] = {"2", caches(kernels.columns, {"--set", "gpgpu.l1.ports=4", "--set",
                                                            "gpgpu.perfect_memory=true"})};
  const Options mesh = {"--set", "gpgpu.network.topology=mesh"};
  probes["gpgpu.network.topology"] = {"crossbar", caches(kernels.columns, mesh)};
  probes["gpgpu.network.flit_bytes"] = {"4", caches(kernels.columns, mesh)};
  probes["gpgpu.network.hop_cycles"] = {"9", caches(kernels.columns, mesh)};
  probes["gpgpu.network.clock_hz"] = {"50e6", caches(kernels.columns, mesh)};
  probes["gpgpu.l2.clock_hz"] = {"50e6", caches(kernels.columns)};
  probes["gpgpu.network.queue"] = {"1", caches(kernels.columns, mesh)};
  probes["gpgpu.network.answer_queue"] = {"1", caches(kernels.columns, mesh)};
  probes["gpgpu.network.input_flits"] = {"1", caches(kernels.columns, mesh)};
  probes["gpgpu.network.buffer_flits"] = {"1", caches(kernels.columns, mesh)};
  // Where it is asked for less than a line.
  probes["gpgpu.l2.sector_bytes"] = {
      "32", caches(kernels.columns, {"--set", "gpgpu.l1.sector_bytes=32"})};
  probes["gpgpu.request_bytes"] = {"32", bus(kernels.everything)};
  probes["gpgpu.coalescing"] = {"compute-2.0", bus(kernels.everything)};
  // Several transactions are those of a loosely timed bus.
  const Options lt_bus = {"--model", "axi=lt", "--model",
                          "ddr3=lt", "--set",  "gpgpu.request_bytes=32"};
  probes["gpgpu.outstanding"] = {"4", bus(kernels.columns, lt_bus)};
  probes["gpgpu.port_bytes"] = {
      "8", bus(kernels.columns, lt_bus + Options{"--set", "gpgpu.outstanding=4"})};
  probes["gpgpu.sm_requests"] = {"4", bus(kernels.columns)};
  probes["gpgpu.perfect_memory"] = {"true", bus(kernels.everything)};
}

}  // namespace gvp::test
