// SPDX-License-Identifier: Apache-2.0
// What the SystemC library reports becomes log lines of the module "systemc"; its errors are
// thrown as sc_report, its notes on pausing and stopping are debug messages.
#pragma once

namespace gvp::platform {

void route_systemc_reports();

}  // namespace gvp::platform
