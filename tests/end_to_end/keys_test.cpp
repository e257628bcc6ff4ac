// SPDX-License-Identifier: Apache-2.0
// Every configuration key changes something that a user can see: what is printed, the exit code or
// the statistics.  A key that was read and ignored would promise what the models do not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using Options = std::vector<std::string>;

// A key and its default, as --help-config prints them.
std::map<std::string, std::string> keys() {
  std::map<std::string, std::string> found;
  std::istringstream page(run("gpgpu-vp", {"--help-config"}).out);
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const size_t name_end = line.find('`', 3);
    const size_t value = line.find('`', name_end + 1) + 1;
    found[line.substr(3, name_end - 3)] = line.substr(value, line.find('`', value) - value);
  }
  return found;
}

// All that a user sees of a run, but for the configuration itself and what wall clocks say.
std::string outcome(const std::string& tool, Options options) {
  const std::string file = temporary("statistics.json");
  options.insert(options.end(), {"--quiet", "--stats", file});
  const Result result = run(tool, options);
  std::string seen = std::to_string(result.exit_code) + '\n' + result.out + result.err;
  const std::string text = read(file);
  std::remove(file.c_str());
  if (text.empty()) return seen;
  nlohmann::json json = nlohmann::json::parse(text);
  json.erase("config");
  if (!json.contains("host")) json["host"] = nlohmann::json::object();  // gpgpu-run
  return seen + without_wall_clock(json).dump();
}

// Where to look for the effect of a key.
struct Probe {
  std::string tool;
  Options options;
};

bool shows(const Probe& probe, const std::string& setting) {
  static std::map<std::string, std::string> references;
  std::string name = probe.tool;
  for (const std::string& option : probe.options) name += ' ' + option;
  if (references.count(name) == 0) references[name] = outcome(probe.tool, probe.options);
  Options options = probe.options;
  options.insert(options.end(), {"--set", setting});
  return outcome(probe.tool, options) != references[name];
}

Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// ---- The GPGPU: three blocks at a time of a kernel, approximately timed.

Probe kernel(const std::string& path, const Options& more = {}) {
  return {"gpgpu-run",
          Options{"--cubin", path, "--grid", "5", "--block", "64", "--blocks-per-sm", "3",
                  "--timing", "at", "--param", "1", "--set", "gpgpu.null_page=false"} +
              more};
}

// Every kind of instruction and operand that has a cost of its own.
constexpr const char* kEverything = R"(
.kernel everything
.regs 20
.param number
.local 64
.shared 256
.const c1[0x0], 1, 2, 3, 4
    I2I.U32.U16 R1, R0L
    SHL R2, R1, 0x2
    IADD32 R3, R1, R2
    MOV32 R4, R3
    MOV R4, s[number]
    NOP C0.TRUE
    IADD.C0 R4, R2, R1
    IADD.CARRY0 R5, R2, R1
    LLD.U64 R6, local[0x0]
    LST.U64 local[0x8], R6
    R2A A1, R2, 0x0
    S2R R8, SR_CLOCK
    MVC R9, c[0x0] [A1+++0x1]
    MOV R9, R124
    R2A A1, R2, 0x0
    MVI R5, 0x8
    ISET.S32.C0 o[0x7f], R1, R5, LT
    R2G.U32.U32 g[A1+0x8], R1
    BAR
    MOV R10, g [A1+0x8]
    SSY join
    BRA C0.NE, join
    IMUL.U16.U16 R10, R1L, R2L
    IMAD.U16 R10, R1L, R2L, R10
join:
    NOP.S
    GLD.U32 R14 (C0.NE), global14[R2]
    MVI R5, 0x0
    SSY left
again:
    IADD32I R5, R5, 0x1
    ISET.S32.C0 o[0x7f], R5, R1, GE
    BRA C0.NE, left
    BRA again
left:
    NOP.S
    MOV.U16 R10L, R1H
    I2F.F32.S32 R11, R1
    FSET R12, R11, R11, LT
    FADD R12, R11, R11
    FADD R12, R11, -R11
    FMUL R12, R11, R11
    FMAD R12, R11, R11, R12
    RCP R12, R11
    CAL function
    PBK behind
    BRK
behind:
    GST.U32 global14[R2], R1
    GLD.U32 R13, global14[R2]
    RET
function:
    RET
)";

// Settings of gpgpu.* that kEverything shows, beside all of gpgpu.timing.*
const std::map<std::string, std::string> kGpgpuValues = {
    {"gpgpu.model", "lt"},
    {"gpgpu.sms", "2"},
    {"gpgpu.sps", "16"},
    {"gpgpu.clock_hz", "50e6"},
    {"gpgpu.warps_per_sm", "4"},
    {"gpgpu.threads_per_sm", "128"},
    {"gpgpu.blocks_per_sm", "1"},
    {"gpgpu.threads_per_block", "32"},
    {"gpgpu.registers_per_sm", "1280"},
    {"gpgpu.shared_bytes_per_sm", "512"},
    {"gpgpu.shared_banks", "compute-2.x"},
    {"gpgpu.local_bytes", "0"},
    {"gpgpu.stack_depth", "0"},
    {"gpgpu.multiplier", "false"},
    {"gpgpu.three_operands", "false"},
    {"gpgpu.floating_point", "false"},
    {"gpgpu.first_path", "not-taken"},
    {"gpgpu.global_memory", "ddr3"},
};

// Stores the results of a truncated multiply-add and of a denormal sum, one to a misaligned place,
// and reads a constant far away.
constexpr const char* kArithmetic = R"(
.kernel arithmetic
    MVI R1, 0x3fc00001
    FMAD R2, R1, R1, -R1
    MVI R3, 0x100
    GST.U32 global14[R3], R2
    MVI R1, 0x00000001
    FADD R2, R1, R1
    MVI R3, 0x104
    GST.U32 global14[R3], R2
    EXIT
)";

const std::map<std::string, std::string> kArithmeticValues = {
    {"gpgpu.fmad", "truncate"},
    {"gpgpu.denormals", "keep"},
};

// What a device without extensions stops at.
constexpr const char* kExtensions = R"(
.kernel extensions
    MVI R1, 0x200
    MVI R2, 0x1
    GRED.IADD global14[R1], R2
    EXIT
)";

// ---- The board.

Probe board(const Options& options, const std::string& program = "hello") {
  return {"gpgpu-vp", options + Options{firmware(program)}};
}

// The store of kEverything's results over the bus.
Probe bus(const std::string& path, const Options& more = {}) {
  return kernel(path, Options{"--set", "gpgpu.global_memory=ddr3"} + more);
}

// Warps whose texture has more lines than its cache.
Probe textures(unsigned points, const Options& more = {}) {
  return {"gpgpu-vp",
          Options{"-c", source("platform/configs/flexgrip_chapter5.toml"), "--arguments",
                  "unverified kmn " + std::to_string(points), "--set", "gpgpu.l1.enabled=true",
                  "--set", "gpgpu.l1.ports=4", "--set", "gpgpu.texture_cache.enabled=true", "--set",
                  "gpgpu.texture_cache.ways=8", "--set", "gpgpu.texture_cache.replacement=random"} +
              more + Options{firmware("chapter5")}};
}

// Where the host's and the GPGPU's accesses to the DDR3 meet.
Probe contention(const Options& more = {}) {
  return {"gpgpu-vp", Options{"--timing", "at", "--model", "host=lt", "--arguments", "32", "--set",
                              "gpgpu.global_memory=ddr3"} +
                          more + Options{firmware("bench")}};
}

// Warps that read and write more lines than the caches have, with two SMs.
Probe caches(const std::string& path, const Options& more = {}) {
  return bus(path, Options{"--set", "gpgpu.l1.enabled=true", "--set", "gpgpu.l1.sets=4", "--set",
                           "gpgpu.l1.replacement=random", "--set", "gpgpu.l2.enabled=true", "--set",
                           "gpgpu.l2.sets=4", "--set", "gpgpu.l2.ways=4", "--set",
                           "gpgpu.l2.replacement=random", "--set", "gpgpu.sms=2"} +
                       more);
}

const std::map<std::string, std::string> kCacheValues = {
    {"enabled", "false"},    {"sets", "1"},           {"ways", "1"},
    {"line_bytes", "256"},   {"sector_bytes", "32"},  {"replacement", "lru"},
    {"seed", "9"},           {"write", "write-back"}, {"hit_cycles", "9"},
    {"miss_registers", "1"}, {"miss_requests", "1"},  {"ports", "2"},
};

const std::map<std::string, std::string> kTextureCacheValues = {
    {"enabled", "false"},    {"sets", "1"},          {"ways", "1"},          {"line_bytes", "256"},
    {"sector_bytes", "32"},  {"replacement", "lru"}, {"seed", "9"},          {"hit_cycles", "9"},
    {"miss_registers", "1"}, {"ports", "2"},         {"miss_requests", "1"},
};

// Caches of code and constants that are smaller than those: of kEverything's a few lines.
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

const std::map<std::string, std::string> kCodeCacheValues = {
    {"enabled", "false"},   {"sets", "1"},          {"ways", "1"}, {"line_bytes", "128"},
    {"sector_bytes", "32"}, {"replacement", "lru"}, {"seed", "9"}, {"hit_cycles", "9"},
};

// ---- The MicroBlaze: its options are in its version registers, its reset value in MSR.

void put(std::string& image, std::initializer_list<uint32_t> words) {
  for (const uint32_t word : words)
    image.append(reinterpret_cast<const char*>(&word), sizeof word);  // little-endian, as is x86
}

// An executable that ends with a value made of MSR and PVR0 to PVR11: too large for an exit code,
// so that gpgpu-vp prints it.
std::string version_program() {
  constexpr uint32_t kAt = 0x50000000;
  constexpr uint32_t kHeader = 52 + 32;
  std::string code;
  put(code, {0x94608001});  // mfs r3, rmsr
  for (uint32_t pvr = 0; pvr < 12; ++pvr)
    put(code, {0x00a31800,        // add r5, r3, r3
               0x00651800,        // add r3, r5, r3: by an odd number, so that no bit is lost
               0x9480a000 + pvr,  // mfs r4, rpvr
               0x00632000});      // add r3, r3, r4
  put(code, {0xb8000000});        // bri 0
  const auto bytes = static_cast<uint32_t>(code.size());
  std::string image(
      "\x7f"
      "ELF\x01\x01\x01",
      7);
  image.resize(16);
  put(image, {2 | 189 << 16, 1, kAt, 52, 0, 0, 52 | 32 << 16, 1 | 40 << 16, 0});
  put(image, {1, kHeader, kAt, kAt, bytes, bytes, 7, 4});
  const std::string path = temporary("versions.elf");
  write(path, image + code);
  return path;
}

const std::map<std::string, std::string> kVersionValues = {
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

// What must not be seen, and what only a particular order of requests shows.
const std::map<std::string, std::string> kElsewhere = {
    {"host.engine", "same results by design: engine_test.cpp"},
    {"host.jit_threshold", "the same; translator_test.cpp"},
    {"host.jit_code_bytes", "the same; translator_test.cpp"},
    {"host.mmu_privileged_instr", "host/system_test.cpp"},
    {"host.use_stack_protection", "host/exception_test.cpp"},
    {"host.base_vectors", "host/exception_test.cpp"},
    {"ddr3.starvation_limit", "ddr3/controller_test.cpp"},
    {"axi.host_data.qos", "axi/at_interconnect_test.cpp; two other ports are tried below"},
    {"axi.gpgpu_code.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_code.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_global.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_global.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_control.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_control.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.intc.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.intc.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.timer.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.timer.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.uart16550.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.uart16550.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.uartlite.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.uartlite.register_slices", "platform/axi_ports_test.cpp"},
    {"host.m_axi_dp_exclusive_access", "platform/axi_ports_test.cpp"},
};

class Keys : public testing::Test {
 protected:
  Keys()
      : everything_(cubin(kEverything)),
        arithmetic_(cubin(kArithmetic)),
        extensions_(cubin(kExtensions)) {
    add(kGpgpuValues, kernel(everything_));
    add(kArithmeticValues, kernel(arithmetic_, {"--dump", "0x100:8=-"}));
    add({{"gpgpu.device_extensions", "true"}}, kernel(extensions_));
    add(kVersionValues,
        {"gpgpu-vp",
         {versions_, "--set", "host.use_icache=true", "--set", "host.use_dcache=true"}});
    for (const auto& [key, value] : keys())
      if (key.rfind("gpgpu.timing.", 0) == 0)
        probes_[key] = {std::to_string(std::stoul(value) + 1000), kernel(everything_)};
    for (const char* level : {"gpgpu.l1.", "gpgpu.l2."}) {
      for (const auto& [key, value] : kCacheValues)
        probes_[level + key] = {value, caches(columns_)};
      probes_[std::string(level) + "write_allocate"] = {
          "true", caches(columns_, {"--set", "gpgpu.l1.write=write-back", "--set",
                                    "gpgpu.l2.write=write-back"})};
      probes_[std::string(level) + "miss_queue"] = {
          "1", caches(columns_, {"--set", "gpgpu.l2.write=write-back"})};
      const std::string write = level;
      probes_[write + "write_buffer"] = {
          "0", caches(columns_, {"--set", write + "write=write-back", "--set",
                                 write + "write_allocate=true"})};
    }
    for (const char* level : {"gpgpu.instruction_cache.", "gpgpu.constant_cache."})
      for (const auto& [key, value] : kCodeCacheValues)
        probes_[level + key] = {value, code_caches(scattered_)};
    for (const auto& [key, value] : kTextureCacheValues)
      probes_["gpgpu.texture_cache." + key] = {value, textures(40)};
    probes_["gpgpu.texture_cache.miss_queue"] = {
        "1",
        textures(200, {"--set", "gpgpu.network.topology=none", "--set", "gpgpu.outstanding=1"})};
    probes_["gpgpu.off_chip_base"] = {"0x50003000", code_caches(scattered_)};
    // Where an L1 cache sends it several requests a cycle: stores.
    probes_["gpgpu.l2.ports"] = {
        "2", caches(columns_, {"--set", "gpgpu.l1.ports=4", "--set", "gpgpu.perfect_memory=true"})};
    const Options mesh = {"--set", "gpgpu.network.topology=mesh"};
    probes_["gpgpu.network.topology"] = {"crossbar", caches(columns_, mesh)};
    probes_["gpgpu.network.flit_bytes"] = {"4", caches(columns_, mesh)};
    probes_["gpgpu.network.hop_cycles"] = {"9", caches(columns_, mesh)};
    probes_["gpgpu.network.clock_hz"] = {"50e6", caches(columns_, mesh)};
    probes_["gpgpu.l2.clock_hz"] = {"50e6", caches(columns_)};
    probes_["gpgpu.network.queue"] = {"1", caches(columns_, mesh)};
    probes_["gpgpu.network.answer_queue"] = {"1", caches(columns_, mesh)};
    probes_["gpgpu.network.input_flits"] = {"1", caches(columns_, mesh)};
    probes_["gpgpu.network.buffer_flits"] = {"1", caches(columns_, mesh)};
    // Where it is asked for less than a line.
    probes_["gpgpu.l2.sector_bytes"] = {"32",
                                        caches(columns_, {"--set", "gpgpu.l1.sector_bytes=32"})};
    probes_["gpgpu.request_bytes"] = {"32", bus(everything_)};
    probes_["gpgpu.coalescing"] = {"compute-2.0", bus(everything_)};
    // Several transactions are those of a loosely timed bus.
    const Options lt_bus = {"--model", "axi=lt", "--model",
                            "ddr3=lt", "--set",  "gpgpu.request_bytes=32"};
    probes_["gpgpu.outstanding"] = {"4", bus(columns_, lt_bus)};
    probes_["gpgpu.port_bytes"] = {"8",
                                   bus(columns_, lt_bus + Options{"--set", "gpgpu.outstanding=4"})};
    probes_["gpgpu.sm_requests"] = {"4", bus(columns_)};
    probes_["gpgpu.perfect_memory"] = {"true", bus(everything_)};
    const Options at = {"--timing", "at", "--max-instructions", "3000"};
    const Options caches =
        at + Options{"--set", "host.use_icache=true", "--set", "host.use_dcache=true"};
    probes_["host.use_icache"] = {"true", board(at)};
    probes_["host.use_dcache"] = {"true", board(at)};
    probes_["quantum_ns"] = {"100", board({}, "selftest")};
    probes_["uart16550.line"] = {"none", board({})};
    probes_["uartlite.line"] = {"tcp:0", board({})};
    probes_["host.model"] = {"at", board({})};
    probes_["host.clock_hz"] = {"50e6", board(at)};
    probes_["host.lmb_size"] = {"4096", board({}, "selftest")};
    probes_["host.cache_model"] = {"always-hit", board(caches)};  // refused
    probes_["axi.model"] = {"at", board({"--max-instructions", "3000"})};
    for (const char* key : {"axi.request_cycles", "axi.response_cycles", "axi.lite_cycles"})
      probes_[key] = {"9", board(at)};
    probes_["axi.clock_hz"] = {"50e6", board(at)};
    probes_["axi.check"] = {"true", board(at)};
    probes_["axi.data_bytes"] = {"1",
                                 bus(everything_, {"--model", "axi=lt", "--model", "ddr3=lt"})};
    probes_["axi.crossing_cycles"] = {"9", board(at + Options{"--set", "axi.ddr3.clock_hz=400e6"})};
    probes_["axi.arbitration"] = {"fixed", contention()};
    for (const char* port : {"host_instruction", "host_data", "ddr3"}) {
      const std::string prefix = std::string("axi.") + port;
      probes_[prefix + ".clock_hz"] = {"50e6", board(at)};
      probes_[prefix + ".register_slices"] = {"3", board(at)};
      probes_[prefix + ".data_bytes"] = {"1", board(at)};
    }
    probes_["axi.ddr3.data_bytes"] = {"1", contention()};
    probes_["axi.gpgpu.clock_hz"] = {"50e6", bus(everything_)};
    probes_["axi.gpgpu.register_slices"] = {"3", bus(everything_)};
    probes_["axi.gpgpu.data_bytes"] = {"1", bus(everything_)};
    for (const char* port : {"axi.gpgpu.qos", "axi.host_instruction.qos"})
      probes_[port] = {"9", contention({"--set", "axi.arbitration=qos"})};
    for (const char* device : {"intc", "timer", "uart16550", "uartlite"})
      probes_[std::string(device) + ".model"] = {"rtl", board({})};
    probes_["intc.inputs"] = {"7", board({})};  // the GPGPU is on line 7: refused
    probes_["ddr3.model"] = {"at", board({"--model", "axi=at", "--max-instructions", "3000"})};
    probes_["ddr3.size"] = {"16777216", board({"--max-time", "1ms"})};
    probes_["ddr3.clock_hz"] = {"333e6", board(at)};
    probes_["ddr3.device"] = {"ddr3-800d", board(at)};
    probes_["ddr3.front_end_ns"] = {"70", board(at)};
    probes_["ddr3.mapping"] = {"bank-row-column", board(at)};
    probes_["ddr3.page_policy"] = {"closed", board(at)};
    probes_["ddr3.scheduler"] = {"in-order", contention()};
    probes_["ddr3.queue_depth"] = {"1", contention()};
    probes_["ddr3.refresh"] = {"false", board(at)};
    probes_["gpgpu.partial_warps"] = {"full",
                                      {"gpgpu-run",
                                       {"--cubin", everything_, "--grid", "1", "--block", "40",
                                        "--timing", "at", "--param", "1"}}};
    probes_["gpgpu.code_bytes"] = {"1024", kernel(large_)};
    probes_["gpgpu.constant_bytes"] = {"256", kernel(large_)};
    probes_["gpgpu.global_bytes"] = {"4096", kernel(large_, {"--dump", "0x1000:4=-"})};
    probes_["gpgpu.null_page"] = {"true", kernel(everything_)};
    probes_["gpgpu.global_addresses"] = {"wrap", kernel(misaligned_)};
  }
  ~Keys() override {
    for (const std::string& path : {everything_, arithmetic_, extensions_, versions_, large_,
                                    misaligned_, columns_, scattered_})
      std::remove(path.c_str());
  }

  struct Row {
    std::string value;
    Probe probe;
  };
  std::map<std::string, Row> probes_;

 private:
  static std::string cubin(const std::string& text) {
    const std::string source = temporary("kernel.s");
    const std::string path = temporary("kernel.cubin");
    write(source, text);
    const Result result = run("g80as", {source, "-o", path});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::remove(source.c_str());
    return path;
  }
  void add(const std::map<std::string, std::string>& values, const Probe& probe) {
    for (const auto& [key, value] : values) probes_[key] = {value, probe};
  }

  std::string everything_;
  std::string arithmetic_;
  std::string extensions_;
  std::string versions_ = version_program();
  std::string large_ = cubin(".kernel large\n.const c1[0x0], [1024]\n.word " + nops() + "EXIT\n");
  std::string misaligned_ =
      cubin(".kernel misaligned\n MVI R1, 0x6\n GLD.U32 R2, global14[R1]\n EXIT\n");
  // Threads read words of lines far apart again and again, and write some of them.
  std::string columns_ = cubin(R"(
.kernel columns
.regs 8
    I2I.U32.U16 R1, R0L
    MVI R7, 0x50000000
    SHL R2, R1, 0x6
    IADD R2, R2, R7
    MVI R5, 0x0
    MVI R6, 0x3
    SSY left
again:
    GLD.U32 R3, global14[R2]
    IADD32I R3, R3, 0x1
    SHL R4, R1, 0x2
    IADD R4, R4, R7
    GST.U32 global14[R4], R3
    GLD.U32 R3, global14[R4]
    GST.U32 global14[R2], R3
    IADD32I R5, R5, 0x1
    ISET.S32.C0 o[0x7f], R5, R6, GE
    BRA C0.NE, left
    BRA again
left:
    NOP.S
    EXIT
)");

  // Threads read constants far apart again and again, in a loop of some length.
  std::string scattered_ = cubin(R"(
.kernel scattered
.regs 8
.const c1[0x0], [1024]
    I2I.U32.U16 R1, R0L
    MVI R7, 0x7
    LOP.AND R2, R1, R7
    SHL R2, R2, 0x6
    MVI R5, 0x0
    MVI R6, 0x3
    SSY left
again:
    R2A A1, R2, 0x0
    MVC R3, c[0x1] [A1+0x0]
)" + filler() + R"(
    MVC R3, c[0x1] [A1+0x8]
    IADD32I R5, R5, 0x1
    ISET.S32.C0 o[0x7f], R5, R6, GE
    BRA C0.NE, left
    BRA again
left:
    NOP.S
    EXIT
)");
  static std::string filler() {
    std::string text;
    for (unsigned i = 0; i < 60; ++i) text += "    IADD32I R4, R4, 0x1\n";
    return text;
  }

  static std::string nops() {
    std::string text = "0xf0000001, 0xe0000000";
    for (unsigned i = 0; i < 200; ++i) text += ", 0xf0000001, 0xe0000000";
    return text + '\n';
  }
};

TEST_F(Keys, EachHasAnEffectThatShows) {
  for (const auto& [key, value] : keys()) {
    if (kElsewhere.count(key) != 0) continue;
    const auto row = probes_.find(key);
    if (row == probes_.end()) {
      ADD_FAILURE() << key << " is new: say here where its effect shows";
      continue;
    }
    EXPECT_TRUE(shows(row->second.probe, key + '=' + row->second.value))
        << key << " = " << row->second.value << " changes nothing";
  }
}

// A table that names what is gone would prove nothing.
TEST_F(Keys, TheProbesAreOfKeysThatExist) {
  const auto all = keys();
  EXPECT_GT(all.size(), 100u);
  for (const auto& [key, row] : probes_) EXPECT_EQ(all.count(key), 1u) << key;
  for (const auto& [key, reason] : kElsewhere) EXPECT_EQ(all.count(key), 1u) << key << reason;
}

}  // namespace
}  // namespace gvp::test
