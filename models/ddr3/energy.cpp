// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/energy.h"

#include <nlohmann/json.hpp>

namespace gvp::ddr3 {

// mA * V * ns = pJ
Energy energy_of(const Device& device, const Currents& c, const Activity& activity) {
  const double module = c.vdd * c.components;
  const auto active = static_cast<double>(activity.active_cycles);
  const double precharged = static_cast<double>(activity.cycles) - active;
  const double burst = device.burst_length / 2.0 * c.tck;
  Energy energy;
  // Proportional to the clock, so that a clock cycle takes the same with any.
  energy.background = module * c.tck * (c.idd3n * active + c.idd2n * precharged);
  // IDD0 is that of one activate and precharge every tRC.
  energy.activate =
      module * static_cast<double>(activity.activates) *
      (c.idd0 * device.trc - c.idd3n * device.tras - c.idd2n * (device.trc - device.tras));
  energy.read = module * static_cast<double>(activity.reads) * burst * (c.idd4r - c.idd3n);
  energy.write = module * static_cast<double>(activity.writes) * burst * (c.idd4w - c.idd3n);
  // All banks are precharged meanwhile, which is in the background.
  energy.refresh =
      module * static_cast<double>(activity.refreshes) * device.trfc * (c.idd5b - c.idd2n);
  return energy;
}

void add_energy(nlohmann::ordered_json& statistics, const Device& device, uint64_t tck_ps,
                const Activity& activity) {
  if (!device.currents) return;
  const Energy energy = energy_of(device, *device.currents, activity);
  const auto mj = [](double pj) { return pj * 1e-9; };
  statistics["energy_mj"] = {{"background", mj(energy.background)},
                             {"activate", mj(energy.activate)},
                             {"read", mj(energy.read)},
                             {"write", mj(energy.write)},
                             {"refresh", mj(energy.refresh)},
                             {"total", mj(energy.total())}};
  const double ns = static_cast<double>(activity.cycles * tck_ps) / 1000;
  statistics["power_mw"] = ns > 0 ? energy.total() / ns : 0;
}

}  // namespace gvp::ddr3
