// SPDX-License-Identifier: Apache-2.0
#include "platform/trace_options.h"

#include <fmt/format.h>

#include <boost/program_options/value_semantic.hpp>
#include <string>

#include "models/base/error.h"
#include "platform/board_options.h"

namespace gvp::platform {

namespace po = boost::program_options;

void add_trace_options(po::options_description& options) {
  options.add_options()(
      "trace", po::value<std::vector<std::string>>()->value_name("FILE[:FILTER]")->composing(),
      "record transactions, kernels and more in a .pftrace, .csv, .txt, .db, .fst or .vcd "
      "(docs/tracing.md); "
      "repeatable")("trace-ring", po::value<std::string>()->value_name("N"),
                    "keep the latest N transactions, and show them when a run goes wrong");
}

TraceSettings trace_settings(const po::variables_map& values, const Configuration& configuration) {
  constexpr uint64_t kLargestRing = 10000000;
  TraceSettings settings;
  for (const TraceText& each : configuration.traces)
    settings.files.push_back(trace::parse_specification(each.text, each.where));
  for (const std::string& text : texts_of(values, "trace"))
    settings.files.push_back(trace::parse_specification(text, {"--trace", 1, 1}));
  if (values.count("trace-ring") == 0) return settings;
  const uint64_t ring = parse_count(text_of(values, "trace-ring"), "--trace-ring");
  if (ring > kLargestRing)
    throw bad_input(fmt::format("{} transactions are too many to keep", ring), {"--trace-ring"},
                    fmt::format("at most {}", kLargestRing));
  settings.ring = ring;
  return settings;
}

}  // namespace gvp::platform
