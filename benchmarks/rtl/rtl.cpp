// SPDX-License-Identifier: Apache-2.0
// What a block of RTL costs in the platform: cycles a CPU-second of a busy block driven by a bare
// C++ loop over its pins, and of the same block as a device, with transactor, protocol checker and
// the scheduler of all blocks; and transactions a CPU-second through the crossbar, four masters
// with eight under way each, to loosely timed targets without latency and to the DDR3 controller,
// RTL as well.
// items_per_second counts cycles (bare/*, timer_*, flexgrip*, crossbar_bare) or transactions
// (crossbar_*). flexgrip, flexgrip_at: 8 SPs with eight warps in an endless loop, as RTL and
// approximately timed.
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/devices/rtl_interconnect.h"
#include "models/ddr3/rtl/rtl_memory.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/rtl/rtl_flexgrip.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/peripherals/rtl_peripheral.h"
#include "models/rtl/block_table.h"
#include "models/rtl/pin.h"

namespace {

using gvp::rtl::Pin;

constexpr uint64_t kCycles = 100000;                         // of one iteration
constexpr uint32_t kTimerEnabled = 0x80, kTimerControl = 0;  // PG079: ENT0 of TCSR0
constexpr double kClockHz = 100e6;
constexpr double kNanosecondsPerCycle = 1e9 / kClockHz;
constexpr const char* kFlexGrip = "flexgrip_sp8";
constexpr const char* kLoads = R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x2;
    IADD32I R2, R2, 0x1000;
loop:
    GLD.U32 R5, global14[R2];
    GLD.U32 R6, global14[R2];
    IMAD.U16 R3, R5L, R6L, R3;
    BRA loop;
)";
constexpr const char* kArithmetic = R"(
    I2I.U32.U16 R1, R0L;
loop:
    IADD R3, R3, R1;
    SHL R5, R3, 0x3;
    IMAD.U16 R3, R5L, R3L, R3;
    BRA loop;
)";

// A block and nothing else.
class Bare {
 public:
  explicit Bare(const char* block)
      : type_(gvp::rtl::block_named(block)), model_(type_.create("bare", 0)), clock_(pin("aclk")) {
    pin("aresetn").set(0);
    for (int i = 0; i < 16; ++i) cycle();
    pin("aresetn").set(1);
  }
  ~Bare() { type_.destroy(model_); }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;

  Pin pin(const std::string& name) {
    for (size_t i = 0; i < type_.pin_count; ++i)
      if (name == type_.pins[i].name)
        return {name, type_.pin_data(model_, i), type_.pins[i].bits, type_.pins[i].is_input != 0};
    return {};
  }
  void cycle() {
    clock_.set(1);
    type_.eval(model_);
    clock_.set(0);
    type_.eval(model_);
  }

 private:
  const gvp_rtl_block& type_;
  void* model_;
  Pin clock_;
};

// Each block, with nothing to do but its clock's edges.
void bare(benchmark::State& state, const std::string& name) {
  Bare block(name.c_str());
  for (auto _ : state)
    for (uint64_t i = 0; i < kCycles; ++i) block.cycle();
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kCycles));
}

void start(Bare& timer) {
  timer.pin("s_axi_awaddr").set(kTimerControl);
  timer.pin("s_axi_wdata").set(kTimerEnabled);
  timer.pin("s_axi_wstrb").set(0xf);
  timer.pin("s_axi_bready").set(1);
  for (const uint64_t valid : {1, 0, 0, 0}) {
    timer.pin("s_axi_awvalid").set(valid);
    timer.pin("s_axi_wvalid").set(valid);
    timer.cycle();
  }
}

void timer_bare(benchmark::State& state) {
  Bare timer("axi_timer");
  start(timer);
  for (auto _ : state)
    for (uint64_t i = 0; i < kCycles; ++i) timer.cycle();
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kCycles));
}
BENCHMARK(timer_bare);

// One master reads words of one target, which answers at once.
void crossbar_bare(benchmark::State& state) {
  Bare crossbar("axi_interconnect");
  crossbar.pin("m0_exists").set(1);
  crossbar.pin("m0_last").set(0xffff);
  crossbar.pin("s0_axi_arsize").set(2);
  crossbar.pin("s0_axi_arburst").set(1);
  crossbar.pin("s0_axi_arvalid").set(1);
  crossbar.pin("s0_axi_rready").set(1);
  crossbar.pin("m0_axi_arready").set(1);
  crossbar.pin("m0_axi_rlast").set(1);
  const Pin asked = crossbar.pin("m0_axi_arvalid"), taken = crossbar.pin("m0_axi_rready");
  Pin valid = crossbar.pin("m0_axi_rvalid");
  uint64_t open = 0;
  for (auto _ : state)
    for (uint64_t i = 0; i < kCycles; ++i) {
      open += asked.high() ? 1 : 0;
      open -= valid.high() && taken.high() ? 1 : 0;
      crossbar.cycle();
      valid.set(open > 0 ? 1 : 0);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kCycles));
}
BENCHMARK(crossbar_bare);

// ---- in the platform ----

class Master : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Master> socket{"socket"};

  // under_way: processes that wait for their answers.
  Master(const sc_core::sc_module_name& name, unsigned under_way) : sc_module(name) {
    for (unsigned i = 0; i < under_way; ++i) sc_core::sc_spawn([this, i] { run(i); });
  }
  void start(uint64_t transactions, unsigned bytes) {
    left_ = transactions;
    bytes_ = bytes;
    go_.notify(sc_core::SC_ZERO_TIME);
  }
  bool idle() const { return left_ == 0 && under_way_ == 0; }
  void write(uint64_t address, uint32_t value) {
    value_ = value;
    address_ = address;
    start(1, 0);
  }

 private:
  void run(unsigned id) {
    std::vector<uint8_t> data(256);
    for (;;) {
      while (left_ == 0) sc_core::wait(go_);
      --left_;
      tlm::tlm_generic_payload payload;
      gvp::axi::Extension axi;
      axi.id = id;
      axi.beats = 0;
      payload.set_extension(&axi);
      const bool single = bytes_ == 0;
      payload.set_command(single || left_ % 4 == 0 ? tlm::TLM_WRITE_COMMAND
                                                   : tlm::TLM_READ_COMMAND);
      payload.set_address(single ? address_ : left_ % 16 * 0x1000);
      payload.set_data_ptr(single ? reinterpret_cast<uint8_t*>(&value_) : data.data());
      payload.set_data_length(single ? 4 : bytes_);
      payload.set_streaming_width(single ? 4 : bytes_);
      sc_core::sc_time delay;
      ++under_way_;
      socket->b_transport(payload, delay);
      --under_way_;
      payload.clear_extension(&axi);
    }
  }

  uint64_t left_ = 0, address_ = 0;
  unsigned bytes_ = 0, under_way_ = 0;
  uint32_t value_ = 0;
  sc_core::sc_event go_;
};

struct Target : sc_core::sc_module {
  tlm_utils::simple_target_socket<Target> socket{"socket"};
  explicit Target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Target::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

// FlexGrip, with eight warps in an endless loop.
class Gpgpu {
 public:
  Gpgpu(const std::string& name, std::unique_ptr<gvp::gpgpu::Device> device)
      : device_(std::move(device)), interrupt_((name + "_interrupt").c_str()) {
    for (const gvp::gpgpu::Window& window : device_->windows()) {
      masters_.push_back(std::make_unique<Master>((name + '_' + window.name).c_str(), 1));
      masters_.back()->socket.bind(*window.socket);
    }
    for (const gvp::gpgpu::Port& port : device_->ports()) {
      unused_.push_back(std::make_unique<Target>((name + "_bus").c_str()));
      port.socket->bind(unused_.back()->socket);
    }
    device_->interrupts().at(0).line->bind(interrupt_);
  }
  void start_loop(benchmark::State& state, const char* loop) {
    const std::vector<uint32_t> code =
        gvp::gpgpu::g80::assemble(loop, "benchmark").kernels.at(0).code;
    for (uint32_t i = 0; i < code.size(); ++i) write(1, sizeof(uint32_t) * i, code[i]);
    write(0, FLEXGRIP_REGISTERS_PER_THREAD, 8);
    write(0, FLEXGRIP_BLOCK_X, 256);
    write(0, FLEXGRIP_BLOCK_Y, 1);
    write(0, FLEXGRIP_GRID_X, 1);
    write(0, FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START);
    if (!device_->progress().running) state.SkipWithError("the kernel does not run");
  }
  void end_loop() { write(0, FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET); }

 private:
  void write(size_t window, uint64_t address, uint32_t value) {
    Master& master = *masters_.at(window);
    master.write(address, value);
    // Between two calls of sc_start() a block of RTL is ahead: nothing could reach it.
    do sc_core::sc_start(1, sc_core::SC_US);
    while (!master.idle());
  }

  std::unique_ptr<gvp::gpgpu::Device> device_;
  std::vector<std::unique_ptr<Master>> masters_;  // of its windows
  std::vector<std::unique_ptr<Target>> unused_;
  sc_core::sc_signal<bool> interrupt_;
};

// A process elaborates once: all systems exist at once.
struct Systems {
  static constexpr unsigned kMasters = 4, kTargets = 8, kUnderWay = 8, kMemory = 1 << 20;

  struct Bus {
    std::unique_ptr<gvp::axi::RtlInterconnect> rtl;
    std::vector<std::unique_ptr<Master>> masters;

    void build(const std::string& name, gvp::axi::InterconnectConfiguration configuration) {
      for (unsigned i = 0; i < kMasters; ++i)
        configuration.initiators.push_back("master" + std::to_string(i));
      rtl = std::make_unique<gvp::axi::RtlInterconnect>(name.c_str(), "axi_interconnect",
                                                        configuration);
      for (unsigned i = 0; i < kMasters; ++i) {
        const std::string master = name + "_master" + std::to_string(i);
        masters.push_back(std::make_unique<Master>(master.c_str(), kUnderWay));
        masters[i]->socket.bind(rtl->from_initiator(i));
      }
    }
  };

  Systems() : host("host", 1), timer("timer", "axi_timer", {kClockHz, 0}) {
    if (gvp::rtl::find_block(kFlexGrip) != nullptr) make_gpgpus();
    host.socket.bind(timer.socket());
    timer.interrupt(interrupt);
    gvp::axi::InterconnectConfiguration configuration;
    for (unsigned t = 0; t < kTargets; ++t) {
      configuration.targets.push_back("target" + std::to_string(t));
      configuration.regions.push_back(
          {configuration.targets.back(), t * 0x2000, 0x2000, t, 0, false});
    }
    bus.build("bus", configuration);
    for (unsigned t = 0; t < kTargets; ++t) {
      targets.push_back(std::make_unique<Target>(("target" + std::to_string(t)).c_str()));
      bus.rtl->to_target(t).bind(targets[t]->socket);
    }
    gvp::axi::InterconnectConfiguration alone;
    alone.targets = {"ddr3"};
    alone.regions = {{"ddr3", 0, kMemory, 0, 0, false}};
    memory_bus.build("memory_bus", alone);
    gvp::ddr3::Configuration memory;
    memory.size = kMemory;
    ddr3 = std::make_unique<gvp::ddr3::RtlMemory>("ddr3", "axi_ddr3", memory);
    memory_bus.rtl->to_target(0).bind(ddr3->socket());
  }
  void make_gpgpus() {
    const gvp::gpgpu::flexgrip::Configuration configuration;
    auto rtl =
        std::make_unique<gvp::gpgpu::flexgrip::RtlFlexGrip>("gpgpu", kFlexGrip, configuration, 0);
    rtl_gpgpu = rtl.get();
    gpgpu = std::make_unique<Gpgpu>("gpgpu", std::move(rtl));
    at_gpgpu = std::make_unique<Gpgpu>(
        "gpgpu_at", gvp::gpgpu::flexgrip::make_flexgrip("gpgpu_at", "at", configuration));
  }

  Master host;
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  gvp::peripherals::RtlPeripheral timer;
  std::unique_ptr<Gpgpu> gpgpu, at_gpgpu;  // where it was compiled
  gvp::gpgpu::flexgrip::RtlFlexGrip* rtl_gpgpu = nullptr;
  Bus bus, memory_bus;
  std::unique_ptr<gvp::ddr3::RtlMemory> ddr3;
  std::vector<std::unique_ptr<Target>> targets;
};

Systems* systems = nullptr;

void timer_in_platform(benchmark::State& state) {
  const sc_core::sc_time time(kCycles * kNanosecondsPerCycle, sc_core::SC_NS);
  systems->host.write(kTimerControl, kTimerEnabled);
  sc_core::sc_start(time);
  const uint64_t before = systems->timer.block().evaluated_cycles();
  // In turn with the bare loop, so that what else the machine does slows both.
  Bare copy("axi_timer");
  start(copy);
  std::clock_t in_platform = 0, alone = 0;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    sc_core::sc_start(time);
    const std::clock_t end = std::clock();
    state.PauseTiming();
    for (uint64_t i = 0; i < kCycles; ++i) copy.cycle();
    alone += std::clock() - end;
    in_platform += end - begin;
    state.ResumeTiming();
  }
  const uint64_t cycles = systems->timer.block().evaluated_cycles() - before;
  state.SetItemsProcessed(static_cast<int64_t>(cycles));
  state.counters["of_bare"] = static_cast<double>(alone) / static_cast<double>(in_platform);
  systems->host.write(kTimerControl, 0);
  sc_core::sc_start(time);
}
BENCHMARK(timer_in_platform);

void crossbar(benchmark::State& state, Systems::Bus Systems::*which, unsigned masters,
              unsigned bytes) {
  constexpr uint64_t kTransactions = 20000;
  const Systems::Bus& bus = systems->*which;
  const uint64_t before = bus.rtl->block().evaluated_cycles();
  for (auto _ : state) {
    for (unsigned i = 0; i < masters; ++i) bus.masters[i]->start(kTransactions / masters, bytes);
    sc_core::sc_start(10, sc_core::SC_MS);
    for (unsigned i = 0; i < masters; ++i)
      if (!bus.masters[i]->idle()) state.SkipWithError("transactions are left");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTransactions));
  state.counters["cycles_per_second"] =
      benchmark::Counter(static_cast<double>(bus.rtl->block().evaluated_cycles() - before),
                         benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(crossbar, four_masters_words, &Systems::bus, 4, 4);
BENCHMARK_CAPTURE(crossbar, four_masters_16_beats, &Systems::bus, 4, 64);
BENCHMARK_CAPTURE(crossbar, one_master_words, &Systems::bus, 1, 4);
BENCHMARK_CAPTURE(crossbar, four_masters_words_of_ddr3, &Systems::memory_bus, 4, 4);
BENCHMARK_CAPTURE(crossbar, four_masters_16_beats_of_ddr3, &Systems::memory_bus, 4, 64);

// From here on simulated time flies, and the DDR3 controller would make up for its refreshes.

// Nobody has started it: its clock is stopped.
void timer_idle(benchmark::State& state) {
  const gvp::rtl::Block& block = systems->timer.block();
  const sc_core::sc_time time(kCycles * kNanosecondsPerCycle, sc_core::SC_NS);
  sc_core::sc_start(time);  // power-on reset
  const uint64_t before = block.evaluated_cycles();
  for (auto _ : state) sc_core::sc_start(time);
  if (block.evaluated_cycles() != before) state.SkipWithError("the clock goes on");
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kCycles));
}
BENCHMARK(timer_idle);

bool has_gpgpu(benchmark::State& state) {
  if (!systems->gpgpu) state.SkipWithError("built without flexgrip_sp8");
  return systems->gpgpu != nullptr;
}

// The approximately timed model on the same kernel; before the RTL, whose clock then stands still.
std::map<std::string, double> at_cycles_per_second;  // of each loop

void flexgrip_at(benchmark::State& state, const char* loop) {
  if (!has_gpgpu(state)) return;
  const sc_core::sc_time time(100, sc_core::SC_MS);
  systems->at_gpgpu->start_loop(state, loop);
  const std::clock_t begin = std::clock();
  for (auto _ : state) sc_core::sc_start(time);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double cycles = static_cast<double>(state.iterations()) * time.to_seconds() * kClockHz;
  at_cycles_per_second[loop] = cycles / seconds;
  state.SetItemsProcessed(static_cast<int64_t>(cycles));
  systems->at_gpgpu->end_loop();
}
BENCHMARK_CAPTURE(flexgrip_at, loads, kLoads);
BENCHMARK_CAPTURE(flexgrip_at, arithmetic, kArithmetic);

void flexgrip(benchmark::State& state, const char* loop) {
  if (!has_gpgpu(state)) return;
  systems->gpgpu->start_loop(state, loop);
  const uint64_t before = systems->rtl_gpgpu->block().evaluated_cycles();
  const std::clock_t begin = std::clock();
  for (auto _ : state) sc_core::sc_start(100, sc_core::SC_US);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const uint64_t cycles = systems->rtl_gpgpu->block().evaluated_cycles() - before;
  state.SetItemsProcessed(static_cast<int64_t>(cycles));
  const double at = at_cycles_per_second[loop];
  if (at > 0)  // not where it was left out by a filter
    state.counters["at_over_rtl"] = at * seconds / static_cast<double>(cycles);
  systems->gpgpu->end_loop();
}
BENCHMARK_CAPTURE(flexgrip, loads, kLoads);
BENCHMARK_CAPTURE(flexgrip, arithmetic, kArithmetic);

}  // namespace

int sc_main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  if (gvp::rtl::find_block("axi_interconnect") == nullptr) {
    std::puts("built without Verilator: no blocks of RTL");
    return 0;
  }
  Systems all;
  systems = &all;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const gvp_rtl_block* block : gvp::rtl::built_in_blocks())
    benchmark::RegisterBenchmark((std::string("bare/") + block->name).c_str(), bare,
                                 std::string(block->name));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
