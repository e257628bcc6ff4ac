// SPDX-License-Identifier: Apache-2.0
#include "platform/time_text.h"

#include <fmt/format.h>

namespace gvp::platform {
namespace {

struct Unit {
  double size;
  const char* name;
};

template <size_t N>
std::string with_unit(double value, const Unit (&units)[N]) {
  for (const Unit& unit : units)
    if (value >= unit.size) return fmt::format("{:.4g} {}", value / unit.size, unit.name);
  return fmt::format("{:.4g} {}", value / units[N - 1].size, units[N - 1].name);
}

}  // namespace

std::string time_text(uint64_t picoseconds) {
  constexpr Unit kUnits[] = {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}};
  return with_unit(static_cast<double>(picoseconds), kUnits);
}

std::string count_text(double count) {
  constexpr Unit kUnits[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  return count < 1e4 ? fmt::format("{:.4g}", count) : with_unit(count, kUnits);
}

std::string bytes_text(uint64_t bytes) {
  constexpr Unit kUnits[] = {
      {1ull << 30, "GiB"}, {1ull << 20, "MiB"}, {1ull << 10, "KiB"}, {1, "B"}};
  return with_unit(static_cast<double>(bytes), kUnits);
}

}  // namespace gvp::platform
