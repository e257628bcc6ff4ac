// SPDX-License-Identifier: Apache-2.0
#include "platform/systemc_reports.h"

#include <systemc>

#include "models/base/log.h"

namespace gvp::platform {
namespace {

const Log logger("systemc");

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  switch (report.get_severity()) {
    case sc_core::SC_INFO:
      logger.debug("{}: {}", report.get_msg_type(), report.get_msg());
      return;
    case sc_core::SC_WARNING:
      logger.warning("{}: {}", report.get_msg_type(), report.get_msg());
      return;
    default:
      break;
  }
  const sc_core::sc_actions silent =
      actions & ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY | sc_core::SC_LOG);
  sc_core::sc_report_handler::default_handler(report, silent);
}

}  // namespace

void route_systemc_reports() { sc_core::sc_report_handler::set_handler(on_report); }

}  // namespace gvp::platform
