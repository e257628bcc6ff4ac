// SPDX-License-Identifier: Apache-2.0
// Who a transaction is: a number of its own, of the transaction that it serves and of the one that
// an initiator began, as an ignorable TLM-2.0 extension.  An interconnect or a memory controller
// that makes transactions of its own out of one gives each a child's identity, so that a recorder
// can follow what an initiator asked for down to every burst.
//
// Nobody is numbered unless somebody looks: an observer on an initiator's socket
// (transaction_numbering.h) begins, and what comes after only passes it on.  Numbers count from 1
// in the order in which transactions begin, so two runs of the same simulation have the same.
#pragma once

#include <cstdint>
#include <tlm>

namespace gvp::kit {

struct TransactionIdentity : tlm::tlm_extension<TransactionIdentity> {
  uint64_t number = 0;         // its own
  uint64_t parent = 0;         // that it serves; 0: none, an initiator began it
  uint64_t root = 0;           // that an initiator began, itself included
  const char* port = nullptr;  // of that initiator; lives as long as the simulation
  uint32_t origin = 0;         // who caused it, as the observer numbers functions and kernels
  bool kernel = false;         // that is a kernel
  bool kept = false;           // by who made it; else a payload that dies takes it along

  // A transaction that an initiator begins.
  void begin(const char* from) {
    number = root = ++last();
    parent = 0;
    port = from;
    origin = 0;
    kernel = false;
  }
  // It has not begun after all: nor has any other since.
  void take_back() { --last(); }
  // A transaction that is made for another one.
  void serve(const TransactionIdentity& served) {
    number = ++last();
    parent = served.number;
    root = served.root;
    port = served.port;
    origin = served.origin;
    kernel = served.kernel;
  }

  tlm_extension_base* clone() const override {
    auto* copy = new TransactionIdentity(*this);
    copy->kept = false;
    return copy;
  }
  void copy_from(const tlm_extension_base& other) override {
    const bool mine = kept;
    *this = static_cast<const TransactionIdentity&>(other);
    kept = mine;
  }
  void free() override {
    if (!kept) delete this;
  }

 private:
  static uint64_t& last() {
    static uint64_t number = 0;
    return number;
  }
};

// For who makes transactions out of others and keeps room for their identities: the child has one
// if its parent has.
inline void pass_identity(const tlm::tlm_generic_payload& parent, tlm::tlm_generic_payload& child,
                          TransactionIdentity& room) {
  const auto* identity = parent.get_extension<TransactionIdentity>();
  if (identity == nullptr) {
    child.clear_extension<TransactionIdentity>();
    return;
  }
  room.serve(*identity);
  room.kept = true;
  child.set_extension(&room);
}

}  // namespace gvp::kit
