// SPDX-License-Identifier: Apache-2.0
// How many transactions a CPU-second the memory path makes: the DDR3 controller alone, and end to
// end from two initiators through the AXI interconnect to the DDR3, approximately timed
// (nb_transport with several outstanding; and word by word, one at a time, as a processor without
// caches fetches, by nb_transport and by b_transport) and loosely timed (b_transport); and with the
// DDR3 controller as RTL, where Verilator has compiled it.
// items_per_second counts transactions; GB_per_s is the simulated bandwidth.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "fidelity/ddr3_closed_loop.h"
#include "models/axi/interconnect.h"
#include "models/ddr3/memory_controller.h"
#include "models/ddr3/rtl/rtl_memory.h"
#include "models/rtl/block_table.h"
#include "models/tlm/payload_pool.h"

namespace {

using gvp::axi::Interconnect;
using gvp::ddr3::MemoryController;

constexpr uint64_t kMemoryBytes = 512ull << 20;
constexpr uint64_t kRandomBytes = 16ull << 20;  // more would measure the host's page faults
constexpr uint64_t kBatch = 20000;              // transactions of one iteration

// ---- the controller alone ----

void controller(benchmark::State& state, bool random, double write_share, unsigned outstanding) {
  gvp::fidelity::ClosedLoop traffic;
  traffic.random = random;
  traffic.write_share = write_share;
  traffic.outstanding = outstanding;
  traffic.requests = kBatch;
  double bandwidth = 0;
  for (auto _ : state) bandwidth = gvp::fidelity::run(traffic).gigabytes_per_second;
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kBatch));
  state.counters["GB_per_s"] = bandwidth;
}
BENCHMARK_CAPTURE(controller, sequential_read_8, false, 0.0, 8);
BENCHMARK_CAPTURE(controller, random_read_32, true, 0.0, 32);
BENCHMARK_CAPTURE(controller, random_mixed_32, true, 0.5, 32);

// ---- end to end ----

// Keeps a number of reads and writes in flight until it has had its share.
class Generator : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket{"socket"};

  Generator(const sc_core::sc_module_name& name, unsigned bytes)
      : sc_core::sc_module(name), data_(bytes) {
    SC_HAS_PROCESS(Generator);
    socket.bind(*this);
    SC_METHOD(send);
    sensitive << event_;
    dont_initialize();
  }
  void start(uint64_t transactions, unsigned outstanding, bool random) {
    left_ = transactions;
    outstanding_ = outstanding;
    random_ = random;
    event_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  void send() {
    if (requesting_ || left_ == 0 || in_flight_ == outstanding_) return;
    if (free_at_ > sc_core::sc_time_stamp())
      return event_.notify(free_at_ - sc_core::sc_time_stamp());
    const auto bytes = static_cast<unsigned>(data_.size());
    next_ = random_ ? engine_() % (kRandomBytes / bytes) * bytes : (next_ + bytes) % kMemoryBytes;
    tlm::tlm_generic_payload& payload = pool_.acquire();
    const bool write = outstanding_ > 1 && engine_() % 4 == 0;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(next_);
    payload.set_data_ptr(data_.data());
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    --left_;
    ++in_flight_;
    requesting_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket->nb_transport_fw(payload, phase, delay) != tlm::TLM_UPDATED) return;
    requesting_ = false;
    free_at_ = sc_core::sc_time_stamp() + delay;
    if (left_ > 0 && in_flight_ < outstanding_) event_.notify(delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    event_.notify(sc_core::SC_ZERO_TIME);
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      return tlm::TLM_ACCEPTED;
    }
    --in_flight_;
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  gvp::kit::PayloadPool pool_;
  std::vector<uint8_t> data_;
  std::mt19937_64 engine_{1};
  uint64_t left_ = 0, next_ = 0;
  unsigned outstanding_ = 0, in_flight_ = 0;
  bool random_ = false, requesting_ = false;
  sc_core::sc_time free_at_;
  sc_core::sc_event event_;
};

// Two initiators of long and one of short transactions, an interconnect, a DDR3.  A process
// elaborates once: all systems exist at once.
struct System {
  // model: of both; "rtl" is an approximately timed interconnect before the RTL
  System(const std::string& model, unsigned bytes)
      : a((model + "_a").c_str(), bytes),
        b((model + "_b").c_str(), bytes),
        words((model + "_words").c_str(), 4) {
    gvp::axi::InterconnectConfiguration configuration;
    configuration.initiators = {"a", "b", "words"};
    configuration.targets = {"ddr3"};
    configuration.regions = {{"ddr3", 0, kMemoryBytes, 0, 0, false}};
    gvp::axi::PortConfiguration wide;
    wide.data_bytes = 8;
    configuration.initiator_ports = {wide, wide, {}};
    configuration.target_ports = {wide};
    const bool rtl = model == "rtl";
    bus = gvp::axi::make_interconnect((model + "_bus").c_str(), rtl ? "at" : model, configuration);
    if (rtl)
      ddr3 = std::make_unique<gvp::ddr3::RtlMemory>("rtl_ddr3", "axi_ddr3",
                                                    gvp::ddr3::Configuration{});
    else
      ddr3 = gvp::ddr3::make_memory_controller((model + "_ddr3").c_str(), model, {});
    a.socket.bind(bus->from_initiator(0));
    b.socket.bind(bus->from_initiator(1));
    words.socket.bind(bus->from_initiator(2));
    bus->to_target(0).bind(ddr3->socket());
  }
  Generator a, b, words;
  std::unique_ptr<Interconnect> bus;
  std::unique_ptr<MemoryController> ddr3;
};

System* at_system = nullptr;
System* lt_system = nullptr;
System* rtl_system = nullptr;

void end_to_end(benchmark::State& state, System& system, bool random) {
  const sc_core::sc_time start = sc_core::sc_time_stamp();
  for (auto _ : state) {
    system.a.start(kBatch / 2, 8, random);
    system.b.start(kBatch / 2, 8, random);
    sc_core::sc_start();
  }
  const auto items = state.iterations() * static_cast<int64_t>(kBatch);
  state.SetItemsProcessed(items);
  state.counters["GB_per_s"] =
      static_cast<double>(items) * 64 / (sc_core::sc_time_stamp() - start).to_seconds() / 1e9;
}
void at_end_to_end(benchmark::State& state, bool random) { end_to_end(state, *at_system, random); }
BENCHMARK_CAPTURE(at_end_to_end, sequential, false);
BENCHMARK_CAPTURE(at_end_to_end, random, true);

// The answer of each is needed before the next.
void word_by_word(benchmark::State& state, System& system) {
  for (auto _ : state) {
    system.words.start(kBatch, 1, false);
    sc_core::sc_start();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kBatch));
}
void at_word_by_word(benchmark::State& state) { word_by_word(state, *at_system); }
BENCHMARK(at_word_by_word);

void rtl_end_to_end(benchmark::State& state, bool random) {
  if (rtl_system == nullptr) return state.SkipWithError("built without Verilator");
  end_to_end(state, *rtl_system, random);
}
BENCHMARK_CAPTURE(rtl_end_to_end, sequential, false);
BENCHMARK_CAPTURE(rtl_end_to_end, random, true);
void rtl_word_by_word(benchmark::State& state) {
  if (rtl_system == nullptr) return state.SkipWithError("built without Verilator");
  word_by_word(state, *rtl_system);
}
BENCHMARK(rtl_word_by_word);

// Reads by b_transport from sc_main, whose local time runs ahead of simulated time.
void blocking(benchmark::State& state, Generator& initiator) {
  uint32_t word = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  sc_core::sc_time delay;
  uint64_t address = 0;
  for (auto _ : state) {
    payload.set_address(address);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    initiator.socket->b_transport(payload, delay);
    address = (address + 4) & 0xffff;
  }
  state.SetItemsProcessed(state.iterations());
}
void at_blocking_word_by_word(benchmark::State& state) { blocking(state, at_system->words); }
BENCHMARK(at_blocking_word_by_word);
void lt_end_to_end(benchmark::State& state) { blocking(state, lt_system->words); }
BENCHMARK(lt_end_to_end);

}  // namespace

int sc_main(int argc, char* argv[]) {
  System at("at", 64), lt("lt", 64);
  at_system = &at;
  lt_system = &lt;
  std::unique_ptr<System> rtl;
  if (gvp::rtl::find_block("axi_ddr3") != nullptr) rtl = std::make_unique<System>("rtl", 64);
  rtl_system = rtl.get();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
