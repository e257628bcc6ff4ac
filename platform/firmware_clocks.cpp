// SPDX-License-Identifier: Apache-2.0
#include "platform/firmware_clocks.h"

#include <array>
#include <cmath>

#include "models/tlm/clock.h"

namespace gvp::platform {

double clock_of(const axi::PortConfiguration& port, const Configuration& configuration) {
  return port.clock_hz > 0 ? port.clock_hz : configuration.axi.clock_hz;
}

void pass_clocks(const ElfFile& firmware, const Configuration& configuration, host::Host& host) {
  const std::array<double, 3> clocks = {configuration.host.clock_hz,
                                        clock_of(configuration.axi_ports.timer, configuration),
                                        clock_of(configuration.axi_ports.uart16550, configuration)};
  std::array<uint8_t, sizeof(uint32_t) * clocks.size()> words{};
  const Symbol* symbol = firmware.symbols.find(std::string_view("board_clocks"));
  if (symbol == nullptr || symbol->size < words.size()) return;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto hz = static_cast<uint32_t>(std::llround(kit::Clock(clocks[i / 4]).hz()));
    const size_t shift = 8 * (configuration.host.big_endian ? 3 - i % 4 : i % 4);
    words[i] = static_cast<uint8_t>(hz >> shift);
  }
  host.debug_write(symbol->address, words.data(), words.size());
}

}  // namespace gvp::platform
