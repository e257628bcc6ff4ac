// SPDX-License-Identifier: Apache-2.0
// The approximately timed device as a whole: same results as the loosely timed one, time that
// passes, global memory on the bus, several SMs.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "fidelity/microbenchmarks.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/tlm/memory.h"
#include "tests/support/initiator.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

constexpr uint32_t kGlobalBytes = 256 * 1024;

Configuration plus(uint32_t sps) {
  Configuration configuration;
  configuration.sps = sps;
  configuration.warps_per_sm = 32;
  configuration.threads_per_sm = 1024;
  configuration.global_bytes = kGlobalBytes;
  configuration.global_addresses = "wrap";
  return configuration;
}

kit::MemoryConfiguration memory_of(uint64_t size, double latency_ns) {
  kit::MemoryConfiguration configuration;
  configuration.size = size;
  configuration.read_latency = sc_core::sc_time(latency_ns, sc_core::SC_NS);
  configuration.write_latency = configuration.read_latency;
  configuration.allow_dmi = true;
  return configuration;
}

// The RTL's own kernels use memory from its beginning.
Configuration without_null_page(Configuration configuration) {
  configuration.null_page = false;
  return configuration;
}

// A device with an initiator on each window and a memory on its bus port.
struct System {
  System(const std::string& name, const std::string& model, const Configuration& configuration,
         double bus_latency_ns = 0)
      : device(make_flexgrip((name + "_gpgpu").c_str(), model, without_null_page(configuration))),
        bus((name + "_bus").c_str(), memory_of(kGlobalBytes, bus_latency_ns)),
        control((name + "_control").c_str()),
        code((name + "_code").c_str()),
        global((name + "_global").c_str()),
        interrupt((name + "_interrupt").c_str()) {
    const std::vector<Window> windows = device->windows();
    control.socket.bind(*windows[0].socket);
    code.socket.bind(*windows[1].socket);
    if (windows.size() > 2) {
      global.socket.bind(*windows[2].socket);
    } else {
      spare = std::make_unique<kit::Memory>((name + "_spare").c_str(), memory_of(4, 0));
      global.socket.bind(spare->socket);
    }
    device->ports().at(0).socket->bind(bus.socket);
    (*device->interrupts().at(0).line)(interrupt);
  }

  // Untimed, 4 KiB at a time.
  static void copy(test::Initiator& to, tlm::tlm_command command, void* data, size_t bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(0);
    payload.set_data_ptr(static_cast<uint8_t*>(data));
    payload.set_data_length(static_cast<unsigned>(bytes));
    ASSERT_EQ(to.socket->transport_dbg(payload), bytes);
  }

  void load(std::vector<uint32_t> words) {
    copy(code, tlm::TLM_WRITE_COMMAND, words.data(), words.size() * 4);
  }

  std::vector<uint8_t> block_ram() {
    std::vector<uint8_t> bytes(kGlobalBytes);
    copy(global, tlm::TLM_READ_COMMAND, bytes.data(), bytes.size());
    return bytes;
  }

  // Launches and waits; returns the kernel's cycles.
  uint64_t run(const Kernel& kernel) {
    const std::pair<uint32_t, uint32_t> registers[] = {
        {FLEXGRIP_BLOCKS_PER_CORE, kernel.blocks_per_core},
        {FLEXGRIP_REGISTERS_PER_THREAD, kernel.registers_per_thread},
        {FLEXGRIP_SHARED_STATIC_BYTES, kernel.shared_static_bytes},
        {FLEXGRIP_PARAMETER_COUNT, kernel.parameter_count},
        {FLEXGRIP_BLOCK_X, kernel.block_x},
        {FLEXGRIP_BLOCK_Y, kernel.block_y},
        {FLEXGRIP_BLOCK_Z, kernel.block_z},
        {FLEXGRIP_GRID_X, kernel.grid_x},
        {FLEXGRIP_GRID_Y, kernel.grid_y},
        {FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_INTERRUPT_ENABLE},
    };
    for (const auto& [offset, value] : registers) control.write32(offset, value);
    for (uint32_t i = 0; i < kernel.parameter_count; ++i)
      control.write32(FLEXGRIP_PARAMETER(i), kernel.parameters[i]);
    control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_INTERRUPT_ENABLE | FLEXGRIP_CONTROL_START);
    control.advance();
    while (!interrupt.read()) sc_core::wait(interrupt.posedge_event());
    ended = sc_core::sc_time_stamp();
    control.write32(FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
    control.advance();
    return control.read32(FLEXGRIP_COUNT_CYCLES);
  }

  uint32_t cause() { return control.read32(FLEXGRIP_CAUSE); }

  std::unique_ptr<Device> device;
  kit::Memory bus;
  std::unique_ptr<kit::Memory> spare;
  test::Initiator control, code, global;
  sc_core::sc_signal<bool> interrupt;
  sc_core::sc_time ended;
};

Kernel kernel_of(uint32_t threads, uint32_t blocks) {
  Kernel kernel;
  kernel.registers_per_thread = 8;
  kernel.block_x = threads;
  kernel.block_y = kernel.block_z = kernel.grid_y = 1;
  kernel.grid_x = blocks;
  return kernel;
}

std::vector<uint32_t> code_of(const char* source) {
  return g80::assemble(source, "test").kernels.at(0).code;
}

// Each thread adds 5 to a word of its own, for blocks of up to 256 threads.
constexpr const char* kAddFive = R"(
    I2I.U32.U16 R1, R0L;
    I2I.U32.U16 R4, g[0x6].U16;
    SHL R4, R4, 0x8;
    IADD R1, R1, R4;
    SHL R2, R1, 0x2;
    GLD.U32 R3, global14[R2];
    IADD32I R3, R3, 0x5;
    GST.U32 global14[R2], R3;
    RET;
)";

TEST(AtEngineTest, ResultsAreThoseOfTheLooselyTimedDeviceAndCyclesThoseOfTheRtl) {
  struct Pair {
    fidelity::Microbenchmark benchmark;
    std::unique_ptr<System> lt, at;
  };
  std::vector<Pair> pairs;
  for (const auto& benchmark :
       fidelity::read_microbenchmarks(GVP_SOURCE_DIR "/tests/data/microbenchmarks")) {
    if (benchmark.rtl_bug) continue;
    const std::string number = std::to_string(pairs.size());
    Configuration configuration = plus(benchmark.sps);
    configuration.partial_warps = "full";  // as that RTL
    pairs.push_back({benchmark, std::make_unique<System>("lt" + number, "lt", configuration),
                     std::make_unique<System>("at" + number, "at", configuration)});
  }
  pairs[0].lt->control.run([&] {
    for (Pair& pair : pairs) {
      SCOPED_TRACE(pair.benchmark.name + " at " + std::to_string(pair.benchmark.sps) + " SPs");
      std::vector<uint32_t> words(4096);
      for (uint32_t i = 0; i < words.size(); ++i) words[i] = i;
      for (System* system : {pair.lt.get(), pair.at.get()}) {
        System::copy(system->global, tlm::TLM_WRITE_COMMAND, words.data(), words.size() * 4);
        system->load(pair.benchmark.code);
      }
      pair.lt->run(pair.benchmark.kernel);
      EXPECT_EQ(pair.at->run(pair.benchmark.kernel), pair.benchmark.cycles);
      EXPECT_EQ(pair.lt->cause(), FLEXGRIP_CAUSE_NONE);
      EXPECT_EQ(pair.at->cause(), FLEXGRIP_CAUSE_NONE);
      EXPECT_TRUE(pair.lt->block_ram() == pair.at->block_ram());
    }
  });
}

TEST(AtEngineTest, TheInterruptComesWhenTheKernelsCyclesHavePassed) {
  System system("at", "at", plus(8));
  system.control.run([&] {
    system.load(code_of(kAddFive));
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    const uint64_t cycles = system.run(kernel_of(256, 20));
    EXPECT_GT(cycles, 20000u);
    const double passed = (system.ended - before).to_seconds() * 100e6;
    EXPECT_NEAR(passed, static_cast<double>(cycles), 100.0);  // the registers' accesses
  });
}

TEST(AtEngineTest, OnTheBusEveryLaneTakesAsLongAsMemoryAnswers) {
  Configuration configuration = plus(32);
  configuration.global_memory = "ddr3";
  configuration.global_addresses = "checked";
  System fast("fast", "at", configuration, 100);
  System slow("slow", "at", configuration, 300);
  fast.control.run([&] {
    uint64_t cycles[2];
    System* const systems[2] = {&fast, &slow};
    for (unsigned i = 0; i < 2; ++i) {
      systems[i]->load(code_of(kAddFive));
      cycles[i] = systems[i]->run(kernel_of(32, 1));
      EXPECT_EQ(systems[i]->cause(), FLEXGRIP_CAUSE_NONE);
      uint32_t word = 0;
      std::memcpy(&word, systems[i]->bus.storage().data() + 4, sizeof word);
      EXPECT_EQ(word, 5u);
    }
    // 32 lanes loaded and stored, 200 ns or 20 cycles longer each.
    EXPECT_EQ(cycles[1] - cycles[0], 2u * 32 * 20);
  });
}

TEST(AtEngineTest, TwoSmsShareTheWorkAndGiveTheSameResult) {
  Configuration configuration = plus(8);
  System one("one", "at", configuration);
  configuration.sms = 2;
  System two("two", "at", configuration);
  one.control.run([&] {
    for (System* system : {&one, &two}) system->load(code_of(kAddFive));
    const uint64_t alone = one.run(kernel_of(256, 24));
    const uint64_t shared = two.run(kernel_of(256, 24));
    EXPECT_GT(static_cast<double>(alone) / static_cast<double>(shared), 1.5);
    EXPECT_TRUE(one.block_ram() == two.block_ram());
  });
}

Configuration on_bus(uint32_t sms) {
  Configuration configuration = plus(32);
  configuration.sms = sms;
  configuration.global_memory = "ddr3";
  configuration.global_addresses = "checked";
  return configuration;
}

// The port is what these kernels wait for most of the time; a second SM fills what is left.
TEST(AtEngineTest, SmsThatShareThePortKeepItBusyAndGiveTheSameResult) {
  System one("one", "at", on_bus(1), 100);
  System two("two", "at", on_bus(2), 100);
  System loose("loose", "lt", on_bus(2), 100);
  one.control.run([&] {
    for (System* system : {&one, &two, &loose}) system->load(code_of(kAddFive));
    const uint64_t alone = one.run(kernel_of(256, 24));
    const uint64_t shared = two.run(kernel_of(256, 24));
    EXPECT_EQ(two.cause(), FLEXGRIP_CAUSE_NONE);
    EXPECT_TRUE(std::equal(one.bus.storage().data(), one.bus.storage().data() + kGlobalBytes,
                           two.bus.storage().data()));
    // Each thread loads and stores: 10 cycles of the memory and 3 to the next access.
    const uint64_t busy = 24 * 256 * 2 * (10 + 3);
    EXPECT_GE(shared, busy);
    EXPECT_LT(static_cast<double>(shared), 0.9 * static_cast<double>(alone));
    // Loosely timed, they wait for each other, too; docs/flexgrip-timing.md says how far off that
    // is.
    EXPECT_NEAR(static_cast<double>(loose.run(kernel_of(256, 24))) / static_cast<double>(shared), 1,
                0.15);
  });
}

TEST(AtEngineTest, AFaultOfOneSmEndsTheKernelOfAll) {
  System system("at", "at", on_bus(2), 100);
  system.control.run([&] {
    // Blocks with odd numbers, which the second SM has, access a word at an odd address.
    system.load(code_of(R"(
      I2I.U32.U16 R2, g[0x6].U16;
      MVI R1, 0x1;
      LOP.AND R2, R2, R1;
      GLD.U32 R3, global14[R124];
      GLD.U32 R3, global14[R2];
      GLD.U32 R3, global14[R124];
      RET;
    )"));
    system.run(kernel_of(64, 40));
    EXPECT_EQ(system.cause(), FLEXGRIP_CAUSE_MISALIGNED);
    EXPECT_EQ(system.control.read32(FLEXGRIP_FAULT_ADDRESS), 1u);
    // Those that wait behind it do not go on: all accesses would take 40 x 64 x 3 x 13 cycles.
    EXPECT_LT(system.control.read32(FLEXGRIP_COUNT_CYCLES), 20000u);
    system.load(code_of(kAddFive));
    system.run(kernel_of(256, 2));
    EXPECT_EQ(system.cause(), FLEXGRIP_CAUSE_NONE);
  });
}

// Both SMs fail in their last lane's access; the second has begun before the first one failed.
TEST(AtEngineTest, OfSeveralSmsThatFailTheFirstIsTold) {
  System system("at", "at", on_bus(2), 100);
  system.control.run([&] {
    system.load(code_of(R"(
      I2I.U32.U16 R1, R0L;
      SHL R2, R1, 0x2;
      IADD32I R3, R1, 0x1;
      SHR R3, R3, 0x5;
      IADD R2, R2, R3;
      IADD R5, R124, -R3;
      I2I.U32.U16 R4, g[0x6].U16;
      SHL R4, R4, 0x1;
      LOP.AND R4, R4, R5;
      IADD R2, R2, R4;
      GLD.U32 R3, global14[R2];
      RET;
    )"));
    system.run(kernel_of(32, 2));
    EXPECT_EQ(system.cause(), FLEXGRIP_CAUSE_MISALIGNED);
    EXPECT_EQ(system.control.read32(FLEXGRIP_FAULT_ADDRESS), 125u);  // the second's is 127
  });
}

TEST(AtEngineTest, AResetEndsSmsThatWaitForThePort) {
  System system("at", "at", on_bus(2), 100);
  system.control.run([&] {
    system.load(code_of("again: GLD.U32 R3, global14[R124];\nBRA again;\n"));
    for (const auto& [offset, value] : std::initializer_list<std::pair<uint32_t, uint32_t>>{
             {FLEXGRIP_REGISTERS_PER_THREAD, 8},
             {FLEXGRIP_BLOCK_X, 64},
             {FLEXGRIP_BLOCK_Y, 1},
             {FLEXGRIP_BLOCK_Z, 1},
             {FLEXGRIP_GRID_X, 4},
             {FLEXGRIP_GRID_Y, 1},
             {FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START}})
      system.control.write32(offset, value);
    system.control.advance();
    sc_core::wait(sc_core::sc_time(50, sc_core::SC_US));
    EXPECT_GT(system.control.read32(FLEXGRIP_COUNT_WARP_INSTRUCTIONS), 10u);
    system.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    system.control.advance();
    system.load(code_of(kAddFive));
    system.run(kernel_of(256, 24));
    EXPECT_EQ(system.cause(), FLEXGRIP_CAUSE_NONE);
    uint32_t word = 0;
    std::memcpy(&word, system.bus.storage().data() + 4, sizeof word);
    EXPECT_EQ(word, 5u);
  });
}

TEST(AtEngineTest, ABarrierThatNobodyCompletesIsADeadlock) {
  System system("at", "at", plus(8));
  system.control.run([&] {
    // Warp 0 waits for 64 threads at barrier 1, warp 1 at barrier 2.
    system.load(code_of(R"(
      I2I.U32.U16 R1, R0L;
      MVI R2, 0x20;
      ISET.S32.C0 o[0x7f], R1, R2, LT;
      @C0.NE BRA first;
      BAR.ARV.WAIT b2, 0xfff;
      RET;
    first:
      BAR.ARV.WAIT b1, 0xfff;
      RET;
    )"));
    system.run(kernel_of(64, 1));
    EXPECT_EQ(system.cause(), FLEXGRIP_CAUSE_BARRIER_DEADLOCK);
  });
}

TEST(AtEngineTest, AFaultStopsTheKernelWithItsPlace) {
  Configuration configuration = plus(8);
  configuration.global_addresses = "checked";
  System system("at", "at", configuration);
  system.control.run([&] {
    system.load(code_of(R"(
      MVI R2, 0x3;
      GLD.U32 R3, global14[R2];
      RET;
    )"));
    system.run(kernel_of(32, 1));
    EXPECT_EQ(system.cause(), FLEXGRIP_CAUSE_MISALIGNED);
    EXPECT_EQ(system.control.read32(FLEXGRIP_FAULT_PC), 8u);
    EXPECT_EQ(system.control.read32(FLEXGRIP_FAULT_ADDRESS), 3u);
  });
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::timing
