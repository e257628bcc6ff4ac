// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/tlm_to_lite.h"

#include <algorithm>
#include <array>

#include "models/axi/extension.h"
#include "models/axi/pins/payload_bytes.h"
#include "models/axi/pins/response.h"
#include "models/tlm/payload.h"

namespace gvp::axi::pins {
namespace {

constexpr unsigned kWidest = 8;  // bytes of AXI4-Lite's data

unsigned protection(const tlm::tlm_generic_payload& payload) {
  const auto* extension = payload.get_extension<Extension>();
  return extension == nullptr ? 0 : extension->protection;
}

}  // namespace

TlmToLite::TlmToLite(const sc_core::sc_module_name& name, rtl::Block& block, const Port& port)
    : sc_module(name), block_(block), port_(port), debug_pins_(block, port.base) {
  socket.register_b_transport(this, &TlmToLite::b_transport);
  socket.register_transport_dbg(this, &TlmToLite::transport_dbg);
  block.add(*this);
}

void TlmToLite::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!kit::check_attributes(payload)) return;
  if (delay != sc_core::SC_ZERO_TIME) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  Request request{&payload, 0, {}, false};
  Transfer first;
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND || !next_transfer(request, first)) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  if (payload.is_write() ? !port_.writes : !port_.reads) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  block_.input();
  if (payload.is_write()) {
    writes_.push_back(&request);
    if (!write_busy_) start_write();
  } else {
    reads_.push_back(&request);
    if (!read_busy_) start_read();
  }
  while (!request.over) sc_core::wait(request.done);
}

bool TlmToLite::next_transfer(Request& request, Transfer& transfer) const {
  const tlm::tlm_generic_payload& payload = *request.payload;
  const uint64_t width = kit::touched_bytes(payload);
  const unsigned length = payload.get_data_length();
  while (request.done_bytes < length) {
    const unsigned first = request.done_bytes;
    const uint64_t address = payload.get_address() + first % width;
    const uint64_t to_word = port_.data_bytes - address % port_.data_bytes;
    const uint64_t to_start_over = width - first % width;
    const auto count =
        static_cast<unsigned>(std::min({to_word, to_start_over, uint64_t{length} - first}));
    bool any = false;
    for (unsigned i = first; i < first + count; ++i) any = any || enabled(payload, i);
    if (any) {
      transfer = {address, first, count};
      return true;
    }
    request.done_bytes += count;
  }
  return false;
}

void TlmToLite::start_write() {
  Request& request = *writes_.front();
  if (!next_transfer(request, write_)) return;
  const tlm::tlm_generic_payload& payload = *request.payload;
  std::array<uint8_t, kWidest> data{};
  uint64_t strobes = 0;
  const auto lane = static_cast<unsigned>(write_.address % port_.data_bytes);
  for (unsigned i = 0; i < write_.count; ++i) {
    if (!enabled(payload, write_.first + i)) continue;
    data[lane + i] = payload.get_data_ptr()[write_.first + i];
    strobes |= uint64_t{1} << (lane + i);
  }
  port_.aw.address.set(port_.base + write_.address);
  port_.aw.protection.set(protection(payload));
  port_.aw.valid.set(1);
  port_.w.data.set_bytes(data.data(), 0, port_.data_bytes);
  port_.w.strobes.set(strobes);
  port_.w.valid.set(1);
  write_busy_ = true;
}

void TlmToLite::start_read() {
  if (!next_transfer(*reads_.front(), read_)) return;
  port_.ar.address.set(port_.base + read_.address);
  port_.ar.protection.set(protection(*reads_.front()->payload));
  port_.ar.valid.set(1);
  read_busy_ = true;
}

void TlmToLite::sample() {
  aw_taken_ = port_.aw.valid.high() && port_.aw.ready.high();
  w_taken_ = port_.w.valid.high() && port_.w.ready.high();
  ar_taken_ = port_.ar.valid.high() && port_.ar.ready.high();
  b_taken_ = port_.b.valid.high() && port_.b.ready.high() && write_busy_;
  r_taken_ = port_.r.valid.high() && port_.r.ready.high() && read_busy_;
  if (r_taken_) take_read_data(*reads_.front());
  if (b_taken_) end_transfer(writes_, write_, port_.b.response.get());
  if (r_taken_) end_transfer(reads_, read_, port_.r.response.get());
}

void TlmToLite::take_read_data(const Request& request) const {
  std::array<uint8_t, kWidest> data{};
  port_.r.data.get_bytes(data.data(), 0, port_.data_bytes);
  const auto lane = static_cast<unsigned>(read_.address % port_.data_bytes);
  tlm::tlm_generic_payload& payload = *request.payload;
  for (unsigned i = 0; i < read_.count; ++i)
    if (enabled(payload, read_.first + i)) payload.get_data_ptr()[read_.first + i] = data[lane + i];
}

void TlmToLite::end_transfer(std::deque<Request*>& queue, const Transfer& transfer, uint64_t pins) {
  Request& request = *queue.front();
  request.done_bytes = transfer.first + transfer.count;
  // AXI4-Lite has no EXOKAY (B1.1.1), which the checker says.
  auto response = static_cast<Response>(pins);
  if (response == Response::kExclusiveOkay) response = Response::kOkay;
  Transfer next;
  if (response != Response::kOkay || !next_transfer(request, next)) finish(queue, response);
}

void TlmToLite::finish(std::deque<Request*>& queue, Response response) {
  respond(*queue.front()->payload, response);
  finished_.push_back(queue.front());
  queue.pop_front();
  block_.tell();
}

void TlmToLite::drive() {
  if (aw_taken_) port_.aw.valid.set(0);
  if (w_taken_) port_.w.valid.set(0);
  if (ar_taken_) port_.ar.valid.set(0);
  if (b_taken_) {
    write_busy_ = false;
    if (!writes_.empty()) start_write();
  }
  if (r_taken_) {
    read_busy_ = false;
    if (!reads_.empty()) start_read();
  }
  aw_taken_ = w_taken_ = b_taken_ = ar_taken_ = r_taken_ = false;
}

uint64_t TlmToLite::idle_edges() const { return write_busy_ || read_busy_ ? 0 : kForever; }

void TlmToLite::publish() {
  while (!finished_.empty()) {
    Request& request = *finished_.front();
    finished_.pop_front();
    request.over = true;
    request.done.notify();
  }
}

void TlmToLite::reset() {
  while (!writes_.empty()) finish(writes_, Response::kSlaveError);
  while (!reads_.empty()) finish(reads_, Response::kSlaveError);
  write_busy_ = read_busy_ = false;
  port_.aw.valid.set(0);
  port_.w.valid.set(0);
  port_.ar.valid.set(0);
  port_.b.ready.set(1);
  port_.r.ready.set(1);
}

}  // namespace gvp::axi::pins
