// SPDX-License-Identifier: Apache-2.0
// Tells firmware the board's clocks, which no register of the board does: the three words of
// struct board_clocks (firmware/bsp/clocks.h), in Hz.  Firmware without it takes what it was built
// for.  A clock runs with a period of whole picoseconds (models/tlm/clock.h), and that is told.
#pragma once

#include "models/host/host.h"
#include "platform/configuration/configuration.h"
#include "platform/elf/elf_file.h"

namespace gvp::platform {

void pass_clocks(const ElfFile& firmware, const Configuration& configuration, host::Host& host);

}  // namespace gvp::platform
