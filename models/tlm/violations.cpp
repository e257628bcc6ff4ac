// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/violations.h"

#include "models/tlm/payload.h"

namespace gvp::kit {
namespace {

constexpr size_t kKept = 100;

}  // namespace

void Violations::add(const char* place, const char* rule, const tlm::tlm_generic_payload* payload,
                     const std::string& text) {
  ++count_;
  const std::string what = payload != nullptr ? describe(*payload) + ": " + text : text;
  if (list_.size() < kKept) list_.push_back({rule, what, sc_core::sc_time_stamp()});
  log_.error("{} @ {}: {}: {}", place, time_text(sc_core::sc_time_stamp()), rule, what);
}

}  // namespace gvp::kit
