// SPDX-License-Identifier: Apache-2.0
// The command-line options that choose a board and configure it, the same for every program that
// builds one: --board, --plugin, --config, --set, --timing, --model, --compare.  Which of them goes
// before which is the program's choice: it applies them one after the other.  No SystemC.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/configuration/configuration.h"

namespace gvp::platform {

using OptionValues = boost::program_options::variables_map;

// default_board: what the help names.
void add_board_options(boost::program_options::options_description& options,
                       const char* default_board);

// Loads the plug-ins and begins with the board: that of --board, else that of the platform file,
// else ml605 where there is such a file, else default_board.  Then applies the platform file.
// adjust: makes the program's defaults of the board's, before the file.
Configuration begin_configuration(const OptionValues& values, const char* default_board,
                                  const std::function<void(Configuration&)>& adjust = {});
// Each throws Error (bad input).
void apply_settings(const OptionValues& values, Configuration& configuration);  // --set
void apply_timing(const OptionValues& values, Configuration& configuration);    // --timing
// --model BLOCK=MODEL; MODEL alone is of the device only_model, where that is not "".
void apply_models(const OptionValues& values, Configuration& configuration,
                  const std::string& only_model = "");

// --compare BLOCK=A,B[,cycles]
void apply_comparisons(const OptionValues& values, Configuration& configuration);

// Sets a key as an option of another name does.
void set_key(Configuration& configuration, const std::string& key, const device::Value& value,
             const std::string& option);
// "" is not a count, nor is 0; throws Error (bad input) naming the option.
uint64_t parse_count(const std::string& text, const std::string& option);
// "" and {} where it is not given.
std::string text_of(const OptionValues& values, const char* option);
std::vector<std::string> texts_of(const OptionValues& values, const char* option);

}  // namespace gvp::platform
