// SPDX-License-Identifier: Apache-2.0
// The processor core and QEMU side by side: the same memory, the same registers, stepped or run
// together, compared.
//
// What is not compared, because QEMU 7.2 differs from UG984: MSR.PVR and MSR.CC (QEMU shows neither
// in its MSR), MSR.EE while an exception is in progress (QEMU leaves it on).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/elf/elf_file.h"
#include "tests/support/guest/guest_machine.h"
#include "tests/support/lockstep/qemu.h"
#include "tests/support/rsp_client.h"

namespace gvp::test {

class Lockstep {
 public:
  static constexpr unsigned kPc = 32;  // numbers of QEMU's registers
  static constexpr unsigned kMsr = 33;
  static constexpr unsigned kEar = 34;
  static constexpr unsigned kEsr = 35;
  static constexpr unsigned kFsr = 36;  // compared where a test asks for it
  static constexpr unsigned kBtr = 37;
  // What QEMU's machine has: no version registers are compared, FPU without conversions.
  static host::Configuration machine();

  explicit Lockstep(const host::Configuration& configuration,
                    const std::vector<std::string>& qemu_properties = {},
                    uint32_t ram_bytes = 32u << 20);

  host::State& state() { return ours.engine.state(); }
  void write(uint32_t address, const std::vector<uint8_t>& bytes);
  void write_words(uint32_t address, const std::vector<uint32_t>& words);
  // Gives QEMU the registers of ours, after state() was changed.
  void synchronise();
  // One unit on both: an instruction with its imm prefix, a branch with its slot, an exception, an
  // interrupt.
  host::Engine::Run step();
  // What differs now, as text; empty: nothing.  theirs: QEMU's registers.
  std::string difference();
  std::string difference(const std::vector<uint32_t>& theirs) const;
  bool same_memory(uint32_t address, size_t bytes);

  // Runs an executable on both, and compares all registers at every function's entry (each
  // function's first `visits`) and at the end.  The firmware's clock stands still.
  struct Outcome {
    std::string difference;  // empty: none
    uint64_t comparisons = 0;
    uint32_t exit_code = 0;
  };
  Outcome run_program(const platform::ElfFile& file, unsigned visits = 20);

  GuestMachine ours;

 private:
  void stop_clock(uint32_t timer_now);
  Outcome compare_until_the_end(const std::vector<uint32_t>& entries, unsigned visits,
                                const platform::ElfFile& file);

  Qemu process_;

 public:
  RspClient qemu;
};

}  // namespace gvp::test
