// SPDX-License-Identifier: Apache-2.0
// Runs MicroBlaze executables on the processor core alone: 128 KiB at 0, RAM at 0x50000000, a
// serial port that is always ready (16550 layout of the ML605 board), other devices from 0x80000000
// that read as zero (so timers stand still), no SystemC.
// For many small programs (GCC's execution tests) and for measuring the interpreter.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/host/engine.h"
#include "platform/elf/elf_file.h"

namespace gvp::test {

class GuestBus : public host::Bus {
 public:
  static constexpr uint32_t kRam = 0x50000000;
  static constexpr uint32_t kDevices = 0x80000000;
  static constexpr uint32_t kSerial = 0x83e01000;
  static constexpr uint32_t kLineStatus = kSerial + 0x14;

  explicit GuestBus(uint32_t ram_bytes);
  host::BusStatus read(host::Port port, uint32_t address, void* data, uint32_t bytes,
                       uint64_t& cycles) override;
  host::BusStatus write(uint32_t address, const void* data, uint32_t bytes,
                        uint64_t& cycles) override;
  host::BusStatus write_line(uint32_t address, const void* data, uint32_t bytes, uint32_t words,
                             uint64_t& cycles) override;
  bool direct(host::Port port, uint32_t address, host::DirectMemory& memory) override;
  // Bytes at an address up to the end of its memory; null where there is none.
  uint8_t* bytes(uint32_t address, size_t& available);

  std::string output;

 private:
  std::vector<uint8_t> local_;
  // Zero by calloc(): pages that a program does not touch cost nothing.
  std::unique_ptr<uint8_t, decltype(&std::free)> ram_;
  uint32_t ram_bytes_;
};

class GuestMachine {
 public:
  explicit GuestMachine(const host::Configuration& configuration, uint32_t ram_bytes = 64u << 20);

  // Throws Error where the file does not fit.
  void load(const platform::ElfFile& file);
  struct Result {
    bool finished = false;  // branched to itself with interrupts off
    uint32_t exit_code = 0;
    uint64_t instructions = 0;
    std::string error;
  };
  Result run(uint64_t max_cycles);

  GuestBus bus;
  host::Engine engine;
};

}  // namespace gvp::test
