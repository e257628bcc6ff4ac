// SPDX-License-Identifier: Apache-2.0
// The order that AXI demands of responses (IHI 0022, A5.3): transactions with the same ID are
// answered as they came, others may overtake.  Each ID's transactions are a chain, oldest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gvp::kit {

// Transaction has the member `chain`, an IdLink<Transaction>.
template <typename Transaction>
struct IdLink {
  uint32_t id = 0;
  bool oldest = true;           // of its ID
  Transaction* next = nullptr;  // the next younger one of its ID
};

template <typename Transaction>
class IdOrder {
 public:
  // The transaction, whose chain.id is set, comes after all that are here.
  void add(Transaction& transaction) {
    for (Transaction*& last : youngest_) {
      if (last->chain.id != transaction.chain.id) continue;
      last->chain.next = &transaction;
      transaction.chain.oldest = false;
      last = &transaction;
      return;
    }
    youngest_.push_back(&transaction);
  }
  // Takes out a transaction that is the oldest of its ID; gives the next of that ID, which now is
  // the oldest, or null.
  Transaction* remove(Transaction& transaction) {
    Transaction* next = transaction.chain.next;
    if (next != nullptr) {
      next->chain.oldest = true;
      return next;
    }
    for (size_t i = 0; i < youngest_.size(); ++i) {
      if (youngest_[i] != &transaction) continue;
      youngest_[i] = youngest_.back();
      youngest_.pop_back();
      break;
    }
    return nullptr;
  }

 private:
  std::vector<Transaction*> youngest_;  // of each ID that is here
};

}  // namespace gvp::kit
