// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/axi_to_tlm.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/axi/burst.h"
#include "models/axi/pins/bursts.h"
#include "models/base/error.h"

namespace gvp::axi::pins {
namespace {

constexpr size_t kMostEarlyBeats = 16;

unsigned log2_of(unsigned bytes) { return static_cast<unsigned>(__builtin_ctz(bytes)); }

}  // namespace

AxiToTlm::AxiToTlm(const sc_core::sc_module_name& name, rtl::Block& block, const Port& port,
                   const AxiToTlmSettings& settings)
    : sc_module(name),
      requester_("requester", settings.non_blocking,
                 [this](Requester::Request& request) { answered(request); }),
      socket(requester_.socket),
      block_(block),
      port_(port),
      settings_(settings) {
  if (!port.is_master)
    throw bad_input(
        fmt::format("RTL block {}: port {} is no master's", block.type().name, port.name));
  if (port_.writes) {
    block.watch(port_.aw.valid, *this);
    block.watch(port_.w.valid, *this);
  }
  if (port_.reads) block.watch(port_.ar.valid, *this);
  block.add(*this);
}

// ---- edges ----

void AxiToTlm::sample() {
  if (port_.aw.valid.high() && port_.aw.ready.high()) {
    writes_.push_back(job_of(port_.aw, true));
    without_data_.push_back(writes_.back());
    match_write_data();
  }
  if (port_.w.valid.high() && port_.w.ready.high()) {
    early_.push_back(write_beat());
    match_write_data();
  }
  if (port_.ar.valid.high() && port_.ar.ready.high()) {
    reads_.push_back(job_of(port_.ar, false));
    to_begin_.push_back(reads_.back());
    block_.tell();
  }
  if (answering_write_ && port_.b.valid.high() && port_.b.ready.high()) {
    writes_.erase(std::find(writes_.begin(), writes_.end(), answering_write_));
    answering_write_.reset();
  }
  if (answering_read_ && port_.r.valid.high() && port_.r.ready.high()) {
    Job& job = *answering_read_;
    read_on_pins_ = false;
    job.moved += lanes_of(job.beats, job.beat, port_.data_bytes).count;
    if (++job.beat == job.beats.beats) {
      reads_.erase(std::find(reads_.begin(), reads_.end(), answering_read_));
      answering_read_.reset();
    }
  }
}

std::shared_ptr<AxiToTlm::Job> AxiToTlm::job_of(const AddressPins& pins, bool write) const {
  auto job = std::make_shared<Job>();
  const uint64_t full = log2_of(port_.data_bytes);
  const auto widest_type = static_cast<uint64_t>(Burst::kWrapping);
  job->write = write;
  job->id = pins.id.get();
  Extension& axi = job->axi;
  axi.id = static_cast<uint32_t>(job->id);
  axi.beats = static_cast<uint16_t>(pins.length.get() + 1);
  axi.beat_bytes_log2 = static_cast<uint8_t>(std::min(pins.size.get(full), full));
  axi.burst = static_cast<Burst>(std::min(pins.burst.get(1), widest_type));
  axi.cache = static_cast<uint8_t>(pins.cache.get());
  axi.protection = static_cast<uint8_t>(pins.protection.get());
  axi.qos = static_cast<uint8_t>(pins.qos.get());
  axi.exclusive = pins.lock.high();
  job->beats = {pins.address.get(), axi.beats, 1u << axi.beat_bytes_log2, axi.burst};
  const auto bytes = static_cast<size_t>(bytes_of(job->beats, port_.data_bytes));
  job->data.resize(bytes);
  if (write) job->enables.resize(bytes, TLM_BYTE_DISABLED);
  return job;
}

AxiToTlm::WriteBeat AxiToTlm::write_beat() const {
  WriteBeat beat;
  const uint8_t* data = port_.w.data.data();
  beat.data.assign(data, data + port_.data_bytes);
  if (port_.w.strobes.exists()) {
    const uint8_t* strobes = port_.w.strobes.data();
    beat.strobes.assign(strobes, strobes + port_.w.strobes.bytes());
  } else {
    beat.strobes.assign((port_.data_bytes + 7) / 8, 0xff);
  }
  beat.last = port_.w.last.exists() && port_.w.last.high();
  return beat;
}

// As the checker does it: the last beat is the one that is due, or the one that says so.
void AxiToTlm::match_write_data() {
  while (!without_data_.empty() && !early_.empty()) {
    const std::shared_ptr<Job> job = without_data_.front();
    take_write_beat(*job, early_.front());
    const bool is_last = early_.front().last || job->beat == job->beats.beats;
    early_.pop_front();
    if (!is_last) continue;
    without_data_.pop_front();
    to_begin_.push_back(job);
    block_.tell();
  }
}

void AxiToTlm::take_write_beat(Job& job, const WriteBeat& beat) const {
  const Lanes lanes = lanes_of(job.beats, job.beat, port_.data_bytes);
  for (unsigned i = 0; i < lanes.count; ++i) {
    const unsigned lane = lanes.first + i;
    if ((beat.strobes[lane / 8] >> (lane % 8) & 1) == 0) continue;
    job.data[job.moved + i] = beat.data[lane];
    job.enables[job.moved + i] = TLM_BYTE_ENABLED;
  }
  job.moved += lanes.count;
  ++job.beat;
}

// The oldest whose target has answered and that no older one of its ID is waiting before.
std::shared_ptr<AxiToTlm::Job> AxiToTlm::answerable(const Jobs& jobs) {
  for (auto job = jobs.begin(); job != jobs.end(); ++job) {
    if (!(*job)->done) continue;
    const bool first = std::none_of(jobs.begin(), job, [&](const std::shared_ptr<Job>& older) {
      return older->id == (*job)->id;
    });
    if (first) return *job;
  }
  return nullptr;
}

void AxiToTlm::drive() {
  const bool room_for_data = !without_data_.empty() || early_.size() < kMostEarlyBeats;
  port_.aw.ready.set(writes_.size() < settings_.outstanding && !paused() ? 1 : 0);
  port_.w.ready.set(room_for_data && !paused() ? 1 : 0);
  port_.ar.ready.set(reads_.size() < settings_.outstanding && !paused() ? 1 : 0);
  drive_write_response();
  drive_read_data();
}

void AxiToTlm::drive_write_response() {
  if (answering_write_) return;
  port_.b.valid.set(0);
  answering_write_ = paused() ? nullptr : answerable(writes_);
  if (!answering_write_) return;
  port_.b.id.set(answering_write_->id);
  port_.b.response.set(static_cast<uint64_t>(answering_write_->response));
  port_.b.valid.set(1);
}

void AxiToTlm::drive_read_data() {
  if (read_on_pins_) return;
  port_.r.valid.set(0);
  if (!answering_read_) answering_read_ = answerable(reads_);
  if (answering_read_ && !paused()) put_read_beat();
}

void AxiToTlm::put_read_beat() {
  const Job& job = *answering_read_;
  const Lanes lanes = lanes_of(job.beats, job.beat, port_.data_bytes);
  port_.r.data.clear();
  port_.r.data.set_bytes(job.data.data() + job.moved, lanes.first, lanes.count);
  port_.r.id.set(job.id);
  port_.r.response.set(static_cast<uint64_t>(job.response));
  port_.r.last.set(job.beat + 1 == job.beats.beats ? 1 : 0);
  port_.r.valid.set(1);
  read_on_pins_ = true;
}

uint64_t AxiToTlm::idle_edges() const {
  const bool asked = port_.aw.valid.high() || port_.w.valid.high() || port_.ar.valid.high();
  const bool answers = port_.b.valid.high() || port_.r.valid.high() || answering_read_ ||
                       answerable(writes_) || answerable(reads_);
  return asked || answers ? 0 : kForever;
}

void AxiToTlm::reset() {
  for (Jobs* jobs : {&writes_, &reads_}) {
    for (const std::shared_ptr<Job>& job : *jobs) job->abandoned = true;
    jobs->clear();
  }
  without_data_.clear();
  early_.clear();
  to_begin_.clear();
  answering_write_.reset();
  answering_read_.reset();
  read_on_pins_ = false;
  port_.aw.ready.set(0);
  port_.w.ready.set(0);
  port_.ar.ready.set(0);
  port_.b.valid.set(0);
  port_.r.valid.set(0);
}

// ---- transactions ----

void AxiToTlm::publish() {
  for (const std::shared_ptr<Job>& job : std::exchange(to_begin_, {})) begin(job);
}

void AxiToTlm::begin(const std::shared_ptr<Job>& job) {
  const auto bytes = static_cast<unsigned>(job->data.size());
  const Beats& beats = job->beats;
  job->beat = job->moved = 0;
  if (settings_.single_beats) {
    job->open = beats.beats;
    const unsigned count = beats.beats;
    for (unsigned i = 0, first = 0; i < count; ++i) {
      const Lanes lanes = lanes_of(beats, i, port_.data_bytes);
      request(job, {lanes.address, 1, port_.data_bytes, Burst::kIncrementing}, first, lanes.count);
      first += lanes.count;
    }
    return;
  }
  const uint64_t into = beats.address % bytes;
  if (beats.type != Burst::kWrapping || into == 0) {
    job->open = 1;
    return request(job, beats, 0, bytes);
  }
  const auto first = static_cast<unsigned>((bytes - into) / beats.bytes);
  job->open = 2;
  request(job, {beats.address, first, beats.bytes, Burst::kIncrementing}, 0,
          static_cast<unsigned>(bytes - into));
  request(job, {beats.address - into, beats.beats - first, beats.bytes, Burst::kIncrementing},
          static_cast<unsigned>(bytes - into), static_cast<unsigned>(into));
}

void AxiToTlm::request(const std::shared_ptr<Job>& job, const Beats& beats, unsigned first,
                       unsigned bytes) {
  Requester::Request& request = requester_.make();
  request.keeps = job;
  request.in_sequence = job->open > 1;
  request.axi = job->axi;
  request.axi.beats = static_cast<uint16_t>(beats.beats);
  request.axi.beat_bytes_log2 = static_cast<uint8_t>(log2_of(beats.bytes));
  request.axi.burst = beats.type;
  request.axi.exclusive = job->axi.exclusive && !settings_.single_beats;
  request.set_command(job->write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  request.set_address(beats.address - settings_.base);
  request.set_data_ptr(job->data.data() + first);
  request.set_data_length(bytes);
  request.set_streaming_width(beats.type == Burst::kFixed ? bytes / beats.beats : bytes);
  const auto begin = job->enables.begin() + (job->write ? first : 0);
  if (job->write && std::find(begin, begin + bytes, TLM_BYTE_DISABLED) != begin + bytes) {
    request.set_byte_enable_ptr(job->enables.data() + first);
    request.set_byte_enable_length(bytes);
  }
  requester_.send(request);
}

void AxiToTlm::answered(Requester::Request& request) {
  const auto job = std::static_pointer_cast<Job>(request.keeps);
  Response response = to_response(request.get_response_status());
  if (response == Response::kOkay && job->axi.exclusive &&
      request.axi.response == Response::kExclusiveOkay)
    response = Response::kExclusiveOkay;
  job->response = std::max(job->response, response);
  if (--job->open > 0 || job->abandoned) return;
  block_.input();
  job->done = true;
  // What the pins are free for is there at the next edge.
  if (job->write)
    drive_write_response();
  else
    drive_read_data();
}

}  // namespace gvp::axi::pins
