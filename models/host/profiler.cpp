// SPDX-License-Identifier: Apache-2.0
#include "models/host/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gvp::host {

std::string Profiler::name(uint32_t start) const {
  std::string text;
  uint32_t first = 0;
  if (symbols_.function && symbols_.function(start, text, first)) return text;
  return fmt::format("{:#010x}", start);
}

void Profiler::sample(const State& state, uint64_t cycles) {
  stack_.clear();
  for (const Unwinder::Frame& frame : unwinder_.walk(state)) stack_.push_back(frame.start);
  cycles_[stack_] += cycles;
  ++samples_;
}

void Profiler::write_folded(std::ostream& stream) const {
  for (const auto& [frames, cycles] : cycles_) {
    std::string line;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      line += (line.empty() ? "" : ";") + name(*frame);
    stream << line << ' ' << cycles << '\n';
  }
}

void Profiler::write_table(std::ostream& stream) const {
  std::map<uint32_t, std::pair<uint64_t, uint64_t>> functions;  // itself, with callees
  uint64_t total = 0;
  for (const auto& [frames, cycles] : cycles_) {
    total += cycles;
    functions[frames.front()].first += cycles;
    for (const uint32_t function : std::set<uint32_t>(frames.begin(), frames.end()))
      functions[function].second += cycles;
  }
  std::vector<std::pair<uint32_t, std::pair<uint64_t, uint64_t>>> rows(functions.begin(),
                                                                       functions.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  stream << fmt::format("{:>14} {:>6} {:>14} {:>6}  function\n", "cycles", "%", "with callees",
                        "%");
  const double percent = total == 0 ? 0 : 100.0 / static_cast<double>(total);
  for (const auto& [function, counts] : rows)
    stream << fmt::format("{:>14} {:>6.2f} {:>14} {:>6.2f}  {}\n", counts.first,
                          static_cast<double>(counts.first) * percent, counts.second,
                          static_cast<double>(counts.second) * percent, name(function));
}

}  // namespace gvp::host
