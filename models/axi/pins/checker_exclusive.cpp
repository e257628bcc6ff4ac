// SPDX-License-Identifier: Apache-2.0
// The rules of exclusive accesses (IHI 0022 A7.2).
#include <fmt/format.h>

#include <algorithm>

#include "models/axi/pins/checker.h"
#include "models/axi/pins/lanes.h"

namespace gvp::axi::pins {
namespace {

constexpr unsigned kMostExclusiveBeats = 16, kMostExclusiveBytes = 128;

}  // namespace

void Checker::check_exclusive(const AddressPins& pins, const Burst& burst) {
  const std::string what = describe(burst);
  const uint64_t total = uint64_t{burst.beats} * burst.bytes;
  if (burst.beats > kMostExclusiveBeats)
    report("PIN_EXCLUSIVE_LENGTH", "A7.2.4", pins.length,
           fmt::format("an exclusive burst of more than {} beats: {}", kMostExclusiveBeats, what));
  if (!power_of_two(total) || total > kMostExclusiveBytes)
    report("PIN_EXCLUSIVE_SIZE", "A7.2.4", pins.length,
           fmt::format("an exclusive access is a power of two up to {} bytes: {}",
                       kMostExclusiveBytes, what));
  else if (burst.address % total != 0)
    report("PIN_EXCLUSIVE_ALIGNED", "A7.2.4", pins.address,
           fmt::format("an exclusive access that is not aligned to its size: {}", what));
  if (!burst.write) return;
  const Burst* pair = exclusive_read(burst.id);
  if (pair == nullptr)
    report("PIN_EXCLUSIVE_PAIR", "A7.2.2", pins.lock,
           fmt::format("an exclusive write before an exclusive read of its ID: {}", what));
  else if (pair->address != burst.address || pair->beats != burst.beats ||
           pair->bytes != burst.bytes || pair->type != burst.type)
    report("PIN_EXCLUSIVE_PAIR", "A7.2.4", pins.lock,
           fmt::format("an exclusive {} that differs from the {}", what, describe(*pair)));
}

// EXOKAY takes an exclusive read of the ID that was answered so; one for each (A7.2.3).
void Checker::check_exokay(Burst& write, bool first, bool taken) {
  if (static_cast<Response>(port_.b.response.get()) != Response::kExclusiveOkay) return;
  Burst* read = write.lock ? exclusive_read(write.id) : nullptr;
  if (first && port_.lite)
    report("PIN_LITE_RESPONSE", "B1.1.1", port_.b.response, "AXI4-Lite has no EXOKAY");
  else if (first && !write.lock)
    report("PIN_EXOKAY", "A7.2.3", port_.b.response,
           fmt::format("EXOKAY for the {}, which is not exclusive", describe(write)));
  else if (first && (read == nullptr || !read->granted))
    report("PIN_EXOKAY", "A7.2.3", port_.b.response,
           fmt::format("EXOKAY for the {}, but no exclusive read of its ID was answered so before",
                       describe(write)));
  if (taken && read != nullptr) read->granted = false;
}

void Checker::check_exokay_of_read(Burst& read) {
  const auto response = static_cast<Response>(port_.r.response.get());
  const bool exokay = response == Response::kExclusiveOkay;
  if (exokay && port_.lite)
    report("PIN_LITE_RESPONSE", "B1.1.1", port_.r.response, "AXI4-Lite has no EXOKAY");
  else if (exokay && !read.lock)
    report("PIN_EXOKAY", "A7.2.3", port_.r.response,
           fmt::format("EXOKAY for the {}, which is not exclusive", describe(read)));
  else if (read.lock && read.done > 0 && (exokay || response == Response::kOkay) &&
           exokay != read.granted)
    report("PIN_EXOKAY_MIXED", "A7.2.3", port_.r.response,
           fmt::format("OKAY and EXOKAY in one burst, the {}", describe(read)));
  read.granted = exokay;
}

Checker::Burst* Checker::exclusive_read(uint64_t id) {
  for (Burst& read : exclusive_)
    if (read.id == id) return &read;
  return nullptr;
}

void Checker::forget_exclusive(uint64_t id) {
  exclusive_.erase(std::remove_if(exclusive_.begin(), exclusive_.end(),
                                  [&](const Burst& read) { return read.id == id; }),
                   exclusive_.end());
}

}  // namespace gvp::axi::pins
