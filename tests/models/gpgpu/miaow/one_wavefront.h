// SPDX-License-Identifier: Apache-2.0
// A compute unit that runs one wavefront of assembly code, for tests without a bus.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/gpgpu/miaow/compute_unit.h"
#include "models/gpgpu/southern_islands/assembler.h"

namespace gvp::gpgpu::miaow {

enum class Model { kLt, kAt };

inline std::unique_ptr<Schedule> schedule_of(Model model, const Configuration& configuration) {
  const Configuration& c = configuration;
  return model == Model::kLt
             ? make_serial_schedule(c.timing, c.wavefronts)
             : make_scoreboard_schedule(c.timing, c.integer_units, c.float_units, c.wavefronts);
}

class OneWavefront {
 public:
  explicit OneWavefront(Model model, const Configuration& configuration = {})
      : unit(configuration, schedule_of(model, configuration)) {}

  void load(const std::vector<uint32_t>& words) {
    ASSERT_LE(words.size(), kInstructionWords);
    for (uint32_t i = 0; i < words.size(); ++i) unit.set_instruction(i, words[i]);
  }
  void load(const std::string& source) { load(southern_islands::assemble(source, "test").words); }

  // Runs to the end, without a host; the cycles.
  uint64_t run(const Launch& launch = {}) {
    unit.start(launch);
    unit.run_until(10'000'000);
    EXPECT_EQ(unit.state(), ComputeUnit::State::kFinished) << text_of(unit.fault().cause);
    unit.take_finished();
    return unit.end_cycle();
  }

  ComputeUnit unit;
};

// What the published programs' host puts before every kernel.
inline const std::string kAllLanes = "s_mov_b32 exec_lo, -1\ns_mov_b32 exec_hi, -1\n";

}  // namespace gvp::gpgpu::miaow
