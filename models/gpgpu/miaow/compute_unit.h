// SPDX-License-Identifier: Apache-2.0
// MIAOW2.0's compute unit: register files, local data share, instruction and prefetch memory, which
// it may share with others, and slots for wavefronts.  It follows time on demand: run_until()
// executes whatever has been issued by then.  Since it has no bus port and no interrupt, nobody can
// tell the difference.  No SystemC.
//
// The published interface knows one wavefront, that of slot 0, and its states (idle, executing,
// finished); its cycles are those from the wavefront's start.  The queue of grids uses all slots;
// its cycles are the clock's.  Wavefronts of a group, in slots that follow each other, wait for
// each other at barriers; one that has ended holds up nobody.
//
// Which wavefront issues: the one that can first, and where several can, the next in turn; loosely
// timed, each runs on to a barrier or its end.  The host serves one instruction's accesses at a
// time.  Meanwhile its wavefront issues nothing, and others what needs no memory.
//
// A wavefront that a fault stops never ends, as on hardware, whose registers could not tell;
// fault() says why. Not modelled: what one word of prefetch memory after the other does to
// MEMORY_STATE; stores of the host's memory that also write prefetch memory, as the RTL's do; which
// accesses of an instruction to both memories come first (here those to prefetch memory).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/gpgpu/launch.h"
#include "models/gpgpu/miaow/configuration.h"
#include "models/gpgpu/miaow/host_port.h"
#include "models/gpgpu/miaow/memories.h"
#include "models/gpgpu/miaow/memory_service.h"
#include "models/gpgpu/miaow/rtl_quirks.h"
#include "models/gpgpu/miaow/schedule.h"
#include "models/gpgpu/southern_islands/program.h"
#include "models/gpgpu/southern_islands/wavefront.h"

namespace gvp::gpgpu::miaow {

// How a wavefront starts, and which part of the files is its own.
struct Launch {
  uint32_t pc = 0;
  uint32_t base_vector = 0;
  uint32_t base_scalar = 0;
  uint32_t base_share = 0;
  uint32_t lanes = 1;
  uint32_t vectors = kMostVectorRegisters;  // registers, or what is left of the file
  uint32_t scalars = southern_islands::code::kScalarRegisters;  // likewise
  uint32_t share_bytes = kShareBytes;                           // likewise
  unsigned first_of_group = 0;                                  // slot
  unsigned group_size = 1;                                      // wavefronts
};

class ComputeUnit {
 public:
  enum class State : uint8_t {
    kIdle,
    kExecuting,
    kFinished  // and nobody has read it yet
  };
  struct Words {
    uint64_t prefetch = 0;
    uint64_t host = 0;
  };

  // The schedule is for as many wavefronts as the configuration says.  memories: shared with other
  // units; null: its own.
  ComputeUnit(const Configuration& configuration, std::unique_ptr<Schedule> schedule,
              std::shared_ptr<Memories> memories = nullptr);

  // Memories; numbers and addresses wrap.  Only when idle.
  uint32_t instruction(uint32_t index) const { return memories_->instruction(index); }
  void set_instruction(uint32_t index, uint32_t word) { memories_->set_instruction(index, word); }
  uint32_t scalar(uint32_t index) const { return scalars_[index % kScalarRegisters]; }
  void set_scalar(uint32_t index, uint32_t word) { scalars_[index % kScalarRegisters] = word; }
  southern_islands::Lanes& vector(uint32_t index) { return vectors_[index % kVectorRegisters]; }
  uint32_t prefetch(uint32_t address) const { return memories_->prefetch(address); }
  void set_prefetch(uint32_t address, uint32_t word) { memories_->set_prefetch(address, word); }

  // When idle: cycle 0 begins, with a wavefront in slot 0.
  void start(const Launch& launch);
  // When idle: wavefronts of a grid follow.
  void prepare();
  // After that, in a slot that is idle; not before a cycle that run_until() has reached.
  void start(unsigned slot, const Launch& launch, uint64_t cycle);
  // Goes on to the end of this cycle, or to that in which a wavefront has ended.
  void run_until(uint64_t cycle);
  void take_finished(unsigned slot = 0) { slots_[slot].state = State::kIdle; }
  // Ends all wavefronts; memories keep what they hold.
  void reset();

  MemoryService& service() { return service_; }
  unsigned executing() const { return executing_; }  // slots
  bool stuck() const { return stuck_; }              // a wavefront executes, and will never end
  // Of the wavefront that is stuck, or of that in slot 0.
  unsigned stuck_slot() const { return stuck_slot_; }
  const Fault& fault() const { return slots_[stuck_slot_].wavefront.fault; }
  uint32_t pc() const { return slots_[stuck_slot_].wavefront.pc; }
  const std::vector<uint32_t>& code() const { return memories_->code(); }

  // Of the last or running wavefront of a slot.
  State state(unsigned slot = 0) const { return slots_[slot].state; }
  uint64_t end_cycle(unsigned slot = 0) const { return slots_[slot].end_cycle; }
  uint64_t instructions(unsigned slot = 0) const { return slots_[slot].instructions; }
  // Lanes of vector operations.
  uint64_t lane_instructions(unsigned slot = 0) const { return slots_[slot].lane_instructions; }
  const Words& words(unsigned slot = 0) const { return slots_[slot].words; }

 private:
  struct Slot {
    State state = State::kIdle;
    bool waits = false;  // at a barrier
    bool ended = false;  // s_endpgm was executed; the end is end_cycle
    uint64_t begin_cycle = 0;
    uint64_t end_cycle = 0;
    Launch launch;
    southern_islands::Wavefront wavefront;
    uint64_t instructions = 0;
    uint64_t lane_instructions = 0;
    Words words;

    bool runs() const { return state == State::kExecuting && !waits && !ended; }
  };
  // An instruction whose words the host serves.
  struct Pending {
    const southern_islands::Op* op = nullptr;  // null: there is none
    const OperationCost* cost = nullptr;
    unsigned slot = 0;
    uint64_t issued = 0;
    std::size_t next = 0;        // request
    uint64_t request_cycle = 0;  // its
    bool requested = false;
  };
  struct Choice {
    unsigned slot = 0;
    uint64_t cycle = Schedule::kNever;
  };

  const OperationCost& cost_of(const Slot& slot) const {
    return memories_->cost(slot.wavefront.pc);
  }
  Choice choose() const;
  void execute(unsigned number, uint64_t cycle);
  void execute_memory(unsigned number, const southern_islands::Op& op, const OperationCost& cost,
                      uint64_t cycle);
  void stick(unsigned number);
  void release_barrier(const Launch& group);
  void finish(uint64_t cycle);
  bool serve(uint64_t limit);
  void finish_access();
  void save_scalars(const Slot& slot);
  unsigned accessed_lanes(southern_islands::Mask exec) const;

  const Timing timing_;
  const bool rtl_quirks_;
  std::unique_ptr<Schedule> schedule_;
  std::shared_ptr<Memories> memories_;
  std::vector<uint32_t> scalars_;
  std::vector<southern_islands::Lanes> vectors_;
  std::vector<uint8_t> share_;

  std::vector<Slot> slots_;
  unsigned executing_ = 0;                 // slots
  unsigned last_ = 0;                      // slot that has issued last
  uint64_t first_end_ = Schedule::kNever;  // of those that have ended and are not finished
  bool stuck_ = false;
  unsigned stuck_slot_ = 0;
  HostPort port_;
  MemoryService service_;
  RtlMachine machine_;
  Pending pending_;
};

}  // namespace gvp::gpgpu::miaow
