// SPDX-License-Identifier: Apache-2.0
// What the small command-line tools share: one place that turns errors into text and exit code,
// command lines, files or "-" for the standard streams, colours only where somebody sees them.
#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gvp::tools {

// Runs a tool's main part.  gvp::Error becomes "NAME: error: ..." on stderr and its exit code; a
// wrong command line 126; anything else 125.
int run_guarded(std::string_view name, const std::function<int()>& body);

// --help and --version; a tool adds its own.
boost::program_options::options_description common_options();
// What a command line says.  Options are taken in full only: what is no option today may be one
// tomorrow.  Throws program_options::error.
boost::program_options::variables_map parsed(
    int argc, const char* const argv[], const boost::program_options::options_description& options,
    const boost::program_options::positional_options_description& positional = {});
// The command line of a tool that takes one argument that is no option, values["input"], a text, or
// many: then it is a vector of texts.  Nothing where --help (these words, then the options) or
// --version has been answered.  Throws program_options::error.
std::optional<boost::program_options::variables_map> parse_command_line(
    int argc, char** argv, std::string_view name, std::string_view help,
    const boost::program_options::options_description& options, bool many = false);

bool stdout_has_colours();  // a terminal, TERM is not "dumb" and NO_COLOR is not set
bool stderr_has_colours();

std::string read_input(const std::string& path);
void write_output(const std::string& path, std::string_view contents);

}  // namespace gvp::tools
