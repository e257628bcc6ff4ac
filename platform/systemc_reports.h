// SPDX-License-Identifier: Apache-2.0
// What the SystemC library reports becomes log lines of the module "systemc"; its errors are
// thrown as sc_report, its notes on pausing and stopping are debug messages.  What a process of a
// model throws, SystemC knows as a text alone; who starts the simulation here gets it as it was.
#pragma once

#include <systemc>

namespace gvp::platform {

void route_systemc_reports();

// sc_start().  Throws what a process has thrown, an Error above all; sc_report for SystemC's own.
// After route_systemc_reports().
void start_simulation(const sc_core::sc_time& time = sc_core::sc_max_time());

}  // namespace gvp::platform
