// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/tlm_to_axi.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/axi/pins/payload_bytes.h"
#include "models/axi/pins/response.h"
#include "models/base/error.h"
#include "models/tlm/payload.h"

namespace gvp::axi::pins {
namespace {

constexpr unsigned kNarrowest = 4, kWidest = 128;  // bytes of the data
constexpr unsigned kMostIdBits = 32;               // of axi::Extension

// AW and AR need not be of one width.
uint64_t id_at(const Extension* axi, const rtl::Pin& pin) {
  if (axi == nullptr || !pin.exists()) return 0;
  return pin.bits() >= kMostIdBits ? axi->id : axi->id & ((1u << pin.bits()) - 1);
}

bool reaches(const tlm::tlm_generic_payload& payload, unsigned address_bits) {
  if (address_bits >= 64) return true;
  const uint64_t end = uint64_t{1} << address_bits;
  return payload.get_address() < end && kit::touched_bytes(payload) <= end - payload.get_address();
}

}  // namespace

TlmToAxi::TlmToAxi(const sc_core::sc_module_name& name, rtl::Block& block, const Port& port,
                   const TlmToAxiSettings& settings)
    : sc_module(name),
      debug_pins_(block, port.base),
      acceptor_("acceptor", settings.outstanding,
                [this](tlm::tlm_generic_payload& payload) { begin(payload); }),
      socket(acceptor_.socket),
      block_(block),
      port_(port),
      settings_(settings) {
  if (port.lite || port.is_master || port.data_bytes < kNarrowest || port.data_bytes > kWidest)
    throw bad_input(
        fmt::format("RTL block {}: port {} is no AXI4 subordinate port of {} to {} bits",
                    block.type().name, port.name, 8 * kNarrowest, 8 * kWidest));
  acceptor_.back_door = [this](tlm::tlm_generic_payload& payload) {
    return debug_pins_.access(payload);
  };
  block.add(*this);
}

void TlmToAxi::begin(tlm::tlm_generic_payload& payload) {
  const bool write = payload.is_write();
  if (write ? !port_.writes : !port_.reads) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return acceptor_.answer(payload);
  }
  if (settings_.whole_addresses && !reaches(payload, port_.address_bits))
    return refuse_address(payload);
  parts_.clear();
  if (!cut(payload, port_.data_bytes, parts_, settings_.widen)) return acceptor_.answer(payload);
  Job& job = *jobs_.emplace_back(std::make_unique<Job>());
  job.payload = &payload;
  job.open = parts_.size();
  job.begun = sc_core::sc_time_stamp();
  const uint64_t id = id_at(payload.get_extension<Extension>(), (write ? port_.aw : port_.ar).id);
  for (const Part& part : parts_) job.transfers.push_back({&job, part, 0, 0, id});
  block_.input();
  Direction& direction = write ? writes_ : reads_;
  for (Transfer& transfer : job.transfers) direction.to_send.push_back(&transfer);
  // What the pins are free for goes out at once: the edges up to now have been made.
  drive_address(direction, write ? port_.aw : port_.ar);
  if (write) drive_data();
  stalled_requests_ += std::min(direction.to_send.size(), job.transfers.size());
}

void TlmToAxi::refuse_address(tlm::tlm_generic_payload& payload) {
  respond(payload, Response::kDecodeError);
  if (settings_.answered) settings_.answered(payload, sc_core::sc_time_stamp());
  acceptor_.answer(payload);
}

// ---- edges ----

void TlmToAxi::sample() {
  writes_.address_taken = port_.aw.valid.high() && port_.aw.ready.high();
  reads_.address_taken = port_.ar.valid.high() && port_.ar.ready.high();
  data_taken_ = port_.w.valid.high() && port_.w.ready.high();
  if (port_.b.valid.high() && port_.b.ready.high()) take_write_response();
  if (port_.r.valid.high() && port_.r.ready.high()) take_read_data();
}

// A port whose responses have no IDs answers in order.
TlmToAxi::Transfer* TlmToAxi::oldest(const Direction& direction, const rtl::Pin& id) {
  for (Transfer* transfer : direction.answers)
    if (!id.exists() || transfer->id == id.get()) return transfer;
  return nullptr;
}

// What answers nothing, or comes before the last data, is the checker's business.
void TlmToAxi::take_write_response() {
  Transfer* transfer = oldest(writes_, port_.b.id);
  if (transfer == nullptr || transfer->beat < transfer->part.beats.beats) return;
  Job& job = *transfer->job;
  job.worst = std::max(job.worst, static_cast<Response>(port_.b.response.get()));
  end_transfer(writes_, *transfer);
}

void TlmToAxi::take_read_data() {
  Transfer* transfer = oldest(reads_, port_.r.id);
  if (transfer == nullptr) return;
  const Part& part = transfer->part;
  Job& job = *transfer->job;
  tlm::tlm_generic_payload& payload = *job.payload;
  const Lanes lanes = lanes_of(part.beats, transfer->beat, port_.data_bytes);
  const uint8_t* data = port_.r.data.data() + lanes.first;
  for (unsigned i = 0; i < lanes.count && transfer->moved + i < part.bytes; ++i) {
    const unsigned at = part.first + transfer->moved + i;
    if (enabled(payload, at)) payload.get_data_ptr()[at] = data[i];
  }
  transfer->moved += lanes.count;
  job.worst = std::max(job.worst, static_cast<Response>(port_.r.response.get()));
  const bool is_last = ++transfer->beat == part.beats.beats;
  const bool said_last = port_.r.last.exists() && port_.r.last.high();
  if (!is_last && said_last) job.worst = std::max(job.worst, Response::kSlaveError);  // cut short
  if (is_last || said_last) end_transfer(reads_, *transfer);
}

void TlmToAxi::end_transfer(Direction& direction, Transfer& transfer) {
  direction.answers.erase(std::find(direction.answers.begin(), direction.answers.end(), &transfer));
  if (--transfer.job->open == 0) finish(*transfer.job);
}

void TlmToAxi::finish(Job& job) {
  respond(*job.payload, job.worst);
  finished_.push_back(&job);
  block_.tell();
}

void TlmToAxi::drive() {
  drive_address(writes_, port_.aw);
  drive_data();
  drive_address(reads_, port_.ar);
  port_.b.ready.set(paused() ? 0 : 1);
  port_.r.ready.set(paused() ? 0 : 1);
}

void TlmToAxi::drive_address(Direction& direction, AddressPins& pins) {
  if (direction.address_taken) {
    pins.valid.set(0);
    direction.address_on_pins = direction.address_taken = false;
  }
  if (direction.address_on_pins || direction.to_send.empty() ||
      direction.answers.size() >= settings_.outstanding || paused())
    return;
  Transfer* transfer = direction.to_send.front();
  direction.to_send.pop_front();
  put_address(*transfer, pins);
  direction.address_on_pins = true;
  direction.answers.push_back(transfer);
  if (&direction == &writes_) direction.with_data.push_back(transfer);
}

void TlmToAxi::put_address(const Transfer& transfer, AddressPins& pins) const {
  const Job& job = *transfer.job;
  const Beats& beats = transfer.part.beats;
  const auto* axi = job.payload->get_extension<Extension>();
  pins.address.set(port_.base + beats.address);
  pins.length.set(beats.beats - 1);
  pins.size.set(static_cast<uint64_t>(__builtin_ctz(beats.bytes)));
  pins.burst.set(static_cast<uint64_t>(beats.type));
  pins.id.set(transfer.id);
  // One that had to be cut is no exclusive access any more.
  pins.lock.set(axi != nullptr && axi->exclusive && job.transfers.size() == 1 ? 1 : 0);
  pins.cache.set(axi == nullptr ? 0 : axi->cache);
  pins.protection.set(axi == nullptr ? 0 : axi->protection);
  pins.qos.set(axi == nullptr ? 0 : axi->qos);
  pins.region.set(0);
  pins.valid.set(1);
}

void TlmToAxi::drive_data() {
  if (data_taken_) {
    data_taken_ = data_on_pins_ = false;
    port_.w.valid.set(0);
    Transfer& transfer = *writes_.with_data.front();
    const Beats& beats = transfer.part.beats;
    transfer.moved += lanes_of(beats, transfer.beat, port_.data_bytes).count;
    if (++transfer.beat == beats.beats) writes_.with_data.pop_front();
  }
  if (data_on_pins_ || writes_.with_data.empty() || paused()) return;
  put_data(*writes_.with_data.front());
  data_on_pins_ = true;
}

void TlmToAxi::put_data(const Transfer& transfer) {
  const Part& part = transfer.part;
  const Lanes lanes = lanes_of(part.beats, transfer.beat, port_.data_bytes);
  const tlm::tlm_generic_payload& payload = *transfer.job->payload;
  uint8_t data[kWidest] = {};
  uint8_t strobes[kWidest / 8] = {};
  for (unsigned i = 0; i < lanes.count && transfer.moved + i < part.bytes; ++i) {
    const unsigned at = part.first + transfer.moved + i;
    if (!enabled(payload, at)) continue;
    const unsigned lane = lanes.first + i;
    data[lane] = payload.get_data_ptr()[at];
    strobes[lane / 8] = static_cast<uint8_t>(strobes[lane / 8] | 1u << (lane % 8));
  }
  port_.w.data.set_bytes(data, 0, port_.data_bytes);
  if (port_.w.strobes.exists()) port_.w.strobes.set_bytes(strobes, 0, port_.w.strobes.bytes());
  port_.w.last.set(transfer.beat + 1 == part.beats.beats ? 1 : 0);
  port_.w.valid.set(1);
}

uint64_t TlmToAxi::idle_edges() const {
  const bool nothing = writes_.to_send.empty() && reads_.to_send.empty() &&
                       writes_.answers.empty() && reads_.answers.empty();
  return nothing ? kForever : 0;
}

void TlmToAxi::publish() {
  for (Job* job : std::exchange(finished_, {})) {
    tlm::tlm_generic_payload& payload = *job->payload;
    const sc_core::sc_time begun = job->begun;
    jobs_.erase(std::find_if(jobs_.begin(), jobs_.end(),
                             [&](const std::unique_ptr<Job>& each) { return each.get() == job; }));
    if (settings_.answered) settings_.answered(payload, begun);
    acceptor_.answer(payload);
  }
}

void TlmToAxi::reset() {
  for (Direction* direction : {&writes_, &reads_}) {
    for (const std::deque<Transfer*>* transfers : {&direction->to_send, &direction->answers})
      for (const Transfer* transfer : *transfers) {
        Job& job = *transfer->job;
        job.worst = std::max(job.worst, Response::kSlaveError);
        if (--job.open == 0) finish(job);
      }
    *direction = Direction();
  }
  data_on_pins_ = data_taken_ = false;
  port_.aw.valid.set(0);
  port_.w.valid.set(0);
  port_.ar.valid.set(0);
  port_.b.ready.set(1);
  port_.r.ready.set(1);
}

}  // namespace gvp::axi::pins
