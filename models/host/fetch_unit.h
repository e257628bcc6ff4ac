// SPDX-License-Identifier: Apache-2.0
// Fetches instruction words over the bus ahead of the pipeline, into the prefetch buffer (UG984,
// "Pipeline Architecture"): sequential words, one transaction at a time, as long as there is room.
// A taken branch empties the buffer.  What has been asked for cannot be taken back: the fetch of
// the target waits until the outstanding one has been answered, and that answer is thrown away.
//
// Cycles are those of the processor's clock since the start of simulation.
#pragma once

#include <array>
#include <cstdint>

#include "models/host/bus_master.h"
#include "models/tlm/clock.h"

namespace gvp::host {

class FetchUnit {
 public:
  // UG984, "Memory Architecture": "the instruction prefetch buffer requires 16 bytes margin".
  static constexpr unsigned kWords = 4;

  struct Word {
    uint32_t address = 0;
    uint32_t data = 0;
    BusStatus status = BusStatus::kOkay;
    uint64_t arrival = 0;  // cycle
  };

  FetchUnit(const char* socket_name, const kit::Clock& clock);

  BusMaster& bus() { return bus_; }

  // Waits (in a thread process) until the word has arrived, and leaves it in the buffer.  request:
  // the first cycle in which it may be asked for, if it is not what comes next anyway.
  const Word& wait_for(uint32_t address, uint64_t request);
  // The same, and takes it out.
  Word take(uint32_t address, uint64_t request);
  // A branch is taken: after the word at last_wanted (its own, or its delay slot's) the stream goes
  // on at target, to be asked for in the cycle `request` at the earliest.
  void branch(uint32_t last_wanted, uint32_t target, uint64_t request);
  // The same, where the target is not fetched over the bus.
  void leave(uint32_t last_wanted);
  // The word taken last leaves the buffer in this cycle: it is decoded.
  void left(uint64_t cycle) { left_[taken_++ % kWords] = cycle; }
  // Fetches on, if there is room.
  void resume();
  // Words of these physical addresses have changed.
  void changed(uint32_t first, uint32_t last);
  // A transaction of another kind (a line fill) by the calling thread process, after the
  // outstanding one; starts in the cycle `request` at the earliest.  Returns the cycle of its end.
  uint64_t read_burst(uint32_t address, void* data, uint32_t bytes, uint64_t request,
                      BusStatus& status);
  // Sequential words are fetched ahead up to this address.
  void set_limit(uint32_t last) { limit_ = last; }

  uint64_t fetches() const { return fetches_; }      // transactions for words
  uint64_t discarded() const { return discarded_; }  // words that no instruction came from

 private:
  void completed();
  void start(uint64_t cycle);
  void redirect(uint32_t address, uint64_t request);
  void drop_after(uint32_t address);
  uint64_t now() const { return clock_.cycles_up(sc_core::sc_time_stamp()); }
  // When the word to be fetched next finds room: the one kWords before it has left.
  uint64_t room_since() const { return left_[(taken_ + count_) % kWords]; }
  Word& at(unsigned i) { return buffer_[(head_ + i) % kWords]; }
  bool will_come(uint32_t address) const;

  const kit::Clock clock_;
  BusMaster bus_;
  sc_core::sc_event arrived_;
  std::array<Word, kWords> buffer_{};
  unsigned head_ = 0;
  unsigned count_ = 0;
  // Words taken may still be waiting to be decoded: the pipeline looks ahead of simulated time.
  std::array<uint64_t, kWords> left_{};  // cycles, of the words taken last
  unsigned taken_ = 0;

  uint32_t flying_ = 0;   // address of the outstanding fetch
  uint32_t data_ = 0;     // its answer
  bool discard_ = false;  // which nobody wants
  bool burst_ = false;    // the transaction is a line fill
  bool active_ = false;   // next_ is to be fetched
  uint32_t next_ = 0;
  uint64_t request_ = 0;  // not before this cycle
  bool turning_ = false;  // after turn_after_ the stream goes on at turn_to_, or ends
  bool turn_ends_ = false;
  uint32_t turn_after_ = 0;
  uint32_t turn_to_ = 0;
  uint64_t turn_request_ = 0;
  uint32_t limit_ = 0xfffffffc;
  uint64_t fetches_ = 0;
  uint64_t discarded_ = 0;
};

}  // namespace gvp::host
