// SPDX-License-Identifier: Apache-2.0
// gvp-cosim: looks for differences between two models of a GPGPU with random kernels and accesses.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>
#include <systemc>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/base/standard_streams.h"
#include "platform/systemc_reports.h"
#include "tools/console.h"
#include "tools/gvp-cosim/cosimulation.h"
#include "tools/gvp-cosim/request.h"
#include "tools/gvp-cosim/scenario_file.h"
#include "tools/gvp-cosim/shrink.h"
#include "tools/gvp-cosim/written_test.h"
#include "tools/simulator.h"

namespace {

using namespace gvp::cosim;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kMostCycles = 10'000'000;  // of a random kernel, which ends
constexpr uint64_t kMoreCycles = 10'000;      // than the one that it is made of

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// One line, on a terminal alone, a few times a second.
class Progress {
 public:
  void show(const std::string& text) {
    if (isatty(STDERR_FILENO) != 1 || seconds_since(last_) < 0.2) return;
    last_ = Clock::now();
    shown_ = true;
    std::cerr << "\r\x1b[K" << text << std::flush;
  }
  void hide() {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
    shown_ = false;
  }

 private:
  Clock::time_point last_;
  bool shown_ = false;
};

class Search {
 public:
  Search(const Request& request, Cosimulation& cosimulation)
      : request_(request), cosimulation_(cosimulation) {}

  // From a process.  Returns whether something differs.
  bool replay(const Scenario& scenario) {
    const Outcome outcome = cosimulation_.run(scenario, kMostCycles);
    if (outcome.kind == Outcome::Kind::kNoKernel)
      throw gvp::bad_input(outcome.text, {request_.replay});
    if (outcome.kind == Outcome::Kind::kEndless)
      throw gvp::model_error(fmt::format("{}: the kernel does not end", request_.replay));
    if (outcome.kind == Outcome::Kind::kDiffers)
      std::cout << fmt::format("{}: {}\n", request_.replay, outcome.text);
    else if (!request_.quiet)
      std::cerr << fmt::format("{}: {}: no difference\n", request_.comparison, request_.replay);
    return outcome.kind == Outcome::Kind::kDiffers;
  }

  bool run() {
    for (uint32_t seed = request_.seed; goes_on(); ++seed, ++runs_) {
      progress_.show(fmt::format("{} runs, seed {}", runs_, seed));
      const Scenario scenario = random_scenario(seed, !request_.loosely_timed);
      const Outcome outcome = cosimulation_.run(scenario, kMostCycles);
      if (outcome.kind == Outcome::Kind::kNoKernel)
        throw gvp::bad_input(fmt::format("seed {}: {}", seed, outcome.text));
      if (outcome.kind == Outcome::Kind::kAgrees) continue;
      progress_.hide();
      report(seed, scenario, outcome);
      return true;
    }
    progress_.hide();
    if (!request_.quiet)
      std::cerr << fmt::format("{}: {} runs from seed {}: {} kernels, {} accesses, no difference\n",
                               request_.comparison, runs_, request_.seed, cosimulation_.kernels(),
                               cosimulation_.accesses());
    return false;
  }

 private:
  bool goes_on() const {
    return (request_.count == 0 || runs_ < request_.count) &&
           (request_.seconds == 0 || seconds_since(begin_) < request_.seconds);
  }

  Scenario smaller(const Scenario& scenario, uint64_t cycles) {
    unsigned asked = 0;
    return shrink(scenario, [&](const Scenario& candidate) {
      progress_.show(fmt::format("shrinking: {} runs", ++asked));
      return cosimulation_.run(candidate, cycles + kMoreCycles).kind == Outcome::Kind::kDiffers;
    });
  }

  void report(uint32_t seed, const Scenario& scenario, const Outcome& found) {
    if (found.kind == Outcome::Kind::kEndless)
      throw gvp::model_error(fmt::format("seed {}: the kernel does not end", seed));
    std::cout << fmt::format("seed {}: {}\n", seed, found.text);
    const Scenario least = request_.shrink ? smaller(scenario, 2 * found.cycles) : scenario;
    progress_.hide();
    const Outcome again = cosimulation_.run(least, kMostCycles);
    const std::string name = fmt::format("cosim-{}", seed);
    const auto words =
        write_test(least, path_of(name), request_.comparison, request_.board_options, again.text);
    if (request_.shrink)
      std::cout << fmt::format("made smaller, {} lines: {}\n", least.lines.size(), again.text);
    if (least.accesses.empty() && least.launches == 1)
      std::cout << command_line(words) << '\n';
    else
      std::cout << command_line(replay_words(path_of(name) + ".txt")) << '\n';
  }

  std::string path_of(const std::string& name) const { return request_.output + '/' + name; }

  // The command line that does what is in a file again.
  std::vector<std::string> replay_words(const std::string& file) const {
    std::vector<std::string> words = {"gvp-cosim", "--models", request_.models};
    if (request_.cycles) words.emplace_back("--cycles");
    words.insert(words.end(), request_.board_options.begin(), request_.board_options.end());
    words.insert(words.end(), {"--replay", file});
    return words;
  }

  const Request& request_;
  Cosimulation& cosimulation_;
  Progress progress_;
  const Clock::time_point begin_ = Clock::now();
  uint64_t runs_ = 0;
};

int search(const Request& request) {
  gvp::survive_broken_pipes();
  gvp::Log::configure("off");  // random kernels fail, which the device would tell of
  gvp::platform::route_systemc_reports();
  std::optional<Scenario> scenario;
  if (!request.replay.empty())
    scenario = parse_scenario(gvp::tools::read_input(request.replay), request.replay);
  std::error_code error;
  if (!scenario) std::filesystem::create_directories(request.output, error);
  if (!scenario && !std::filesystem::is_directory(request.output))
    throw gvp::bad_input("this is no folder that tests can be written to", {request.output});
  Cosimulation cosimulation("cosim", request.configuration, request.device);
  bool differs = false;
  cosimulation.run([&] {
    Search search(request, cosimulation);
    differs = scenario ? search.replay(*scenario) : search.run();
  });
  return static_cast<int>(differs ? gvp::ExitCode::kModelError : gvp::ExitCode::kSuccess);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  return gvp::tools::run_simulator("gvp-cosim", argc, argv, parse_request, request_help, search);
}

int main(int argc, char* argv[]) { return gvp::tools::elaborate_and_simulate(argc, argv); }
