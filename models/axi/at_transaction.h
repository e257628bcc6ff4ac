// SPDX-License-Identifier: Apache-2.0
// What the approximately timed interconnect keeps of a transaction: the record of what an
// initiator asked for, and the bursts that went to a target for it.  Both are pooled.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"
#include "models/tlm/id_order.h"
#include "models/tlm/transaction_identity.h"

namespace gvp::axi {

// A transaction of an initiator, from its request to the end of its response.
struct Record {
  tlm::tlm_generic_payload* payload = nullptr;
  Extension* extension = nullptr;  // the initiator's, if there
  unsigned initiator = 0;
  int region = 0;
  bool write = false;
  bool exclusive = false;
  bool complete = false;         // every burst has come back
  bool end_request_due = false;  // END_REQ is scheduled
  uint8_t qos = 0;
  kit::IdLink<Record> chain;
  unsigned beats = 0;      // on the initiator's port
  unsigned in_flight = 0;  // bursts at the target, not answered
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  uint64_t bytes = 0;     // data length
  uint64_t round = 0;     // the address starts over after so many (streaming); 0: it does not
  uint64_t offset = 0;    // bytes requested from the target so far
  uint64_t arrival = 0;   // ps
  uint64_t accepted = 0;  // ps: END_REQ
  uint64_t ready = 0;     // ps: at the target's arbiter
  uint64_t finished = 0;  // ps: last burst back
  uint64_t response_latency = 0;        // ps: from there to the initiator, for the first beat ...
  uint64_t response_beats = 0;          // ps: ... and for what follows
  sc_core::sc_event* waiter = nullptr;  // of a b_transport call
  std::vector<uint8_t> enables;         // byte enables, expanded if they repeat

  // Address of the byte at this offset: a wrapping burst goes round in its block (IHI 0022 A3.4.1).
  uint64_t address_of(uint64_t at) const {
    const uint64_t address = payload->get_address();
    if (round != 0) return address + at % round;
    if (extension == nullptr || extension->burst != Burst::kWrapping) return address + at;
    const uint64_t base = address & ~(bytes - 1);
    return base + ((address - base + at) & (bytes - 1));
  }
};

// A burst at a target: the payload that the target sees, and what it is for.
struct Child : tlm::tlm_generic_payload {
  explicit Child(tlm::tlm_mm_interface* pool) : tlm::tlm_generic_payload(pool) {
    set_extension(&axi);
  }
  ~Child() override {
    clear_extension(&axi);
    clear_extension<kit::TransactionIdentity>();
  }
  // Only for payloads that went to a target: they all are children.
  static Child& of(tlm::tlm_generic_payload& payload) { return static_cast<Child&>(payload); }
  // The same for what a target calls its own: null if it is none of ours, or is not under way.
  static Child* find(tlm::tlm_generic_payload& payload) {
    const auto* attributes = payload.get_extension<Extension>();
    if (attributes == nullptr || attributes != &of(payload).axi) return nullptr;
    return of(payload).record != nullptr ? &of(payload) : nullptr;
  }

  Extension axi;
  kit::TransactionIdentity identity;  // where the record's transaction has one
  Record* record = nullptr;
  unsigned target = 0;
  uint64_t begin = 0;          // ps: when it was sent
  uint64_t request_end = 0;    // ps: when its END_REQ takes effect
  bool request_ended = false;  // END_REQ has come
  bool responded = false;      // the response has come; it may still have to take effect
  bool end_owed = false;       // END_RESP follows as soon as the response takes effect ...
  bool held = false;           // ... or when there is room

  // For its next use: what only a target sets is as it must be in a request (IEEE 1666-2011, 14.16,
  // 14.17).
  void renew() {
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    set_dmi_allowed(false);
    set_gp_option(tlm::TLM_MIN_PAYLOAD);
    request_end = 0;
    request_ended = responded = end_owed = held = false;
  }
};

class ChildPool : public tlm::tlm_mm_interface {
 public:
  Child& acquire() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Child>(this));
      free_.push_back(all_.back().get());
    }
    Child& child = *free_.back();
    free_.pop_back();
    child.acquire();
    child.renew();
    return child;
  }
  void free(tlm::tlm_generic_payload* payload) override { free_.push_back(&Child::of(*payload)); }

 private:
  std::vector<std::unique_ptr<Child>> all_;
  std::vector<Child*> free_;
};

class RecordPool {
 public:
  Record& acquire() {
    if (free_.empty()) {
      all_.emplace_back();
      free_.push_back(&all_.back());
    }
    Record& record = *free_.back();
    free_.pop_back();
    return record;
  }
  void release(Record& record) {
    std::vector<uint8_t> enables = std::move(record.enables);
    enables.clear();
    record = Record{};
    record.enables = std::move(enables);
    free_.push_back(&record);
  }

 private:
  std::deque<Record> all_;
  std::vector<Record*> free_;
};

}  // namespace gvp::axi
