// SPDX-License-Identifier: Apache-2.0
// What a trace consists of.  Times are picoseconds of simulated time, addresses and sizes bytes.
// Texts that come again and again (ports, functions, kernels) are numbers: Names has their text.
// Plain data: no SystemC.
//
//   Transaction  one pass of a transaction through one socket.  A transaction that passes several
//                sockets unchanged has the same number at each; what is made out of it (a burst, a
//                beat) has a number of its own and says whom it serves.
//   Span         something that lasted: a kernel, a block, a bank's open row...
//   Level        what a line or a queue has from now on.
//   Event        something that happened at one time, with a text: a line on the console.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/schema/words.h"

namespace gvp::trace {

using Id = uint32_t;
inline constexpr Id kNobody = 0;  // the empty text

// Every text once.  Memory grows with the number of different ones.
class Names {
 public:
  Names() { number(""); }
  Id number(std::string_view text);
  const std::string& text(Id id) const { return *texts_[id]; }
  size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string, Id> numbers_;
  std::vector<const std::string*> texts_;  // keys of numbers_, which do not move
};

enum class Command : uint8_t { kRead, kWrite, kIgnore };
enum class Response : uint8_t {
  kOkay,
  kIncomplete,
  kGenericError,
  kAddressError,
  kCommandError,
  kBurstError,
  kByteEnableError,
};
std::string_view to_string(Command command);    // "read", "write", "ignore"
std::string_view to_string(Response response);  // "ok", "address error"...
// What was under way as the run ended is none.
inline bool is_error(Response response) {
  return response != Response::kOkay && response != Response::kIncomplete;
}

struct Transaction {
  uint64_t number = 0;     // from 1, in the order in which transactions begin
  uint64_t parent = 0;     // that it serves; 0: none
  uint64_t root = 0;       // that an initiator began; its own number if it is that
  Id port = kNobody;       // where it was seen
  Id initiator = kNobody;  // nobody: not known, behind pins that carry no identity
  Id target = kNobody;     // where the port's address map leads
  Id origin = kNobody;     // the host's function or the kernel that caused it
  Command command = Command::kRead;
  Response response = Response::kOkay;
  bool kernel = false;       // the origin is a kernel
  bool local = false;        // on no bus, but in a processor's local memory
  uint32_t length = 0;       // of its data
  uint32_t outstanding = 1;  // under way on the port as it began, itself included
  uint64_t address = 0;      // as the port sees it
  uint64_t begin = 0;        // of the request
  uint64_t request_end = 0;  // the request's channel is free; by b_transport: as begin
  uint64_t response_begin = 0;
  uint64_t end = 0;  // of the response

  uint64_t latency() const { return end - begin; }
};

// What a track shows, and so what a filter can leave out.
enum class Subject : unsigned {
  kTransactions = 1,
  kKernels = 2,
  kBlocks = 4,
  kWarps = 8,
  kStages = 16,
  kBanks = 32,
  kInterrupts = 64,
  kConsole = 128,
  kPins = 256,       // of blocks of RTL
  kFunctions = 512,  // of the host
  kLocal = 1024,     // transactions in a processor's local memory
  kAccesses = 2048,  // bursts of SDRAM banks
};
inline constexpr unsigned kSubjects = schema::kSubjectWords.size();
inline constexpr Subject subject_at(unsigned index) { return static_cast<Subject>(1u << index); }
std::string_view to_string(Subject subject);  // "transactions"...

// Where spans, levels and events are shown: a row of a timeline.
struct Track {
  Subject subject = Subject::kTransactions;
  Id group = kNobody;  // "ddr3", "gpgpu"...
  Id name = kNobody;
  Id unit = kNobody;  // what it is a part of: the "SM 0" of a block's slot
  unsigned bits = 0;  // of its levels
};
using TrackId = uint32_t;

struct Span {
  TrackId track = 0;
  Id name = kNobody;
  Id origin = kNobody;  // the kernel or function that it is a part of
  uint64_t begin = 0;
  uint64_t end = 0;
  std::string_view detail;  // for people; valid during the call
  uint64_t number = 0;      // where its beginning was told (Recorder::span_begins); 0: it was not
  uint64_t root = 0;        // of the transaction that it serves; 0: none
};

struct Level {
  TrackId track = 0;
  uint64_t time = 0;
  int64_t value = 0;
};

struct Event {
  TrackId track = 0;
  uint64_t time = 0;
  std::string_view text;  // valid during the call
};

}  // namespace gvp::trace
