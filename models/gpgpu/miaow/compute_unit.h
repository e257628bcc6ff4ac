// SPDX-License-Identifier: Apache-2.0
// MIAOW2.0's compute unit with one wavefront: register files, local data share, instruction and
// prefetch memory, which it may share with others, and the state machine of its AXI slave (idle,
// executing, finished).  It follows time on demand: run_until() executes whatever has been issued
// by then.  Since it has no bus port and no interrupt, nobody can tell the difference.  Cycles are
// those of its clock from the wavefront's start.  No SystemC.
//
// A wavefront that a fault stops never ends, as on hardware, whose registers could not tell;
// fault() says why.  Barriers hold nobody up: there is one wavefront. Not modelled: what one word
// of prefetch memory after the other does to MEMORY_STATE; stores of the host's memory that also
// write prefetch memory, as the RTL's do; which accesses of an instruction to both memories come
// first (here those to prefetch memory).
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

// What the registers say of the wavefront that starts.
struct Launch {
  uint32_t pc = 0;
  uint32_t base_vector = 0;
  uint32_t base_scalar = 0;
  uint32_t base_share = 0;
  uint32_t lanes = 1;
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

  // memories: shared with other units; null: its own.
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

  State state() const { return state_; }
  // When idle; cycle 0 begins.
  void start(const Launch& launch);
  // Goes on to the end of this cycle.
  void run_until(uint64_t cycle);
  void take_finished() { state_ = State::kIdle; }
  // Ends a wavefront; memories keep what they hold.
  void reset();

  MemoryService& service() { return service_; }
  uint32_t pc() const { return wavefront_.pc; }
  uint64_t end_cycle() const { return end_cycle_; }  // of the last wavefront that ended
  const Fault& fault() const { return wavefront_.fault; }
  bool stuck() const { return stuck_; }  // it executes, and will never end
  const std::vector<uint32_t>& code() const { return memories_->code(); }
  // Of the last or running wavefront.
  uint64_t instructions() const { return instructions_; }
  uint64_t lane_instructions() const { return lane_instructions_; }  // vector operations' lanes
  const Words& words() const { return words_; }

 private:
  // An instruction whose words the host serves.
  struct Pending {
    const southern_islands::Op* op = nullptr;  // null: there is none
    const OperationCost* cost = nullptr;
    uint64_t issued = 0;
    std::size_t next = 0;        // request
    uint64_t request_cycle = 0;  // its
    bool requested = false;
  };

  void execute(const southern_islands::Op& op, const OperationCost& cost, uint64_t cycle);
  void execute_memory(const southern_islands::Op& op, const OperationCost& cost, uint64_t cycle);
  bool serve(uint64_t limit);
  void finish_access();
  void save_scalars();
  unsigned accessed_lanes(southern_islands::Mask exec) const;

  const Timing timing_;
  const bool rtl_quirks_;
  std::unique_ptr<Schedule> schedule_;
  std::shared_ptr<Memories> memories_;
  std::vector<uint32_t> scalars_;
  std::vector<southern_islands::Lanes> vectors_;
  std::vector<uint8_t> share_;

  State state_ = State::kIdle;
  bool stuck_ = false;
  bool ended_ = false;  // s_endpgm was executed; the end is end_cycle_
  uint64_t end_cycle_ = 0;
  Launch launch_;
  HostPort port_;
  MemoryService service_;
  RtlMachine machine_;
  southern_islands::Wavefront wavefront_;
  Pending pending_;
  uint64_t instructions_ = 0;
  uint64_t lane_instructions_ = 0;
  Words words_;
};

}  // namespace gvp::gpgpu::miaow
