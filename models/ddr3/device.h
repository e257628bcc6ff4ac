// SPDX-License-Identifier: Apache-2.0
// A DDR3 memory module as its data sheet describes it (JEDEC JESD79-3), and the same in clock
// cycles at a given clock.  The data come from TOML files (platform/configs/ddr3/); those are
// also compiled in, so a device can be named without a path.
// Not modelled: ranks beyond one, on-die termination, power-down, self-refresh, ZQ calibration,
// temperature-dependent refresh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::ddr3 {

struct SpeedGrade {
  double tck_min = 0, tck_max = 0;  // ns, tck_min <= tCK < tck_max or equal to both
  unsigned cl = 0, cwl = 0;         // clock cycles
};

// Of one component of a module, mA, as the data sheet defines them (JESD79-3, chapter 10): all else
// at rest, with this supply voltage and clock period.
struct Currents {
  double vdd = 0;               // V
  double tck = 0;               // ns
  unsigned components = 0;      // of the module, all of which do the same
  double idd0 = 0;              // activate and precharge one bank, every tRC
  double idd2n = 0;             // stand by, all banks precharged
  double idd3n = 0;             // stand by, a row open
  double idd4r = 0, idd4w = 0;  // read and write, burst after burst
  double idd5b = 0;             // refresh, every tRFC
};

struct Device {
  std::string name;
  std::string file;  // that it was read from, for messages
  unsigned data_bits = 64;
  unsigned banks = 8;
  unsigned rows = 8192;
  unsigned columns = 1024;
  unsigned burst_length = 8;
  // ns
  double trcd = 0, trp = 0, tras = 0, trc = 0, trrd = 0, tfaw = 0, twr = 0, twtr = 0, trtp = 0,
         trfc = 0, trefi = 0;
  // lower bounds, clock cycles
  unsigned trrd_cycles = 0, twtr_cycles = 0, trtp_cycles = 0, tccd_cycles = 0;
  std::vector<SpeedGrade> speeds;
  std::optional<Currents> currents;  // none: the file has none

  unsigned burst_bytes() const { return burst_length * data_bits / 8; }
  uint64_t size() const { return uint64_t{banks} * rows * columns * (data_bits / 8); }
};

// Clock cycles.  Names as in JESD79-3.
struct Timing {
  unsigned cl = 0, cwl = 0, burst = 4;  // burst: data cycles of one burst (BL8 = 4)
  unsigned trcd = 0, trp = 0, tras = 0, trc = 0, trrd = 0, tfaw = 0, twr = 0, twtr = 0, trtp = 0,
           tccd = 0, trfc = 0, trefi = 0;
};

// Throws Error (bad input) where the device cannot run at this clock.
Timing timing_at(const Device& device, double clock_hz);

// Reads a device from TOML text; `file` is for messages.  Unknown, missing and senseless entries
// throw Error (bad input) with file, line and key.
Device parse_device(std::string_view text, const std::string& file);
// A device that is compiled in ("mt4jsf6464hy-1g1") or a path to a TOML file.
Device find_device(const std::string& name_or_path);
// Names of the compiled-in devices.
std::vector<std::string> known_devices();

}  // namespace gvp::ddr3
