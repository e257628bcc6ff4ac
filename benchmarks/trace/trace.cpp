// SPDX-License-Identifier: Apache-2.0
// What a recorded transaction costs in each format (processor time of this process, the system's
// part in writing included), and what a recorder between two sockets costs beside.
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "models/tlm/memory.h"
#include "trace/recorded_port.h"
#include "trace/recorder.h"

namespace gvp::trace {
namespace {

// Four initiators' transactions, one after the other, at changing addresses.
void record(benchmark::State& state, const std::string& suffix) {
  const std::string path = "/tmp/bench-trace-" + std::to_string(getpid()) + suffix;
  {
    Recorder recorder({parse_specification(path, {"benchmark", 1, 1})});
    Names& names = recorder.names();
    // As on a board: what lies a millisecond back is complete.
    uint64_t now = 0;
    constexpr uint64_t kBack = 1000000000;
    recorder.begin([&] { return now - std::min(now, kBack); });
    const Id ports[] = {names.number("host_instruction"), names.number("host_data"),
                        names.number("gpgpu"), names.number("ddr3")};
    Transaction t;
    t.target = names.number("ddr3");
    t.origin = names.number("main");
    t.length = 4;
    uint64_t number = 0;
    for (auto each : state) {
      static_cast<void>(each);
      ++number;
      t.number = t.root = number;
      t.port = t.initiator = ports[number % 4];
      t.command = number % 3 == 0 ? Command::kWrite : Command::kRead;
      t.address = 0x50000000 + (number * 52) % 0x100000;
      now = t.begin = number * 20000;
      t.request_end = t.begin + 10000;
      t.response_begin = t.begin + 110000 + number % 7 * 2500;
      t.end = t.response_begin + 10000;
      recorder.transaction(t);
    }
    recorder.close();
  }
  std::remove(path.c_str());
  state.counters["transactions"] =
      benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["ns"] = benchmark::Counter(
      1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

struct Initiator : sc_core::sc_module {
  explicit Initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};
};

// b_transport to a memory: directly, and through a recorder into a .csv.
void sockets(benchmark::State& state) {
  static const std::string path = "/tmp/bench-trace-" + std::to_string(getpid()) + "-port.csv";
  static Recorder recorder({parse_specification(path, {"benchmark", 1, 1})});
  static const kit::MemoryConfiguration configuration{0x10000, {}, {}, true, false};
  static Initiator direct("direct"), recorded("recorded");
  static kit::Memory memory("memory", configuration), other("other", configuration);
  static RecordedPort port("port", recorder, "cpu", {}, recorder.wanted("cpu", {}),
                           [] { return Origin{}; });
  static const bool bound = [] {
    direct.socket.bind(memory.socket);
    recorded.socket.bind(port.target);
    port.initiator.bind(other.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return true;
  }();
  benchmark::DoNotOptimize(bound);
  Initiator& from = state.range(0) != 0 ? recorded : direct;
  tlm::tlm_generic_payload payload;
  uint32_t word = 0;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  uint64_t address = 0;
  for (auto each : state) {
    static_cast<void>(each);
    payload.set_address(address = (address + 4) & 0xffff);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    from.socket->b_transport(payload, delay);
  }
  std::remove(path.c_str());
  state.counters["ns"] = benchmark::Counter(
      1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

constexpr int kTransactions = 1000000;

BENCHMARK_CAPTURE(record, csv, ".csv")->Iterations(kTransactions);
BENCHMARK_CAPTURE(record, txt, ".txt")->Iterations(kTransactions);
BENCHMARK_CAPTURE(record, pftrace, ".pftrace")->Iterations(kTransactions);
BENCHMARK_CAPTURE(record, db, ".db")->Iterations(kTransactions);
BENCHMARK_CAPTURE(record, fst, ".fst")->Iterations(kTransactions);
BENCHMARK_CAPTURE(record, vcd, ".vcd")->Iterations(kTransactions);
BENCHMARK(sockets)->ArgName("recorded")->Arg(0)->Arg(1)->Iterations(kTransactions);

}  // namespace
}  // namespace gvp::trace

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
