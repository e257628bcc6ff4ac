// SPDX-License-Identifier: Apache-2.0
#include "models/host/fetch_unit.h"

#include <algorithm>

namespace gvp::host {

FetchUnit::FetchUnit(const char* socket_name, const kit::Clock& clock)
    : clock_(clock), bus_(socket_name, [this] { completed(); }) {}

// ---- the stream

void FetchUnit::start(uint64_t cycle) {
  flying_ = next_;
  discard_ = false;
  if (turning_ && flying_ == turn_after_) {
    turning_ = false;
    active_ = !turn_ends_;
    next_ = turn_to_;
    request_ = turn_request_;
  } else {
    active_ = next_ < limit_;
    next_ += 4;
    request_ = 0;
  }
  ++fetches_;
  const uint64_t time = sc_core::sc_time_stamp().value();
  const uint64_t wanted = clock_.ps(std::max(cycle, now()));
  bus_.start(tlm::TLM_READ_COMMAND, flying_, &data_, sizeof data_, nullptr,
             sc_core::sc_time::from_value(wanted - time));
}

void FetchUnit::completed() {
  arrived_.notify();
  if (burst_) {
    burst_ = false;
    return;
  }
  if (discard_) {
    ++discarded_;
  } else {
    at(count_++) = {flying_, data_, bus_.status(), now()};
  }
  // After an error the pipeline will go elsewhere.
  const bool failed = !discard_ && bus_.status() != BusStatus::kOkay;
  discard_ = false;
  if (!failed) resume();
}

void FetchUnit::redirect(uint32_t address, uint64_t request) {
  discarded_ += count_;
  count_ = 0;
  left_.fill(0);
  turning_ = false;
  active_ = true;
  next_ = address;
  request_ = request;
  if (bus_.busy()) {
    discard_ = !burst_;
  } else {
    start(request);
  }
}

// Forgets what was fetched beyond an address of the stream.
void FetchUnit::drop_after(uint32_t address) {
  for (unsigned i = 0; i < count_; ++i) {
    if (at(i).address != address) continue;
    discarded_ += count_ - (i + 1);
    count_ = i + 1;
    return;
  }
  discarded_ += count_;
  count_ = 0;
}

bool FetchUnit::will_come(uint32_t address) const {
  if (bus_.busy() && !burst_ && !discard_) return flying_ == address;
  return active_ && next_ == address;
}

void FetchUnit::branch(uint32_t last_wanted, uint32_t target, uint64_t request) {
  if (will_come(last_wanted)) {
    if (flying_ == last_wanted && bus_.busy() && !discard_) {
      active_ = true;
      next_ = target;
      request_ = request;
    } else {
      turning_ = true;
      turn_ends_ = false;
      turn_after_ = last_wanted;
      turn_to_ = target;
      turn_request_ = request;
    }
    return;
  }
  drop_after(last_wanted);
  active_ = true;
  turning_ = false;
  next_ = target;
  request_ = request;
  if (bus_.busy()) {
    discard_ = !burst_;
  } else {
    resume();
  }
}

void FetchUnit::leave(uint32_t last_wanted) {
  if (will_come(last_wanted)) {
    if (flying_ == last_wanted && bus_.busy() && !discard_) {
      active_ = false;
    } else {
      turning_ = turn_ends_ = true;
      turn_after_ = last_wanted;
    }
    return;
  }
  drop_after(last_wanted);
  active_ = false;  // nothing is fetched, so nothing turns, until it is told where to go on
  if (bus_.busy()) discard_ = !burst_;
}

void FetchUnit::resume() {
  if (!active_ || bus_.busy() || count_ >= kWords) return;
  start(std::max(room_since(), request_));
}

void FetchUnit::changed(uint32_t first, uint32_t last) {
  const auto hit = [&](uint32_t address) { return address <= last && address + 3 >= first; };
  for (unsigned i = 0; i < count_; ++i) {
    if (!hit(at(i).address)) continue;
    return redirect(at(0).address, now());
  }
  if (bus_.busy() && !burst_ && !discard_ && hit(flying_))
    redirect(count_ > 0 ? at(0).address : flying_, now());
}

// ---- the pipeline's side

const FetchUnit::Word& FetchUnit::wait_for(uint32_t address, uint64_t request) {
  const bool comes = count_ > 0 ? at(0).address == address : will_come(address);
  if (!comes) redirect(address, request);
  resume();
  while (count_ == 0) {
    sc_core::wait(arrived_);
    resume();
  }
  return at(0);
}

FetchUnit::Word FetchUnit::take(uint32_t address, uint64_t request) {
  const Word word = wait_for(address, request);
  head_ = (head_ + 1) % kWords;
  --count_;
  return word;
}

uint64_t FetchUnit::read_burst(uint32_t address, void* data, uint32_t bytes, uint64_t request,
                               BusStatus& status) {
  active_ = turning_ = false;
  while (bus_.busy()) sc_core::wait(arrived_);
  burst_ = true;
  const uint64_t time = sc_core::sc_time_stamp().value();
  const uint64_t wanted = clock_.ps(std::max(request, now()));
  bus_.start(tlm::TLM_READ_COMMAND, address, data, bytes, nullptr,
             sc_core::sc_time::from_value(wanted - time));
  while (burst_) sc_core::wait(arrived_);
  status = bus_.status();
  return now();
}

}  // namespace gvp::host
