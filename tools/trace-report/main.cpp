// SPDX-License-Identifier: Apache-2.0
// trace-report: what a run's trace and statistics say, as one HTML page, JSON or tables.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/files.h"
#include "tools/console.h"
#include "tools/trace-report/differences.h"
#include "tools/trace-report/page.h"
#include "tools/trace-report/run.h"
#include "tools/trace-report/text.h"

namespace {

namespace po = boost::program_options;
using namespace gvp::trace_report;

constexpr const char* kHelp =
    "usage: trace-report [options] TRACE|STATISTICS ... [--compare TRACE|STATISTICS ...]\n\n"
    "Makes one self-contained HTML page of a run: its trace (gpgpu-vp --trace FILE.db, .csv or\n"
    ".pftrace), its statistics (gpgpu-vp --stats FILE.json or .csv), or one of each; with\n"
    "--compare, of two runs.  Exit code 0, or 126 when an input or the command line is at "
    "fault.\n\n";

int run(int argc, char** argv) {
  using Files = std::vector<std::string>;
  po::options_description options = gvp::tools::common_options();
  options.add_options()(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "where to write; \"-\" is standard output (default: the page beside the first input, "
      "FILE.html; JSON and tables to standard output)")(
      "compare", po::value<Files>()->multitoken()->value_name("FILE..."),
      "trace, statistics or both of a second run")(
      "kernel", po::value<std::string>()->default_value("")->value_name("NAME[:N]"),
      "whose warps to show: the longest launch of this kernel, or its N-th (default: the longest "
      "of all); of two runs, one must have it")(
      "title", po::value<std::string>()->value_name("TEXT"), "of the page")(
      "json", "JSON instead of a page")("text", "tables instead of a page");
  const auto parsed =
      gvp::tools::parse_command_line(argc, argv, "trace-report", kHelp, options, true);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0)
    throw gvp::bad_input("no trace and no statistics to report on", {},
                         "trace-report FILE.db; --help explains");
  const bool as_json = values.count("json") != 0, as_text = values.count("text") != 0;
  if (as_json && as_text) throw gvp::bad_input("--json and --text exclude each other");

  const Files first = values["input"].as<Files>();
  const Files second = values.count("compare") != 0 ? values["compare"].as<Files>() : Files{};
  std::string output =
      as_json || as_text ? "-"
                         : std::filesystem::path(first.front()).replace_extension("html").string();
  if (values.count("output") != 0) output = values["output"].as<std::string>();
  std::vector<gvp::FileUse> inputs;
  for (const std::string& path : first) inputs.push_back({"the input", path});
  for (const std::string& path : second) inputs.push_back({"--compare", path});
  gvp::check_file_uses(inputs, {{"--output", output}});

  const std::string chosen = values["kernel"].as<std::string>();
  const KernelChoice kernel = parse_kernel_choice(chosen);
  nlohmann::json report = {{"format", 1}, {"version", GVP_VERSION}};
  report["runs"].push_back(analyse_run(first, kernel));
  if (!second.empty()) {
    report["runs"].push_back(analyse_run(second, kernel));
    report["differences"] = differences(report["runs"][0], report["runs"][1]);
  }
  check_kernel(report["runs"], chosen);
  if (!chosen.empty()) report["kernel"] = chosen;
  if (as_text) {
    gvp::tools::write_output(output, to_text(report));
  } else if (as_json) {
    gvp::tools::write_output(
        output, report.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  } else {
    const std::string title = values.count("title") != 0
                                  ? values["title"].as<std::string>()
                                  : std::filesystem::path(first.front()).filename().string();
    gvp::tools::write_output(output, to_page(report, title));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("trace-report", [&] { return run(argc, argv); });
}
