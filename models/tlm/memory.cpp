// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/memory.h"

#include <algorithm>

#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::kit {
namespace {

const Log log_memory("memory");

}  // namespace

Memory::Memory(const sc_core::sc_module_name& name, const MemoryConfiguration& configuration)
    : sc_core::sc_module(name), configuration_(configuration), storage_(configuration.size) {
  way_.initiator.bind(bytes_);
  bytes_.register_b_transport(this, &Memory::b_transport);
  bytes_.register_transport_dbg(this, &Memory::transport_dbg);
  bytes_.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
}

void Memory::allow_dmi(bool allow) {
  if (configuration_.allow_dmi && !allow) bytes_->invalidate_direct_mem_ptr(0, storage_.size() - 1);
  configuration_.allow_dmi = allow;
}

void Memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!check_attributes(payload)) return;
  const uint64_t address = payload.get_address();
  if (!storage_.contains(address, touched_bytes(payload))) {
    log_memory.warning("{} @ {}: {} is outside the {} bytes of this memory", name(),
                       time_text(sc_core::sc_time_stamp() + delay), describe(payload),
                       storage_.size());
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.is_write() && configuration_.read_only) {
    log_memory.warning("{} @ {}: {}, but this memory is read-only", name(),
                       time_text(sc_core::sc_time_stamp() + delay), describe(payload));
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) storage_.transfer(payload);
  if (log_memory.enabled(LogLevel::kTrace))
    log_memory.trace("{} @ {}: {}", name(), time_text(sc_core::sc_time_stamp() + delay),
                     describe(payload));
  delay += payload.is_write() ? configuration_.write_latency : configuration_.read_latency;
  payload.set_dmi_allowed(configuration_.allow_dmi);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool Memory::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, uint64_t limit) {
  const sc_core::sc_time longest =
      std::max(configuration_.read_latency, configuration_.write_latency);
  if ((sc_core::sc_time_stamp() + delay + longest).value() > limit) return false;
  b_transport(payload, delay);
  return true;
}

unsigned Memory::transport_dbg(tlm::tlm_generic_payload& payload) {
  return storage_.debug_access(payload);
}

bool Memory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  const Storage::Grant allowed = !configuration_.allow_dmi  ? Storage::Grant::kNone
                                 : configuration_.read_only ? Storage::Grant::kRead
                                                            : Storage::Grant::kReadWrite;
  return storage_.grant(dmi, allowed, configuration_.read_latency, configuration_.write_latency);
}

}  // namespace gvp::kit
