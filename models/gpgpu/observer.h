// SPDX-License-Identifier: Apache-2.0
// For whoever watches a soft GPGPU at work, whatever its instruction set and timing: kernels,
// blocks, instructions, pipeline stages, memory accesses and interrupts, each with its time.
// Observers are attached to a device after its construction (Device::observe), any number of them.
// A device produces only what one of them wants; one that nobody observes pays nothing, and one
// that is observed takes the same simulated time.
//
// Time: what happens while a kernel runs counts clock cycles of the device from the kernel's start;
// KernelEvent tells when that was and how long a cycle is.  Kernels and interrupts carry simulated
// time, in picoseconds.  Order: the events of one warp come in the order of its instructions;
// those of different warps, and of several SMs, need not be sorted by time, and execution may run
// ahead of simulated time.  Addresses and sizes are bytes.
//
// Not here: registers and operands, which only the device's own instruction set can name (FlexGrip:
// models/gpgpu/flexgrip/warp_observer.h), and bus transactions (models/tlm/interposer.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/line_table.h"

namespace gvp::gpgpu {

using LaneMask = uint64_t;  // bit i: lane i; machines have 32 or 64 lanes a warp

// A launch; when it ends too.
struct KernelEvent {
  uint64_t launch = 0;  // 1 is the device's first
  std::string name;
  std::array<uint32_t, 3> grid{1, 1, 1};   // blocks
  std::array<uint32_t, 3> block{1, 1, 1};  // threads
  uint64_t begin_ps = 0;                   // simulated time of the kernel's cycle 0
  uint64_t period_ps = 0;                  // of a cycle
  const LineTable* lines = nullptr;        // its source, while it runs; null: nobody knows
  // When it has ended:
  uint64_t end_ps = 0;
  uint64_t cycles = 0;
  uint32_t cause = 0;  // 0: done, else the device's own number for why it was refused or stopped

  uint64_t time_ps(uint64_t cycle) const { return begin_ps + cycle * period_ps; }
};

struct BlockPlace {
  uint32_t sm = 0;    // streaming multiprocessor, compute unit
  uint32_t slot = 0;  // of the block in the SM
  uint32_t x = 0, y = 0, z = 0;
};

struct WarpPlace {
  BlockPlace block;
  uint32_t slot = 0;           // of the warp in the SM
  uint32_t warp_of_block = 0;  // 0 is the block's first
};

struct BlockEvent {
  BlockPlace place;
  uint64_t cycle = 0;
};

// One executed instruction of one warp.
struct InstructionEvent {
  WarpPlace place;
  uint64_t pc = 0;
  LaneMask active = 0;    // before it
  LaneMask executed = 0;  // of those, where its predicate held
  uint64_t begin = 0;     // cycles; issue
  uint64_t end = 0;       // its last effect
};

// One pass of an instruction, or of some of its lanes, through a pipeline.  Only devices whose
// timing has a pipeline produce it: Device::stages() names the stages.
struct StageEvent {
  static constexpr unsigned kMaxStages = 8;

  WarpPlace place;
  uint64_t pc = 0;
  uint32_t row = 0;  // which pass of the instruction
  uint64_t issue = 0;
  std::array<uint64_t, kMaxStages> left{};  // when it left each stage, in the order of stages()
};

enum class MemorySpace : uint8_t { kGlobal, kShared, kLocal, kConstant };
inline constexpr std::string_view name_of(MemorySpace space) {
  constexpr std::string_view kNames[] = {"global", "shared", "local", "constant"};
  return kNames[static_cast<unsigned>(space)];
}

// What one operand of an instruction did to a memory, all lanes together.
struct MemoryEvent {
  WarpPlace place;
  uint64_t pc = 0;
  MemorySpace space = MemorySpace::kGlobal;
  bool write = false;
  uint32_t bytes = 0;                  // of each lane
  LaneMask lanes = 0;                  // that took part
  std::array<uint64_t, 64> address{};  // by lane; shared: of the block, local: of the thread
  uint64_t cycle = 0;
};

// What a kernel does from now on begins in this cycle or later.  Told now and then, so that who
// brings events into the order of time need not wait for the end of a block.
struct ProgressEvent {
  uint64_t cycle = 0;
};

struct InterruptEvent {
  std::string_view line;  // as Device::interrupts() names it
  bool level = false;
  uint64_t time_ps = 0;
};

class Observer {
 public:
  // What there is to see; wants() is a sum of these.  Instructions, stages and memory make a device
  // execute instruction by instruction.
  enum Subject : unsigned {
    kKernels = 1,
    kBlocks = 2,
    kInstructions = 4,
    kStages = 8,
    kMemory = 16,
    kInterrupts = 32,
  };

  virtual ~Observer() = default;
  // Asked once, when the observer is attached.
  virtual unsigned wants() const = 0;

  virtual void kernel_begins(const KernelEvent&) {}
  virtual void kernel_ends(const KernelEvent&) {}
  virtual void progress(const ProgressEvent&) {}  // of kernels
  virtual void block_begins(const BlockEvent&) {}
  virtual void block_ends(const BlockEvent&) {}
  virtual void instruction(const InstructionEvent&) {}
  virtual void stages(const StageEvent&) {}
  virtual void memory(const MemoryEvent&) {}
  virtual void interrupt(const InterruptEvent&) {}
};

// The observers of a device.  It asks want() before it makes an event.
class Observers {
 public:
  // The observer must outlive the device, or what it does last.
  void add(Observer& observer) {
    const unsigned wanted = observer.wants();
    all_.push_back({&observer, wanted});
    wanted_ |= wanted;
  }
  bool want(unsigned subjects) const { return (wanted_ & subjects) != 0; }

  void kernel_begins(const KernelEvent& e) const {
    tell(Observer::kKernels, &Observer::kernel_begins, e);
  }
  void kernel_ends(const KernelEvent& e) const {
    tell(Observer::kKernels, &Observer::kernel_ends, e);
  }
  void progress(const ProgressEvent& e) const { tell(Observer::kKernels, &Observer::progress, e); }
  void block_begins(const BlockEvent& e) const {
    tell(Observer::kBlocks, &Observer::block_begins, e);
  }
  void block_ends(const BlockEvent& e) const { tell(Observer::kBlocks, &Observer::block_ends, e); }
  void instruction(const InstructionEvent& e) const {
    tell(Observer::kInstructions, &Observer::instruction, e);
  }
  void stages(const StageEvent& e) const { tell(Observer::kStages, &Observer::stages, e); }
  void memory(const MemoryEvent& e) const { tell(Observer::kMemory, &Observer::memory, e); }
  void interrupt(const InterruptEvent& e) const {
    tell(Observer::kInterrupts, &Observer::interrupt, e);
  }

 private:
  struct Attached {
    Observer* observer;
    unsigned wanted;
  };

  template <typename Event>
  void tell(unsigned subject, void (Observer::*of)(const Event&), const Event& event) const {
    for (const Attached& each : all_)
      if ((each.wanted & subject) != 0) (each.observer->*of)(event);
  }

  std::vector<Attached> all_;
  unsigned wanted_ = 0;
};

}  // namespace gvp::gpgpu
