// SPDX-License-Identifier: Apache-2.0
#include "fidelity/microbenchmarks.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fidelity/csv.h"
#include "models/base/error.h"
#include "models/gpgpu/flexgrip/timing/kernel_timeline.h"

namespace gvp::fidelity {
namespace {

namespace flexgrip = gpgpu::flexgrip;
namespace g80 = gpgpu::g80;

constexpr uint32_t kGlobalBytes = 256 * 1024;  // of the RTL
constexpr uint32_t kInitialisedWords = 4096;   // word i holds i
constexpr uint32_t kConstantBytes = 8 * 1024;
constexpr uint32_t kInitialisedConstants = 32;  // byte i holds i

std::vector<uint32_t> read_hex(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw bad_input("cannot read the code", {path});
  std::vector<uint32_t> words;
  std::string line;
  while (std::getline(file, line))
    if (!line.empty() && line[0] != '#')
      words.push_back(static_cast<uint32_t>(std::stoul(line, nullptr, 16)));
  return words;
}

// "64x1x1": the numbers between the x.
std::vector<uint32_t> extents(const std::string& text) {
  std::vector<uint32_t> numbers;
  std::istringstream stream(text);
  std::string part;
  while (std::getline(stream, part, 'x'))
    numbers.push_back(static_cast<uint32_t>(std::stoul(part)));
  return numbers;
}

flexgrip::Kernel read_kernel(const Csv& csv, size_t row) {
  flexgrip::Kernel kernel;
  const std::vector<uint32_t> block = extents(csv.cell(row, "block"));
  const std::vector<uint32_t> grid = extents(csv.cell(row, "grid"));
  kernel.block_x = block.at(0);
  kernel.block_y = block.at(1);
  kernel.block_z = block.at(2);
  kernel.grid_x = grid.at(0);
  kernel.grid_y = grid.at(1);
  kernel.blocks_per_core = static_cast<uint32_t>(csv.number(row, "blocks_per_sm"));
  kernel.registers_per_thread = static_cast<uint32_t>(csv.number(row, "regs"));
  kernel.shared_static_bytes = static_cast<uint32_t>(csv.number(row, "static_shared_bytes"));
  std::istringstream parameters(csv.cell(row, "params"));
  std::string word;
  while (parameters >> word)
    kernel.parameters.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
  kernel.parameter_count = static_cast<uint32_t>(kernel.parameters.size());
  return kernel;
}

std::vector<IssuedRow> read_stages(const std::string& path) {
  const Csv csv(path);
  std::vector<IssuedRow> rows(csv.rows());
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto at = [&](const char* column) {
      return static_cast<uint64_t>(csv.number(i, column));
    };
    rows[i] = {static_cast<uint32_t>(at("warp")),
               static_cast<uint32_t>(at("row")),
               static_cast<uint32_t>(std::stoul(csv.cell(i, "pc"), nullptr, 16)),
               at("issue"),
               at("fetch"),
               at("decode"),
               at("read"),
               at("execute"),
               at("write")};
  }
  return rows;
}

class Recorder : public gpgpu::Observer {
 public:
  explicit Recorder(std::vector<IssuedRow>& rows) : rows_(rows) {}

  unsigned wants() const override { return kStages; }
  void stages(const gpgpu::StageEvent& e) override {
    if (rows_.empty()) first_ = e.issue;
    rows_.push_back({e.place.slot, e.row, static_cast<uint32_t>(e.pc), e.issue - first_,
                     e.left[0] - first_, e.left[1] - first_, e.left[2] - first_, e.left[3] - first_,
                     e.left[4] - first_});
  }

 private:
  std::vector<IssuedRow>& rows_;
  uint64_t first_ = 0;
};

// The memories as the reference had them.
struct Memories {
  std::vector<uint8_t> global = std::vector<uint8_t>(kGlobalBytes);
  std::vector<uint8_t> constants = std::vector<uint8_t>(kConstantBytes);

  explicit Memories(g80::Machine& machine) {
    for (uint32_t i = 0; i < kInitialisedWords; ++i) std::memcpy(&global[4 * i], &i, sizeof i);
    for (uint32_t i = 0; i < kInitialisedConstants; ++i) constants[i] = static_cast<uint8_t>(i);
    machine.global.data = global.data();
    machine.global.bytes = kGlobalBytes;
    machine.wrap_global = true;
    machine.constants = constants.data();
    machine.constant_bytes = kConstantBytes;
    machine.banks.fill({0, kConstantBytes});
  }
};

std::string text(const IssuedRow& r) {
  return fmt::format("warp {} row {} pc {:#06x}: {} {} {} {} {} {}", r.warp, r.row, r.pc, r.issue,
                     r.fetch, r.decode, r.read, r.execute, r.write);
}

}  // namespace

std::vector<Microbenchmark> read_microbenchmarks(const std::string& folder) {
  const Csv csv(folder + "/cycles.csv");
  std::vector<Microbenchmark> benchmarks(csv.rows());
  for (size_t i = 0; i < benchmarks.size(); ++i) {
    Microbenchmark& b = benchmarks[i];
    b.name = csv.cell(i, "name");
    b.what = csv.cell(i, "what");
    b.source = csv.cell(i, "source");
    b.sps = static_cast<unsigned>(csv.number(i, "sps"));
    b.rtl_bug = csv.cell(i, "rtl_bug") == "yes";
    b.cycles = static_cast<uint64_t>(csv.number(i, "kernel_cycles"));
    b.kernel = read_kernel(csv, i);
    b.code = read_hex(folder + '/' + b.name + ".hex");
    const std::string stages = fmt::format("{}/{}_sp{}_stages.csv", folder, b.name, b.sps);
    if (std::filesystem::exists(stages)) b.stages = read_stages(stages);
  }
  return benchmarks;
}

MicrobenchmarkRun run(const Microbenchmark& benchmark) {
  MicrobenchmarkRun result;
  Recorder recorder(result.rows);
  flexgrip::Configuration configuration;
  configuration.sps = benchmark.sps;
  configuration.partial_warps = "full";  // as that RTL
  gpgpu::Observers observers;
  observers.add(recorder);
  const flexgrip::Observation observation{observers, {}};
  g80::Machine machine;
  const Memories memories(machine);
  const g80::Program program(benchmark.code.data(), benchmark.code.size(),
                             benchmark.kernel.registers_per_thread, machine);
  flexgrip::timing::KernelTimeline timeline(
      configuration, {benchmark.kernel, admit(benchmark.kernel, configuration).blocks_per_sm,
                      program, machine, &observation});
  while (!timeline.done()) timeline.step();
  result.completed = timeline.failure() == flexgrip::timing::SmTimeline::Result::kGoesOn;
  result.cycles = timeline.end();
  result.warp_instructions = timeline.counters().warp_instructions;
  result.profiles = timeline.take_profiles();
  return result;
}

std::string first_difference(const std::vector<IssuedRow>& ours,
                             const std::vector<IssuedRow>& reference) {
  for (size_t i = 0; i < std::min(ours.size(), reference.size()); ++i)
    if (text(ours[i]) != text(reference[i]))
      return fmt::format("{} (reference: {})", text(ours[i]), text(reference[i]));
  if (ours.size() != reference.size())
    return fmt::format("{} rows (reference: {})", ours.size(), reference.size());
  return "";
}

}  // namespace gvp::fidelity
