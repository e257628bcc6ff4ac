// SPDX-License-Identifier: Apache-2.0
#include "models/host/bus_master.h"

#include <utility>

namespace gvp::host {

BusMaster::BusMaster(const char* name, std::function<void()> completed)
    : socket(name), completed_(std::move(completed)) {
  socket.register_nb_transport_bw(this, &BusMaster::nb_transport_bw);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&later_);
  sc_core::sc_spawn([this] { finish(); }, sc_core::sc_gen_unique_name("response"), &options);
}

void BusMaster::start(tlm::tlm_command command, uint32_t address, void* data, uint32_t bytes,
                      uint8_t* enables, const sc_core::sc_time& delay, bool exclusive) {
  if (started_) started_(command == tlm::TLM_WRITE_COMMAND, bytes);
  tlm::tlm_generic_payload& payload = pool_.acquire();
  payload_ = &payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(enables);
  payload.set_byte_enable_length(enables == nullptr ? 0 : bytes);
  if (exclusive) {
    exclusive_ = {};
    exclusive_.exclusive = true;  // one beat of four bytes, as an extension is without further ado
    payload.set_extension(&exclusive_);
  }
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time time = delay;
  switch (socket->nb_transport_fw(payload, phase, time)) {
    case tlm::TLM_COMPLETED:
      return respond(time, false);
    case tlm::TLM_UPDATED:
      if (phase == tlm::BEGIN_RESP) respond(time, true);
      return;
    default:
      return;
  }
}

tlm::tlm_sync_enum BusMaster::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                              tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP || payload_ != &payload) return tlm::TLM_ACCEPTED;
  if (delay != sc_core::SC_ZERO_TIME) {
    respond(delay, false);
  } else {
    // The callers have it until this call returns, and what comes next must not be it
    // (IEEE 1666-2011, 14.5).
    payload.acquire();
    finish();
    payload.release();
  }
  return tlm::TLM_COMPLETED;
}

void BusMaster::respond(const sc_core::sc_time& delay, bool end_owed) {
  end_owed_ = end_owed;
  later_.notify(delay);
}

void BusMaster::finish() {
  tlm::tlm_generic_payload& payload = *payload_;
  if (std::exchange(end_owed_, false)) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
  }
  status_ = payload.is_response_ok() ? BusStatus::kOkay
            : payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE
                ? BusStatus::kDecodeError
                : BusStatus::kSlaveError;
  if (payload.get_extension<axi::Extension>() != nullptr) {
    if (exclusive_.response == axi::Response::kExclusiveOkay) status_ = BusStatus::kExclusiveOkay;
    payload.clear_extension(&exclusive_);
  }
  payload_ = nullptr;
  payload.release();
  completed_();
}

}  // namespace gvp::host
