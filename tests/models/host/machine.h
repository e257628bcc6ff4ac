// SPDX-License-Identifier: Apache-2.0
// A processor core with flat memory and no SystemC, for unit tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "models/host/engine.h"
#include "tests/models/host/assembler.h"
#include "tests/support/guest/tested_engine.h"

namespace gvp::host::test {

// RAM from address 0, a device that records accesses, and a device that refuses; nothing elsewhere.
class FlatBus : public Bus {
 public:
  static constexpr uint32_t kDevice = 0x80000000;
  static constexpr uint32_t kRefusing = 0x90000000;

  explicit FlatBus(uint32_t bytes) : ram(bytes) {}

  BusStatus read(Port port, uint32_t address, void* data, uint32_t bytes,
                 uint64_t& cycles) override {
    cycles += 10;
    if (bytes > 4) ++line_reads;
    if (address < ram.size()) {
      std::memcpy(data, &ram[address], bytes);
      return BusStatus::kOkay;
    }
    if (port == Port::kInstruction) return BusStatus::kDecodeError;
    if (address == kDevice) {
      std::memcpy(data, &device_value, bytes);
      accesses.emplace_back(cycles - 10, false);
      return BusStatus::kOkay;
    }
    return address == kRefusing ? BusStatus::kSlaveError : BusStatus::kDecodeError;
  }
  BusStatus write(uint32_t address, const void* data, uint32_t bytes, uint64_t& cycles) override {
    cycles += 10;
    if (address < ram.size()) {
      std::memcpy(&ram[address], data, bytes);
      return BusStatus::kOkay;
    }
    if (address == kDevice) {
      std::memcpy(&device_value, data, bytes);
      accesses.emplace_back(cycles - 10, true);
      return BusStatus::kOkay;
    }
    return address == kRefusing ? BusStatus::kSlaveError : BusStatus::kDecodeError;
  }
  // The memory has exclusive accesses and a monitor, the devices have not.
  BusStatus read_exclusive(uint32_t address, void* data, uint64_t& cycles) override {
    ++exclusive_reads;
    const BusStatus status = read(Port::kData, address, data, 4, cycles);
    reserved = address < ram.size();
    return reserved ? BusStatus::kExclusiveOkay : status;
  }
  BusStatus write_exclusive(uint32_t address, const void* data, uint64_t& cycles) override {
    ++exclusive_writes;
    if (address < ram.size() && !reserved) return BusStatus::kOkay;
    const BusStatus status = write(address, data, 4, cycles);
    return reserved ? BusStatus::kExclusiveOkay : status;
  }
  BusStatus write_line(uint32_t address, const void* data, uint32_t bytes, uint32_t words,
                       uint64_t& cycles) override {
    cycles += 10;
    ++line_writes;
    if (address >= ram.size()) return BusStatus::kDecodeError;
    for (uint32_t i = 0; i < bytes; i += 4)
      if ((words >> (i / 4) & 1) != 0)
        std::memcpy(&ram[address + i], static_cast<const uint8_t*>(data) + i, 4);
    return BusStatus::kOkay;
  }
  bool direct(Port port, uint32_t address, DirectMemory& memory) override {
    if (!allow_direct || (port == Port::kData && !direct_data) || address >= ram.size()) {
      memory.first = address & ~0xfffu;
      memory.last = address | 0xfffu;
      return false;
    }
    memory = {ram.data(),  0,     static_cast<uint32_t>(ram.size() - 1), true, true, latency,
              2 * latency, source};
    if (second != 0 && address < second) memory.last = second - 1;
    if (second != 0 && address >= second) {
      memory.data += second;
      memory.first = second;
      ++memory.source;
    }
    if (each != 0) {
      memory.first = address / each * each;
      memory.last = memory.first + (each - 1);
      memory.data += memory.first;
      memory.source = static_cast<uint8_t>(source + address / each);
    }
    return true;
  }

  std::vector<uint8_t> ram;
  bool allow_direct = true;
  bool direct_data = true;  // false: of instructions alone
  uint32_t latency = 0;     // of direct access, cycles
  uint8_t source = 0;       // DirectMemory::source
  uint32_t second = 0;      // where a second memory begins, of the next source; 0: there is none
  uint32_t each = 0;  // bytes of memories side by side, each of the next source; 0: one memory
  uint32_t device_value = 0;
  unsigned line_reads = 0;
  unsigned line_writes = 0;
  unsigned exclusive_reads = 0;
  unsigned exclusive_writes = 0;
  bool reserved = false;                            // by the last exclusive read
  std::vector<std::pair<uint64_t, bool>> accesses;  // cycle, is write
};

class Machine {
 public:
  static constexpr uint32_t kCode = 0x1000;

  explicit Machine(const Configuration& configuration = everything(), uint32_t bytes = 1u << 20)
      : bus(bytes),
        engine(gvp::test::with_tested_engine(configuration), bus),
        big_endian_(configuration.big_endian) {
    engine.state().pc = kCode;
  }

  static Configuration everything() {
    Configuration configuration;
    configuration.use_fpu = 2;
    configuration.fsl_links = 16;
    configuration.use_extended_fsl_instr = true;
    return configuration;
  }

  // Puts a program into memory, followed by "bri 0".
  void load(std::string_view text, uint32_t address = kCode) {
    for (const uint32_t word : assemble_program(text)) {
      poke(address, word);
      address += 4;
    }
    poke(address, assemble("bri 0"));
  }
  // Executes from pc until the program branches to itself.
  Engine::Run run(uint32_t limit = 100000) { return engine.run(limit); }
  void execute(std::string_view text) {
    load(text);
    engine.state().pc = kCode;
    run();
  }

  uint32_t& r(size_t n) { return engine.state().r[n]; }
  uint32_t peek(uint32_t address) const {
    uint32_t word = 0;
    std::memcpy(&word, &bus.ram[address], sizeof word);
    return big_endian_ ? __builtin_bswap32(word) : word;
  }
  void poke(uint32_t address, uint32_t word) {
    if (big_endian_) word = __builtin_bswap32(word);
    std::memcpy(&bus.ram[address], &word, sizeof word);
    engine.invalidate_code(address, address + 3);
  }

  FlatBus bus;
  Engine engine;

 private:
  bool big_endian_;
};

}  // namespace gvp::host::test
