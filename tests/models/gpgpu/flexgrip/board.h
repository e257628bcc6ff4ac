// SPDX-License-Identifier: Apache-2.0
// A FlexGrip device with an initiator on each window, a memory on its bus port and its interrupt,
// for tests of the device itself.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/tlm/memory.h"
#include "tests/support/initiator.h"

namespace gvp::gpgpu::flexgrip {

// Even warps wait at barrier 0, odd ones at barrier 1: a block of several never ends.
inline constexpr const char* kWaitsAtTwoBarriers = R"(
      I2I.U32.U16 R1, R0L;
      SHR R1, R1, 0x5;
      MVI R2, 0x1;
      LOP.AND.C0 R1, R1, R2;
      BRA C0.NE, odd;
      BAR.ARV.WAIT b0, 0xfff;
      RET;
odd:  BAR.ARV.WAIT b1, 0xfff;
      RET;
)";

struct Launch32 {
  uint32_t registers = 16;
  uint32_t shared = 0;
  uint32_t block_x = 32, block_y = 1, block_z = 1;
  uint32_t grid_x = 1, grid_y = 1;
  uint32_t blocks_per_core = 0;
  std::vector<uint32_t> parameters;
};

class Board {
 public:
  static constexpr uint32_t kBusBytes = 1 << 20;

  // memory: on the bus port in place of `bus`.  Kernels of tests use memory from its beginning, but
  // for those that are about that.
  explicit Board(const Configuration& configuration = {}, const std::string& model = "lt",
                 const std::string& name = "board", tlm::tlm_target_socket<>* memory = nullptr,
                 bool null_page = false)
      : Board(name,
              make_flexgrip((name + "_gpgpu").c_str(), model,
                            with_null_page(configuration, null_page)),
              memory) {}

  Board(const std::string& name, std::unique_ptr<Device> made,
        tlm::tlm_target_socket<>* memory = nullptr)
      : device(std::move(made)),
        bus((name + "_bus").c_str(), {kBusBytes, sc_core::sc_time(50, sc_core::SC_NS),
                                      sc_core::sc_time(50, sc_core::SC_NS)}),
        control((name + "_control").c_str()),
        code((name + "_code").c_str()),
        interrupt((name + "_interrupt").c_str()) {
    const std::vector<Window> windows = device->windows();
    control.socket.bind(*windows.at(0).socket);
    code.socket.bind(*windows.at(1).socket);
    if (windows.size() > 2) {
      global = std::make_unique<test::Initiator>((name + "_global").c_str());
      global->socket.bind(*windows[2].socket);
    }
    const std::vector<Port> ports = device->ports();
    if (memory != nullptr || ports.empty()) {
      unused = std::make_unique<test::Initiator>((name + "_unused").c_str());
      unused->socket.bind(bus.socket);
    }
    if (!ports.empty()) ports[0].socket->bind(memory != nullptr ? *memory : bus.socket);
    (*device->interrupts().at(0).line)(interrupt);
  }

  static Configuration with_null_page(Configuration configuration, bool null_page) {
    configuration.null_page = null_page;
    return configuration;
  }

  void load(const std::string& source) {
    const std::vector<uint32_t> words = g80::assemble(source, "test").kernels.at(0).code;
    for (uint32_t i = 0; i < words.size(); ++i) code.write32(4 * i, words[i]);
  }
  void configure(const Launch32& launch) {
    control.write32(FLEXGRIP_BLOCKS_PER_CORE, launch.blocks_per_core);
    control.write32(FLEXGRIP_REGISTERS_PER_THREAD, launch.registers);
    control.write32(FLEXGRIP_SHARED_STATIC_BYTES, launch.shared);
    control.write32(FLEXGRIP_PARAMETER_COUNT, static_cast<uint32_t>(launch.parameters.size()));
    for (uint32_t i = 0; i < launch.parameters.size(); ++i)
      control.write32(FLEXGRIP_PARAMETER(i), launch.parameters[i]);
    control.write32(FLEXGRIP_BLOCK_X, launch.block_x);
    control.write32(FLEXGRIP_BLOCK_Y, launch.block_y);
    control.write32(FLEXGRIP_BLOCK_Z, launch.block_z);
    control.write32(FLEXGRIP_GRID_X, launch.grid_x);
    control.write32(FLEXGRIP_GRID_Y, launch.grid_y);
  }
  void start() { control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START); }
  uint32_t status() { return control.read32(FLEXGRIP_STATUS); }
  uint32_t cause() { return control.read32(FLEXGRIP_CAUSE); }
  // Polls until the device is idle.
  void wait() {
    control.advance();
    while ((status() & FLEXGRIP_STATUS_RUNNING) != 0)
      control.advance(sc_core::sc_time(1, sc_core::SC_US));
  }
  // Launches the loaded code and waits for its end; the status then.
  uint32_t run(const Launch32& launch) {
    configure(launch);
    start();
    wait();
    return status();
  }
  uint64_t counter(uint32_t offset) {
    const uint64_t low = control.read32(offset);
    return low | uint64_t{control.read32(offset + 4)} << 32;
  }

  // All but when kernels began, which differs between devices that one host starts in turn.
  nlohmann::ordered_json statistics_without_begin() const {
    nlohmann::ordered_json statistics = device->statistics();
    for (nlohmann::ordered_json& kernel : statistics["kernels"]) kernel.erase("begin_ns");
    return statistics;
  }

  std::unique_ptr<Device> device;
  kit::Memory bus;
  test::Initiator control;
  test::Initiator code;
  std::unique_ptr<test::Initiator> global;
  std::unique_ptr<test::Initiator> unused;
  sc_core::sc_signal<bool> interrupt;
};

// Each thread stores its number, x + 32 * ctaid.x, at 4 times that from s[0x10] on.
constexpr const char* kStoreNumber = R"(
    I2I.U32.U16 R1, R0L;
    MOV.U16 R2L, g [0x6].U16;
    I2I.U32.U16 R2, R2L;
    SHL R2, R2, 0x5;
    IADD R1, R1, R2;
    SHL R3, R1, 0x2;
    IADD R3, g [0x4], R3;
    GST.U32 global14[R3], R1;
    RET;
)";

constexpr const char* kForever = "loop: BRA loop;\n";

}  // namespace gvp::gpgpu::flexgrip
