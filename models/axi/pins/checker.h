// SPDX-License-Identifier: Apache-2.0
// Looks at the pins of one AXI4 or AXI4-Lite port at every edge and reports what breaks a rule of
// IHI 0022, by either side: signal, rule with its section, time, transaction.  A handshake or a
// response that does not come within the time-out ends the simulation with an error, as nothing
// else would.
//
// Not checked: low power, barriers, user signals, unknown values (Verilator has none), and what
// only both ends of an interconnect together could show.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/axi/extension.h"
#include "models/axi/pins/port.h"
#include "models/rtl/agent.h"
#include "models/rtl/block.h"

namespace gvp::axi::pins {

struct CheckerSettings {
  uint64_t time_out = 100000;  // cycles; 0: none
};

struct PinViolation {
  std::string rule;     // "PIN_STABLE"
  std::string section;  // of IHI 0022: "A3.2.1"
  std::string signal;   // the block's name of it: "s_axi_awaddr"
  std::string text;     // what is wrong, with the transaction
  uint64_t time_ps = 0;
};

class Checker : public rtl::Agent {
 public:
  Checker(rtl::Block& block, const Port& port, const CheckerSettings& settings = {});

  // The first hundred, which are in the log, too; all are counted.
  const std::vector<PinViolation>& violations() const { return violations_; }
  uint64_t violation_count() const { return count_; }
  uint64_t transactions() const { return transactions_; }

 private:
  enum Name { kAw, kW, kB, kAr, kR, kChannels };
  struct Channel {
    const char* name = "";
    rtl::Pin valid, ready;
    std::vector<rtl::Pin> payload;
    bool waiting = false;       // valid without ready at the last edge
    uint64_t since = 0;         // the edge at which it became so
    std::vector<uint8_t> last;  // the payload then
  };
  struct Burst {
    bool write = false;
    uint64_t id = 0, address = 0;
    unsigned beats = 1, bytes = 1;  // AxLEN + 1, 2^AxSIZE
    axi::Burst type = axi::Burst::kIncrementing;
    bool lock = false;
    bool granted = false;  // exclusive: answered EXOKAY, and not used up
    unsigned done = 0;     // beats
    uint64_t since = 0;    // the edge of its last progress
  };
  struct WriteBeat {
    uint64_t strobes[2] = {};  // a bit a byte, up to 128
    bool last = false;
    uint64_t since = 0;  // its edge
  };

  void sample() override;
  void in_reset(unsigned cycle) override;
  void reset() override;
  uint64_t idle_edges() const override;

  void add_channel(Name name, const char* text, const rtl::Pin& valid, const rtl::Pin& ready,
                   std::vector<rtl::Pin> payload);
  // One function per group of rules.
  void check_handshake(Channel& channel);
  void check_address(const AddressPins& pins, const Burst& burst);
  void check_exclusive(const AddressPins& pins, const Burst& burst);
  void check_exokay(Burst& write, bool first, bool taken);
  void check_exokay_of_read(Burst& read);
  Burst* exclusive_read(uint64_t id);
  void forget_exclusive(uint64_t id);
  void check_strobes(const Burst& burst, const WriteBeat& beat);
  void check_time_out();

  Burst burst_of(const AddressPins& pins, bool write) const;
  void begin_write();
  void take_write_beat(const WriteBeat& beat);
  void match_write_data();
  void look_at_write_response(bool taken);
  void begin_read();
  void look_at_read_data(bool taken);
  WriteBeat write_beat() const;

  std::string describe(const Burst& burst) const;
  void report(const char* rule, const char* section, const rtl::Pin& signal,
              const std::string& text);
  [[noreturn]] void give_up(const rtl::Pin& signal, const std::string& text);

  rtl::Block& block_;
  Port port_;
  CheckerSettings settings_;
  Channel channels_[kChannels];
  std::deque<Burst> unwritten_;  // AW was taken, data are still to come
  std::deque<WriteBeat> early_;  // data whose AW is still to come
  std::deque<Burst> written_;    // B is still to come
  std::deque<Burst> reads_;
  std::vector<Burst> exclusive_;  // the last exclusive read of each ID that has ended
  std::vector<const uint8_t*> valids_;
  std::vector<PinViolation> violations_;
  uint64_t count_ = 0, transactions_ = 0;
};

}  // namespace gvp::axi::pins
