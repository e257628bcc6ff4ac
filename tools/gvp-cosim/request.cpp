// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/request.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <limits>
#include <sstream>

#include "models/base/error.h"
#include "models/compare/choice.h"
#include "platform/board_options.h"
#include "platform/configuration/keys.h"
#include "tools/console.h"

namespace gvp::cosim {
namespace {

namespace po = boost::program_options;

constexpr const char* kDefaultBoard = "gpgpu_only";
constexpr uint64_t kDefaultCount = 100;

constexpr const char* kUsage = R"(usage: gvp-cosim [options]

Runs random kernels and random accesses to registers and memories on two models
of a GPGPU, mostly its model and its RTL, and looks for what differs.  Each run
has a seed of its own, and goes the same way again by it.  What differs is made
as small as it can be and written as a test, FOLDER/cosim-SEED.asm, with the
command line of gpgpu-run that shows it; where it takes accesses, too, as
FOLDER/cosim-SEED.txt for --replay.
Exit code: 0 nothing differs, 125 something does, 126 bad input.

  gvp-cosim --count 10000
  gvp-cosim --models lt,rtl --time 600 --output found
  gvp-cosim --cycles --seed 17 --count 1
  gvp-cosim --replay found/cosim-3.txt

)";

po::options_description description() {
  po::options_description options("Options", 80);
  options.add_options()("help,h", "show this text")("version", "show the version")(
      "seed", po::value<std::string>()->value_name("N"),
      "of the first run (default 1); the others count on")(
      "count", po::value<std::string>()->value_name("N"),
      "end after so many runs; default 100, without --time")(
      "time", po::value<std::string>()->value_name("SECONDS"),
      "begin no more runs after so many seconds")(
      "models", po::value<std::string>()->value_name("A,B")->default_value("at,rtl"),
      "what is compared: lt, at, rtl[:NAME]; the first one answers on the bus")(
      "cycles", "compare when each row of each instruction leaves each stage, too")(
      "output", po::value<std::string>()->value_name("FOLDER")->default_value("."),
      "where the test of a difference is written")("no-shrink", "write it as it was found")(
      "replay", po::value<std::string>()->value_name("FILE"), "do what a cosim-SEED.txt has, once")(
      "quiet,q", "no summary");
  // Of --model and --compare there is no choice, --models has it.
  po::options_description board("Board", 80);
  platform::add_board_options(board, kDefaultBoard);
  for (const auto& option : board.options())
    if (const std::string& name = option->long_name();
        name != "model" && name != "compare" && name != "timing")
      options.add(option);
  return options;
}

double seconds_of(const std::string& text) {
  size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || !std::isfinite(value) || value <= 0)
    throw bad_input(fmt::format("\"{}\" is no time", text), {"--time"}, "seconds, such as 600");
  return value;
}

uint32_t seed_of(const std::string& text) {
  const bool digits = !text.empty() && text.size() <= 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoull(text) > std::numeric_limits<uint32_t>::max())
    throw bad_input(fmt::format("\"{}\" is no seed", text), {"--seed"},
                    "a whole number from 0 to 4294967295");
  return static_cast<uint32_t>(std::stoull(text));
}

// The GPGPU whose instructions this program knows.
std::string device_of(const platform::Configuration& configuration) {
  for (const device::Instance& device : configuration.devices)
    if (configuration.board().find(device.name)->type->name == "flexgrip") return device.name;
  throw bad_input(fmt::format("board {} has no flexgrip, whose instructions gvp-cosim knows",
                              configuration.board().name),
                  {configuration.board().source}, "choose another one: --board");
}

void set_configuration(const po::variables_map& values, Request& request) {
  // Kernels of little memory, from 0 on: comparing it takes time.
  const auto usual = [&](platform::Configuration& configuration) {
    for (const char* setting : {"null_page=false", "global_bytes=262144"})
      assign(configuration, device_of(configuration) + '.' + setting);
  };
  request.configuration = platform::begin_configuration(values, kDefaultBoard, usual);
  platform::Configuration& configuration = request.configuration;
  request.device = device_of(configuration);
  platform::apply_settings(values, configuration);
  const auto models = values["models"].as<std::string>();
  const std::string choice = models + (values.count("cycles") != 0 ? ",cycles" : "");
  const auto pair = compare::choice_of(compare::model_name(choice));
  if (!pair)
    throw bad_input(fmt::format("\"{}\" names no two models", models), {"--models"},
                    "such as at,rtl or lt,rtl");
  platform::set_key(configuration, request.device + ".model", compare::model_name(choice),
                    "--models");
  request.loosely_timed = pair->models[0] == "lt" || pair->models[1] == "lt";
  request.comparison = request.device + '=' + choice;
  request.models = models;
  request.cycles = values.count("cycles") != 0;
  for (const char* option : {"plugin", "board", "config"}) {
    if (values.count(option) == 0) continue;
    const bool many = std::string(option) == "plugin";
    for (const std::string& text :
         many ? platform::texts_of(values, option) : std::vector{platform::text_of(values, option)})
      request.board_options.insert(request.board_options.end(), {"--" + std::string(option), text});
  }
  if (values.count("config") == 0)
    for (const char* setting : {"null_page=false", "global_bytes=262144"})
      request.board_options.insert(request.board_options.end(),
                                   {"--set", request.device + '.' + setting});
  for (const std::string& setting : platform::texts_of(values, "set"))
    request.board_options.insert(request.board_options.end(), {"--set", setting});
}

}  // namespace

std::string request_help() {
  std::ostringstream text;
  text << kUsage << description();
  return text.str();
}

Request parse_request(int argc, const char* const argv[]) {
  const po::variables_map values = tools::parsed(argc, argv, description());
  Request request;
  if (values.count("help") != 0) request.action = Request::Action::kHelp;
  if (values.count("version") != 0) request.action = Request::Action::kVersion;
  if (request.action != Request::Action::kRun) return request;
  if (values.count("seed") != 0) request.seed = seed_of(values["seed"].as<std::string>());
  if (values.count("time") != 0) request.seconds = seconds_of(values["time"].as<std::string>());
  if (values.count("count") != 0)
    request.count = platform::parse_count(values["count"].as<std::string>(), "--count");
  else if (request.seconds == 0)
    request.count = kDefaultCount;
  if (values.count("replay") != 0) {
    for (const char* option : {"seed", "time", "count", "no-shrink"})
      if (values.count(option) != 0)
        throw bad_input(
            fmt::format("--{} is of random runs, and --replay does one of a file", option),
            {"command line"}, "leave out one of them");
    request.replay = values["replay"].as<std::string>();
    if (request.replay.empty()) throw bad_input("no file is named", {"--replay"});
  }
  request.output = values["output"].as<std::string>();
  request.shrink = values.count("no-shrink") == 0;
  request.quiet = values.count("quiet") != 0;
  set_configuration(values, request);
  return request;
}

}  // namespace gvp::cosim
