// SPDX-License-Identifier: Apache-2.0
#include "platform/firmware_clocks.h"

#include <array>
#include <cmath>

#include "models/tlm/clock.h"

namespace gvp::platform {
namespace {

// Of the first device of a type; the processor's where the board has none.
double clock_of_first(const Configuration& configuration, std::string_view type) {
  for (const BoardDevice& device : configuration.board().devices)
    if (device.type->name == type) return clock_of(configuration, *configuration.find(device.name));
  return clock_of(configuration, *configuration.processor());
}

}  // namespace

void pass_clocks(const ElfFile& firmware, const Configuration& configuration, host::Host& host) {
  const device::Instance& processor = *configuration.processor();
  const std::array<double, 3> clocks = {clock_of(configuration, processor),
                                        clock_of_first(configuration, "axi_timer"),
                                        clock_of_first(configuration, "axi_uart16550")};
  std::array<uint8_t, sizeof(uint32_t) * clocks.size()> words{};
  const Symbol* symbol = firmware.symbols.find(std::string_view("board_clocks"));
  if (symbol == nullptr || symbol->size < words.size()) return;
  const bool big_endian = processor.as<host::Configuration>().big_endian;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto hz = static_cast<uint32_t>(std::llround(kit::Clock(clocks[i / 4]).hz()));
    const size_t shift = 8 * (big_endian ? 3 - i % 4 : i % 4);
    words[i] = static_cast<uint8_t>(hz >> shift);
  }
  host.debug_write(symbol->address, words.data(), words.size());
}

}  // namespace gvp::platform
