// SPDX-License-Identifier: Apache-2.0
// A recorder between real sockets: what it writes, and that it denies direct memory.
#include "trace/recorded_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <sstream>

#include "models/axi/interconnect.h"
#include "models/ddr3/memory_controller.h"
#include "models/tlm/memory.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"
#include "tests/trace/files.h"

namespace gvp::trace {
namespace {

using testing::ElementsAre;

std::vector<std::vector<std::string>> lines_of(const std::string& path) {
  std::istringstream text(contents(path));
  std::vector<std::vector<std::string>> result;
  std::string line;
  std::getline(text, line);  // the header
  while (std::getline(text, line)) {
    std::istringstream fields(line);
    std::vector<std::string>& row = result.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
  }
  return result;
}

std::vector<std::string> column(const std::string& path, size_t index) {
  std::vector<std::string> values;
  for (const auto& row : lines_of(path)) values.push_back(row.at(index));
  return values;
}
enum Column {
  kPlace = 1,
  kName,
  kNumber,
  kParent,
  kRoot,
  kInitiator,
  kTarget,
  kOrigin,
  kAddress,
  kBytes,
  kBegin,
  kResponseBegin,
  kEnd,
  kResponse,
  kOutstanding
};

TEST(RecordedPort, FollowsATransactionThroughAnApproximatelyTimedBus) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  Files files;
  const std::string path = files("a.csv");
  Recorder recorder({into(path)});
  test::AtInitiator cpu("cpu"), gpu("gpu");
  test::AtMemory ram("ram", 0x10000), device("device", 0x800);
  const auto bus = axi::make_interconnect("bus", "at", axi::two_by_two());
  const std::vector<PortRegion> regions = {{"ram", {0x10000, 0x1ffff}}};
  RecordedPort at_cpu("at_cpu", recorder, "cpu", regions, recorder.wanted("cpu", regions), [&] {
    return Origin{recorder.names().number("main"), false};
  });
  RecordedPort at_ram("at_ram", recorder, "ram", {}, recorder.wanted("ram", {}), {});
  cpu.socket.bind(at_cpu.target);
  at_cpu.initiator.bind(bus->from_initiator(0));
  gpu.socket.bind(bus->from_initiator(1));
  bus->to_target(0).bind(at_ram.target);
  at_ram.initiator.bind(ram.socket);
  bus->to_target(1).bind(device.socket);
  // Two bursts, across 4 KiB.
  auto& write = cpu.write(0x10ff8, std::vector<uint8_t>(16), 1);
  auto& read = cpu.read(0x10100, 64, 2);
  auto& missing = cpu.read(0x90000, 4, 3);
  sc_core::sc_start();
  ASSERT_EQ(cpu.unfinished(), 0u);
  recorder.close();

  unsigned at_root = 0, children = 0;
  for (const auto& row : lines_of(path)) {
    if (row[kPlace] == "cpu") {
      ++at_root;
      EXPECT_EQ(row[kParent], "");
      EXPECT_EQ(row[kOrigin], "main");
      const bool first = row[kNumber] == "1", second = row[kNumber] == "2";
      const auto& transfer = first ? write : second ? read : missing;
      EXPECT_EQ(row[kBegin], std::to_string(transfer.begun.value()));
      EXPECT_EQ(row[kEnd], std::to_string(transfer.responded.value()));
      EXPECT_EQ(row[kBytes], first ? "16" : second ? "64" : "4");
      EXPECT_EQ(row[kResponse], first || second ? "ok" : "address error");
      EXPECT_EQ(row[kTarget], first || second ? "ram" : "");
      EXPECT_EQ(row[kOutstanding], first ? "1" : second ? "2" : "3") << "the first one is alone";
    } else {
      ++children;
      EXPECT_EQ(row[kPlace], "ram");
      EXPECT_EQ(row[kInitiator], "cpu");
      EXPECT_EQ(row[kOrigin], "main") << "children have their root's";
      EXPECT_EQ(row[kParent], row[kName] == "write" ? "1" : "2");
      EXPECT_EQ(row[kRoot], row[kParent]);
      EXPECT_GT(std::stoull(row[kResponseBegin]), std::stoull(row[kBegin]));
      EXPECT_GE(std::stoull(row[kEnd]), std::stoull(row[kResponseBegin]));
    }
  }
  EXPECT_EQ(at_root, 3u);
  EXPECT_EQ(children, 3u);
}

// A loosely timed initiator, as far as direct memory goes.
struct Direct : sc_core::sc_module {
  explicit Direct(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  tlm_utils::simple_initiator_socket<Direct> socket{"socket"};
  tlm::tlm_generic_payload payload;
  uint32_t word = 0;
  std::vector<std::pair<uint64_t, uint64_t>>* revoked = nullptr;

  void note(sc_dt::uint64 first, sc_dt::uint64) {
    if (revoked != nullptr)
      revoked->emplace_back(sc_core::sc_time_stamp().value() / 1000000, first);
  }
  bool access(uint64_t address, sc_core::sc_time& delay) {
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload, delay);
    return payload.is_dmi_allowed();
  }
  bool ask(uint64_t address, tlm::tlm_dmi& dmi) {
    dmi.init();
    payload.set_address(address);
    return socket->get_direct_mem_ptr(payload, dmi);
  }
};

TEST(RecordedPort, DeniesDirectMemoryWhereItRecordsAndGrantsItBeside) {
  Files files;
  const std::string path = files("dmi.csv");
  Recorder recorder({into(path, "address=0x1000..0x1fff")});
  Direct cpu("cpu");
  kit::MemoryConfiguration configuration;
  configuration.size = 0x10000;
  kit::Memory memory("memory", configuration);
  RecordedPort port("port", recorder, "cpu", {}, recorder.wanted("cpu", {}), {});
  cpu.socket.bind(port.target);
  port.initiator.bind(memory.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  tlm::tlm_dmi dmi;
  EXPECT_FALSE(cpu.ask(0x1800, dmi));
  EXPECT_TRUE(dmi.is_none_allowed());
  EXPECT_EQ(dmi.get_start_address(), 0x1000u);
  EXPECT_EQ(dmi.get_end_address(), 0x1fffu);
  ASSERT_TRUE(cpu.ask(0x800, dmi));
  EXPECT_EQ(dmi.get_start_address(), 0u);
  EXPECT_EQ(dmi.get_end_address(), 0xfffu);
  EXPECT_EQ(dmi.get_dmi_ptr(), memory.storage().data());
  ASSERT_TRUE(cpu.ask(0x2000, dmi));
  EXPECT_EQ(dmi.get_start_address(), 0x2000u);
  EXPECT_EQ(dmi.get_end_address(), 0xffffu);
  EXPECT_EQ(dmi.get_dmi_ptr(), memory.storage().data() + 0x2000);

  sc_core::sc_time delay(5, sc_core::SC_NS);
  EXPECT_FALSE(cpu.access(0x1000, delay)) << "no hint where it is denied";
  EXPECT_TRUE(cpu.access(0x2000, delay));
  recorder.close();
  EXPECT_THAT(column(path, kAddress), ElementsAre("0x1000")) << "the rest is nobody's";
  EXPECT_THAT(column(path, kBegin), ElementsAre("5000"));
}

// From the pins of an interconnect as RTL: a target began nothing itself.
TEST(RecordedPort, NamesNoInitiatorOfWhatATargetGetsWithoutAnIdentity) {
  Files files;
  const std::string path = files("nobody.csv");
  Recorder recorder({into(path)});
  Direct pins("pins");
  kit::MemoryConfiguration configuration;
  configuration.size = 0x10000;
  kit::Memory memory("memory", configuration);
  RecordedPort port("port", recorder, "memory", {}, recorder.wanted("memory", {}), {});
  pins.socket.bind(port.target);
  port.initiator.bind(memory.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  sc_core::sc_time delay;
  pins.access(0x1000, delay);
  recorder.close();
  EXPECT_THAT(column(path, kPlace), ElementsAre("memory"));
  EXPECT_THAT(column(path, kInitiator), ElementsAre(""));
  EXPECT_THAT(column(path, kTarget), ElementsAre("memory"));
  EXPECT_THAT(column(path, kRoot), ElementsAre("1"));
}

TEST(RecordedPort, RevokesPointersForAWindowOfTimeAndGrantsThemAgain) {
  Files files;
  Recorder recorder({into(files("window.csv"), "address=0x1000..0x1fff,time=10us..20us")});
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(1, sc_core::SC_US));
  Direct cpu("cpu");
  std::vector<std::pair<uint64_t, uint64_t>> revoked;  // time in us, first address
  cpu.socket.register_invalidate_direct_mem_ptr(&cpu, &Direct::note);
  cpu.revoked = &revoked;
  kit::MemoryConfiguration configuration;
  configuration.size = 0x10000;
  kit::Memory memory("memory", configuration);
  RecordedPort port("port", recorder, "cpu", {}, recorder.wanted("cpu", {}), {},
                    recorder.wanted_times("cpu"));
  cpu.socket.bind(port.target);
  port.initiator.bind(memory.socket);
  const auto granted_at = [&](uint64_t microseconds) {
    const sc_core::sc_time time(static_cast<double>(microseconds), sc_core::SC_US);
    sc_core::sc_start(time - sc_core::sc_time_stamp() + sc_core::sc_time(1, sc_core::SC_NS));
    tlm::tlm_dmi dmi;
    sc_core::sc_time delay;
    const bool hint = cpu.access(0x1800, delay);
    EXPECT_EQ(hint, cpu.ask(0x1800, dmi)) << microseconds;
    EXPECT_TRUE(cpu.ask(0x2000, dmi)) << "beside it, always";
    return hint;
  };
  EXPECT_TRUE(granted_at(1));
  EXPECT_TRUE(granted_at(8));
  EXPECT_FALSE(granted_at(9)) << "a quantum before: an initiator may be so much ahead";
  EXPECT_FALSE(granted_at(19));
  EXPECT_TRUE(granted_at(21));
  EXPECT_THAT(revoked, ElementsAre(testing::Pair(9, 0x1000), testing::Pair(20, 0x1000)));
}

// A target with a short way that takes 70 ns, if nothing else happens until then.
struct Short : sc_core::sc_module, tlm::tlm_fw_transport_if<>, kit::RunAhead {
  tlm::tlm_target_socket<> socket{"socket"};
  unsigned asked = 0;
  explicit Short(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.bind(*this);
  }
  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override {
    ++asked;
    if (limit < 70000) return false;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(70, sc_core::SC_NS);
    return true;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

TEST(RecordedPort, RecordsWhatTakesTheShortWayAndNothingThatDoesNot) {
  Files files;
  const std::string path = files("short.csv");
  Recorder recorder({into(path)});
  Direct cpu("cpu");
  Short memory("memory");
  RecordedPort port("port", recorder, "ddr3", {}, recorder.wanted("ddr3", {}), {});
  cpu.socket.bind(port.target);
  port.initiator.bind(memory.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  auto* const way = dynamic_cast<kit::RunAhead*>(cpu.socket.operator->());
  ASSERT_NE(way, nullptr);
  EXPECT_TRUE(way->looks_at_phases());
  sc_core::sc_time delay(5, sc_core::SC_NS);
  cpu.payload.set_command(tlm::TLM_WRITE_COMMAND);
  cpu.payload.set_address(0x40);
  cpu.payload.set_data_length(4);
  cpu.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_FALSE(way->run_ahead(cpu.payload, delay, 1000));
  EXPECT_EQ(delay, sc_core::sc_time(5, sc_core::SC_NS));
  EXPECT_TRUE(way->run_ahead(cpu.payload, delay, 100000));
  EXPECT_EQ(memory.asked, 2u);
  recorder.close();
  EXPECT_THAT(column(path, kNumber), ElementsAre("1"))
      << "the one that did not begin has no number";
  EXPECT_THAT(column(path, kBegin), ElementsAre("5000"));
  EXPECT_THAT(column(path, kEnd), ElementsAre("75000"));
  EXPECT_THAT(column(path, kResponse), ElementsAre("ok"));
}

}  // namespace
}  // namespace gvp::trace
