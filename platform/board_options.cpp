// SPDX-License-Identifier: Apache-2.0
#include "platform/board_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>

#include "models/base/error.h"
#include "models/compare/choice.h"
#include "platform/board/plugins.h"
#include "platform/configuration/keys.h"
#include "platform/configuration/toml.h"

namespace gvp::platform {
namespace {

namespace po = boost::program_options;
using Texts = std::vector<std::string>;

std::string blocks(const Configuration& configuration) {
  std::string text;
  for (const device::Instance& device : configuration.devices)
    if (!device.model.empty()) text += (text.empty() ? "" : ", ") + device.name;
  return text;
}

// Whether there is a choice for a device, this one among them.
bool has_model(const Configuration& configuration, const device::Instance& device,
               const std::string& model) {
  const Texts& models = configuration.board().find(device.name)->type->models;
  return std::find(models.begin(), models.end(), model) != models.end();
}

}  // namespace

void add_board_options(po::options_description& options, const char* default_board) {
  const std::string board = fmt::format(
      "the board: a built-in one (gpgpu-vp --list-boards) or a file; default {}", default_board);
  options.add_options()("board", po::value<std::string>()->value_name("NAME|FILE.toml"),
                        board.c_str())(
      "plugin", po::value<Texts>()->value_name("FILE.so")->composing(),
      "device types of somebody else's (docs/plugins.md); repeatable")(
      "config,c", po::value<std::string>()->value_name("FILE.toml"),
      "platform file; defaults are built in")(
      "set", po::value<Texts>()->value_name("KEY=VALUE")->composing(),
      "override one configuration key; repeatable")(
      "timing", po::value<std::string>()->value_name("lt|at"),
      "loosely or approximately timed models, for all blocks")(
      "model", po::value<Texts>()->value_name("BLOCK=lt|at|rtl[:NAME]")->composing(),
      "variant of one device of the board, such as gpgpu=at; repeatable")(
      "compare", po::value<Texts>()->value_name("BLOCK=A,B[,cycles]")->composing(),
      "run two variants of a device on the same stimulus and end with exit code 125 where they "
      "differ, such as gpgpu=at,rtl; the first one stands on the bus");
}

Configuration begin_configuration(const OptionValues& values, const char* default_board,
                                  const std::function<void(Configuration&)>& adjust) {
  for (const std::string& plugin : texts_of(values, "plugin")) load_plugin(plugin);
  const bool chosen = values.count("board") != 0;
  const bool has_file = values.count("config") != 0;
  Configuration configuration = chosen     ? Configuration(load_board(text_of(values, "board")))
                                : has_file ? Configuration()
                                           : Configuration(load_board(default_board));
  if (adjust) adjust(configuration);
  if (!has_file) return configuration;
  const std::string before = configuration.board().source;
  read_file(configuration, text_of(values, "config"),
            chosen ? BoardChoice::kKeep : BoardChoice::kFromFile);
  // A file that names a board has begun with that board's own configuration.
  if (adjust && configuration.board().source != before) adjust(configuration);
  return configuration;
}

void apply_settings(const OptionValues& values, Configuration& configuration) {
  for (const std::string& assignment : texts_of(values, "set")) assign(configuration, assignment);
}

void apply_timing(const OptionValues& values, Configuration& configuration) {
  if (values.count("timing") == 0) return;
  const std::string timing = text_of(values, "timing");
  if (timing != "lt" && timing != "at")
    throw bad_input(fmt::format("unknown timing \"{}\"", timing), {"--timing"}, "lt or at");
  for (const device::Instance& device : configuration.devices)
    if (has_model(configuration, device, timing))
      set_key(configuration, device.name + ".model", timing, "--timing");
}

void apply_models(const OptionValues& values, Configuration& configuration,
                  const std::string& only_model) {
  for (const std::string& choice : texts_of(values, "model")) {
    const size_t equals = choice.find('=');
    const bool alone = equals == std::string::npos;
    const std::string block = alone ? only_model : choice.substr(0, equals);
    if (block.empty() || find_key(configuration, block + ".model") == nullptr)
      throw bad_input(fmt::format("\"{}\" names no block and variant", choice), {"--model"},
                      fmt::format("write --model BLOCK=VARIANT; blocks are {}; variants lt, at, "
                                  "rtl[:NAME]",
                                  blocks(configuration)));
    set_key(configuration, block + ".model", alone ? choice : choice.substr(equals + 1), "--model");
  }
}

void apply_comparisons(const OptionValues& values, Configuration& configuration) {
  for (const std::string& choice : texts_of(values, "compare")) {
    const size_t equals = choice.find('=');
    const std::string block = choice.substr(0, equals);
    const std::string model =
        equals == std::string::npos ? "" : compare::model_name(choice.substr(equals + 1));
    if (find_key(configuration, block + ".model") == nullptr || !compare::choice_of(model))
      throw bad_input(
          fmt::format("\"{}\" names no block and two variants", choice), {"--compare"},
          fmt::format("write --compare BLOCK=A,B or --compare BLOCK=A,B,cycles, such as "
                      "gpgpu=at,rtl; blocks are {}",
                      blocks(configuration)));
    set_key(configuration, block + ".model", model, "--compare");
  }
}

void set_key(Configuration& configuration, const std::string& key, const Value& value,
             const std::string& option) {
  const Key* found = find_key(configuration, key);
  if (found == nullptr) refuse_unknown_key(configuration, key, {option});
  assign(configuration, *found, value, {option});
}

uint64_t parse_count(const std::string& text, const std::string& option) {
  const bool digits = !text.empty() && text.size() <= 18 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoull(text) == 0)
    throw bad_input(fmt::format("\"{}\" is not a count", text), {option},
                    "a whole number from 1 to 999999999999999999");
  return std::stoull(text);
}

std::string text_of(const OptionValues& values, const char* option) {
  return values.count(option) != 0 ? values[option].as<std::string>() : std::string();
}

Texts texts_of(const OptionValues& values, const char* option) {
  return values.count(option) != 0 ? values[option].as<Texts>() : Texts();
}

}  // namespace gvp::platform
