// SPDX-License-Identifier: Apache-2.0
#include "platform/systemc_reports.h"

#include <cstring>
#include <exception>
#include <utility>

#include "models/base/log.h"
#include "models/rtl/scheduler.h"

namespace gvp::platform {
namespace {

const Log logger("systemc");

// What SystemC calls an exception of others, which it has just caught (SC_ID_UNKNOWN_EXCEPTION_).
constexpr const char* kUncaught = "uncaught exception";
std::exception_ptr thrown;

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
  if (std::strcmp(report.get_msg_type(), kUncaught) == 0) thrown = std::current_exception();
  const sc_core::sc_actions silent =
      actions & ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY | sc_core::SC_LOG);
  sc_core::sc_report_handler::default_handler(report, silent);
}

}  // namespace

void route_systemc_reports() { sc_core::sc_report_handler::set_handler(on_report); }

void start_simulation(const sc_core::sc_time& time) {
  try {
    if (time == sc_core::sc_max_time()) {
      sc_core::sc_start();
    } else {
      rtl::Scheduler::hold_at((sc_core::sc_time_stamp() + time).value());
      sc_core::sc_start(time);
      rtl::Scheduler::hold_at(~uint64_t{0});
    }
  } catch (const sc_core::sc_report&) {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
    throw;
  }
}

}  // namespace gvp::platform
