// SPDX-License-Identifier: Apache-2.0
// A memory behind an AXI4 port for tests, in C++ instead of RTL: takes and answers by chance, other
// IDs out of order, read data of several IDs interleaved.  Its arithmetic of bursts is that of
// IHI 0022 A3.4.2, written again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "tests/support/fake_rtl.h"

namespace gvp::test {

class FakeAxiSlave : public FakeRtl {
 public:
  struct Request {  // an address, as it was taken
    uint64_t address, id, length, size, burst;
    bool lock;
    uint64_t beat = 0;
  };
  std::vector<uint8_t> bytes;
  unsigned eagerness = 8;  // in 16: how often a channel does something
  std::vector<Request> reads_seen, writes_seen;
  unsigned interleaved = 0, overtaken = 0;  // beats, responses
  bool answers = true;
  bool early_last = false;      // a fault: RLAST at the first beat
  bool early_response = false;  // a fault: BVALID with the address

  FakeAxiSlave(unsigned data_bits, size_t size, uint32_t random_seed, unsigned write_id_bits = 4,
               unsigned read_id_bits = 4)
      : FakeRtl("fake_slave"), bytes(size), data_bytes_(data_bits / 8), random_(random_seed) {
    axi_port("s_axi_", false, data_bits, write_id_bits, read_id_bits, false);
    on_eval = [this](bool rising) {
      if ((*this)["aresetn"] == 0) return clear();
      if (rising) edge();
    };
  }

 private:
  uint64_t& pin(const char* name) {
    const std::string whole = std::string("s_axi_") + name;
    return has(whole) ? (*this)[whole] : nothing_ = 0;
  }
  bool now() { return random_() % 16 < eagerness; }

  void clear() {
    for (const char* name : {"awready", "wready", "arready", "bvalid", "rvalid"}) pin(name) = 0;
    writes_.clear();
    write_answers_.clear();
    reads_.clear();
    last_read_ = -1;
  }

  void edge() {
    if (pin("awvalid") != 0 && pin("awready") != 0) {
      writes_.push_back(request("aw"));
      writes_seen.push_back(writes_.back());
      if (early_response) write_answers_.push_back(writes_.back());
    }
    if (pin("wvalid") != 0 && pin("wready") != 0) take_data();
    if (pin("arvalid") != 0 && pin("arready") != 0) {
      reads_.push_back(request("ar"));
      reads_seen.push_back(reads_.back());
    }
    pin("awready") = now() ? 1 : 0;
    pin("wready") = !writes_.empty() && now() ? 1 : 0;
    pin("arready") = now() ? 1 : 0;
    if (pin("bvalid") == 0 || pin("bready") != 0) answer_write();
    if (pin("rvalid") == 0 || pin("rready") != 0) answer_read();
  }

  Request request(const std::string& x) {
    const auto of = [&](const char* name) { return pin((x + name).c_str()); };
    return {of("addr"), of("id"), of("len"), of("size"), of("burst"), of("lock") != 0, 0};
  }

  // A3.4.2: the address of a beat; the bytes of its lanes go up to its container's end.
  static uint64_t address(const Request& request) {
    const uint64_t number = uint64_t{1} << request.size;
    const uint64_t aligned = request.address / number * number;
    if (request.burst == 0 || request.beat == 0) return request.address;
    uint64_t address = aligned + request.beat * number;
    if (request.burst != 2) return address;
    const uint64_t total = number * (request.length + 1);
    const uint64_t boundary = request.address / total * total;
    return address >= boundary + total ? address - total : address;
  }

  void take_data() {
    Request& write = writes_.front();
    const uint64_t first = address(write);
    const uint64_t number = uint64_t{1} << write.size;
    const auto* data = reinterpret_cast<const uint8_t*>(words("s_axi_wdata"));
    for (uint64_t at = first; at < first / number * number + number; ++at) {
      const uint64_t lane = at % data_bytes_;
      if ((words("s_axi_wstrb")[0] >> lane & 1) != 0) bytes.at(at) = data[lane];
    }
    ++write.beat;
    if (pin("wlast") == 0) return;
    if (!early_response) write_answers_.push_back(write);
    writes_.pop_front();
  }

  // One by chance of those that are the oldest of their ID.
  int choose(const std::deque<Request>& requests) {
    std::vector<int> oldest;
    for (size_t i = 0; i < requests.size(); ++i)
      if (std::none_of(requests.begin(), requests.begin() + static_cast<std::ptrdiff_t>(i),
                       [&](const Request& each) { return each.id == requests[i].id; }))
        oldest.push_back(static_cast<int>(i));
    return oldest.empty() ? -1 : oldest[random_() % oldest.size()];
  }

  void answer_write() {
    pin("bvalid") = 0;
    const int chosen = answers && now() ? choose(write_answers_) : -1;
    if (chosen < 0) return;
    overtaken += chosen > 0 ? 1 : 0;
    const Request& write = write_answers_[static_cast<size_t>(chosen)];
    pin("bid") = write.id;
    pin("bresp") = write.lock ? 1 : 0;
    pin("bvalid") = 1;
    write_answers_.erase(write_answers_.begin() + chosen);
  }

  void answer_read() {
    pin("rvalid") = 0;
    const int chosen = answers && now() ? choose(reads_) : -1;
    if (chosen < 0) return;
    Request& read = reads_[static_cast<size_t>(chosen)];
    if (last_read_ >= 0 && static_cast<uint64_t>(last_read_) != read.id) ++interleaved;
    const uint64_t first = address(read) / data_bytes_ * data_bytes_;
    auto* data = reinterpret_cast<uint8_t*>(words("s_axi_rdata"));
    for (unsigned lane = 0; lane < data_bytes_; ++lane) data[lane] = bytes.at(first + lane);
    const bool is_last = read.beat == read.length || early_last;
    pin("rid") = read.id;
    pin("rresp") = read.lock ? 1 : 0;
    pin("rlast") = is_last ? 1 : 0;
    pin("rvalid") = 1;
    ++read.beat;
    last_read_ = is_last ? -1 : static_cast<int64_t>(read.id);
    if (is_last) reads_.erase(reads_.begin() + chosen);
  }

  unsigned data_bytes_;
  uint64_t nothing_ = 0;  // of pins that are not there
  std::mt19937 random_;
  std::deque<Request> writes_, write_answers_, reads_;
  int64_t last_read_ = -1;  // the ID of a burst that has not ended
};

}  // namespace gvp::test
