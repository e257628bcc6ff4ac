// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "models/gpgpu/g80/disassembler.h"
#include "tools/gvp-cosim/random_instructions.h"
#include "tools/gvp-cosim/random_kernel.h"

namespace gvp::cosim {
namespace {

constexpr uint32_t kConstantWords = 16;
constexpr uint32_t kDataWords = 0x400;  // what random kernels load from

void set_launch(Scenario& scenario, const gpgpu::flexgrip::Kernel& kernel) {
  scenario.directives = {".kernel random", fmt::format(".regs {}", kernel.registers_per_thread)};
  if (kernel.shared_static_bytes != 0)
    scenario.directives.push_back(fmt::format(".shared {}", kernel.shared_static_bytes));
  scenario.grid = {kernel.grid_x, kernel.grid_y};
  scenario.block = {kernel.block_x, kernel.block_y, kernel.block_z};
  scenario.blocks_per_sm = kernel.blocks_per_core;
}

// Loops, branches, calls, barriers.
void take_kernel(Scenario& scenario, std::mt19937& random) {
  const bool floats = random() % 2 == 0;
  const RandomKernel kernel = random_kernel(static_cast<uint32_t>(random()), floats, Size::kSmall);
  set_launch(scenario, kernel.launch);
  for (const std::string& line : kernel.lines)
    scenario.lines.push_back(line + (line.back() == ':' ? "" : ";"));
  for (uint32_t i = 0; i < kernel.launch.parameter_count; ++i)
    scenario.parameters.push_back(static_cast<uint32_t>(random()));
  for (uint32_t i = 0; i < kDataWords; ++i)
    scenario.data.push_back(static_cast<uint32_t>(random()));
}

// Words of instructions in which everything that is open is random.
void take_words(Scenario& scenario, const Subject& subject) {
  set_launch(scenario, subject.kernel);
  scenario.directives.emplace_back(".noalign");
  for (const auto& line : gpgpu::g80::disassemble(subject.code.data(), subject.code.size()))
    scenario.lines.push_back(line.text);
  scenario.data.assign(kWordsAt / sizeof(uint32_t), 0);
  scenario.data.insert(scenario.data.end(), subject.words.begin(), subject.words.end());
}

}  // namespace

Scenario random_scenario(uint32_t seed, bool clocks) {
  std::mt19937 random(seed);
  Scenario scenario;
  const auto of = static_cast<uint32_t>(random());
  switch (random() % 4) {
    case 0:
      take_words(scenario, random_instructions(of, Kind::kAll));
      break;
    case 1:
      take_words(scenario, random_instructions(of, Kind::kFloats));
      break;
    default:
      take_kernel(scenario, random);
  }
  for (uint32_t i = 0; i < kConstantWords; ++i)
    scenario.constants.push_back(static_cast<uint32_t>(random()));
  scenario.accesses = random_accesses(random);
  scenario.launches = random() % 4 == 0 ? 2 : 1;
  const auto reads_clock = [](const std::string& line) {
    return line.find("SR_CLOCK") != std::string::npos;
  };
  if (!clocks)
    scenario.lines.erase(std::remove_if(scenario.lines.begin(), scenario.lines.end(), reads_clock),
                         scenario.lines.end());
  return scenario;
}

std::string source_of(const Scenario& scenario) {
  std::string text;
  for (const std::string& line : scenario.directives) text += line + '\n';
  for (const std::string& line : scenario.lines) text += line + '\n';
  return text + "RET;\n";
}

device::LaunchRequest launch_of(const Scenario& scenario, const std::string& file) {
  device::LaunchRequest request;
  request.file = file;
  request.assembly = source_of(scenario);
  request.grid = scenario.grid;
  request.block = scenario.block;
  request.blocks_per_sm = scenario.blocks_per_sm;
  request.parameters = scenario.parameters;
  if (!scenario.constants.empty()) request.constants.push_back({1, 0, scenario.constants});
  request.any_register = true;
  return request;
}

}  // namespace gvp::cosim
