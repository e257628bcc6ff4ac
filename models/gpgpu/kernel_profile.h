// SPDX-License-Identifier: Apache-2.0
// Where a kernel's time went and what it did: each clock cycle of each SM in exactly one class, the
// instructions by the unit that executed them, the accesses by memory.  A device fills it in from
// its own counters; docs/statistics.md says what each class means for which timing model.  Units:
// clock cycles of the device, bytes.  No SystemC.
//
// Not here: single instructions (instruction_profile.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

namespace gvp::gpgpu {

// What an SM did in a clock cycle, or what it waited for.
enum class CycleClass : uint8_t {
  kIssue,  // a row of a warp was issued with at least one active lane
  kFetch,  // a stage of the pipeline, at what is none of the following
  kDecode,
  kRead,
  kExecute,
  kWrite,
  kGlobal,  // accesses to memories
  kShared,
  kConstant,
  kLocal,
  kLatency,  // all warps wait for their instructions, in no stage in particular
  kBarrier,
  kDivergence,         // rows without an active lane, the reconvergence stack
  kSchedule,           // the warp scheduler has not come to a warp that could go on
  kNoWarp,             // warps of the batch have ended
  kConfiguration,      // of blocks of this SM
  kConfigurationWait,  // the block scheduler configures another SM
  kLaunch,             // start and end of the kernel, and between batches
  kNoBlocks,           // this SM has none (left), others do
};
inline constexpr std::array<std::string_view, 19> kCycleClassNames = {"issue",
                                                                      "fetch",
                                                                      "decode",
                                                                      "read",
                                                                      "execute",
                                                                      "write",
                                                                      "global",
                                                                      "shared",
                                                                      "constant",
                                                                      "local",
                                                                      "latency",
                                                                      "barrier",
                                                                      "divergence",
                                                                      "schedule",
                                                                      "no_warp",
                                                                      "configuration",
                                                                      "configuration_wait",
                                                                      "launch",
                                                                      "no_blocks"};

class CycleClasses {
 public:
  uint64_t& operator[](CycleClass which) { return cycles_[static_cast<size_t>(which)]; }
  uint64_t operator[](CycleClass which) const { return cycles_[static_cast<size_t>(which)]; }
  void add(const CycleClasses& more, uint64_t times = 1) {
    for (size_t i = 0; i < cycles_.size(); ++i) cycles_[i] += times * more.cycles_[i];
  }
  uint64_t sum() const;
  auto begin() { return cycles_.begin(); }
  auto end() { return cycles_.end(); }
  nlohmann::ordered_json to_json() const;

 private:
  std::array<uint64_t, kCycleClassNames.size()> cycles_{};
};

// The unit that executes an instruction.
enum class InstructionKind : uint8_t {
  kMove,
  kMemory,
  kInteger,
  kMultiply,
  kConversion,
  kFloat,
  kSpecial,
  kControl
};
inline constexpr std::array<std::string_view, 8> kInstructionKindNames = {
    "move", "memory", "integer", "multiply", "conversion", "float", "special", "control"};

// Parameters: where a launch puts them, be it in another memory.
enum class AccessSpace : uint8_t { kGlobal, kShared, kConstant, kLocal, kParameters };
inline constexpr std::array<std::string_view, 5> kAccessSpaceNames = {
    "global", "shared", "constant", "local", "parameters"};

struct AccessCounters {
  uint64_t reads = 0;  // transactions, as the memory serves them
  uint64_t writes = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
};

// Of one SM, or added up.
struct SmProfile {
  CycleClasses cycles;
  uint64_t warp_instructions = 0;
  uint64_t active_lanes = 0;      // summed over warp instructions
  uint64_t executed_lanes = 0;    // of these, where the predicate held
  uint64_t executing_cycles = 0;  // from the configuration of each batch to its end
  uint64_t warp_cycles = 0;       // summed over warps: from its batch's configuration to its end
  std::array<uint64_t, kInstructionKindNames.size()> instructions{};  // of warps, by kind
  std::array<AccessCounters, kAccessSpaceNames.size()> memory{};

  void add(const SmProfile& more);
};

struct KernelProfile {
  uint32_t lanes = 0;         // of a warp
  uint32_t warps_per_sm = 0;  // at most
  std::vector<SmProfile> sms;

  SmProfile total() const;
};

// "cycles_by_class", "simd_efficiency", "occupancy", "instructions", "memory"...
nlohmann::ordered_json to_json(const SmProfile& profile, uint32_t lanes, uint32_t warps_per_sm);

}  // namespace gvp::gpgpu
