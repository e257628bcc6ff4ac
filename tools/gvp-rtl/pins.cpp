// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/pins.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "models/base/error.h"

namespace gvp::tools::rtl {
namespace {

// "d___05Fin" is d__in, "odd__02ename" \odd.name, "__SYM__class" class.
std::string rtl_name(std::string member) {
  constexpr const char* kReserved = "__SYM__";
  if (member.rfind(kReserved, 0) == 0) member.erase(0, std::string(kReserved).size());
  static const std::regex code("__0([0-9A-Fa-f]{2})");
  std::string name;
  std::smatch found;
  while (std::regex_search(member, found, code)) {
    name += found.prefix();
    name += static_cast<char>(std::stoi(found[1], nullptr, 16));
    member = found.suffix();
  }
  return name + member;
}

[[noreturn]] void refuse(const std::string& block, const std::string& port, const char* kind) {
  throw bad_input(fmt::format("RTL block {}: port {} is {}", block, rtl_name(port), kind), {},
                  "a port of the top module is an input or an output of plain bits: write a module "
                  "around it that has such ports, and make that the top");
}

}  // namespace

std::vector<Pin> read_pins(const std::string& header, const std::string& block) {
  static const std::regex port(
      R"(^\s*VL_(IN|OUT|INOUT)(8|16|64|W)?\(&(\w+),(\d+),(\d+)(,\d+)?\);)");
  static const std::regex array(R"(^\s*VL_(IN|OUT|INOUT)(8|16|64|W)?\(\(&(\w+)\))");
  static const std::regex real(R"(^\s*(double|std::string) ?&(\w+);)");
  std::vector<Pin> pins;
  std::istringstream lines(header);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, array)) refuse(block, found[3], "an unpacked array");
    if (std::regex_search(line, found, real))
      refuse(block, found[2], found[1] == "double" ? "a real number" : "a string");
    if (!std::regex_search(line, found, port)) continue;
    if (found[1] == "INOUT") refuse(block, found[3], "an inout");
    Pin pin;
    pin.member = found[3];
    pin.name = rtl_name(pin.member);
    pin.bits = static_cast<unsigned>(std::stoul(found[4]) - std::stoul(found[5]) + 1);
    pin.is_input = found[1] == "IN";
    pins.push_back(std::move(pin));
  }
  if (pins.empty())
    throw bad_input(fmt::format("RTL block {}: its top module has no ports", block), {},
                    "top = \"...\" names the module whose ports are the block's");
  return pins;
}

}  // namespace gvp::tools::rtl
