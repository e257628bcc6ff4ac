// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/bursts.h"

#include <algorithm>

#include "models/axi/burst.h"
#include "models/axi/extension.h"
#include "models/tlm/payload.h"

namespace gvp::axi::pins {
namespace {

constexpr unsigned kMostWrappingBeats = 16;

// Whether the burst that the extension describes is one that the port can do, of these data.
bool as_described(const Extension& axi, const tlm::tlm_generic_payload& payload,
                  unsigned data_bytes, Beats& beats) {
  constexpr unsigned kWidestLog2 = 7;
  if (axi.beats < 1 || axi.beat_bytes_log2 > kWidestLog2) return false;
  beats = {payload.get_address(), axi.beats, 1u << axi.beat_bytes_log2, axi.burst};
  const unsigned length = payload.get_data_length();
  if (beats.bytes > data_bytes || bytes_of(beats, data_bytes) != length) return false;
  const uint64_t round = kit::touched_bytes(payload);
  switch (axi.burst) {
    case Burst::kFixed:
      return axi.beats <= kMaximumFixedBeats && round == length / axi.beats;
    case Burst::kWrapping:
      return axi.beats > 1 && axi.beats <= kMostWrappingBeats && power_of_two(axi.beats) &&
             beats.address % beats.bytes == 0 && round == length;
    default:
      return axi.beats <= kMaximumBeats && round == length &&
             beats.address % kBoundary + length <= kBoundary;
  }
}

// The bytes [first, first + bytes) of the data, at addresses that follow each other.
void add_incrementing(uint64_t address, unsigned first, uint64_t bytes, unsigned data_bytes,
                      std::vector<Part>& parts) {
  while (bytes > 0) {
    const uint64_t now = first_burst(address, bytes, data_bytes);
    const bool narrow = now < data_bytes && power_of_two(now) && address % now == 0;
    const unsigned beat = narrow ? static_cast<unsigned>(now) : data_bytes;
    parts.push_back({{address, beats_of(address, now, beat), beat, Burst::kIncrementing},
                     first,
                     static_cast<unsigned>(now)});
    address += now;
    first += static_cast<unsigned>(now);
    bytes -= now;
  }
}

void add_streaming(const tlm::tlm_generic_payload& payload, uint64_t round, unsigned data_bytes,
                   std::vector<Part>& parts) {
  const uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  const bool fixed = can_be_fixed(address, round, data_bytes);
  for (unsigned first = 0; first < length;) {
    const auto whole = static_cast<unsigned>((length - first) / round);
    if (fixed && whole > 0) {
      const unsigned beats = std::min(whole, kMaximumFixedBeats);
      const auto bytes = static_cast<unsigned>(beats * round);
      parts.push_back(
          {{address, beats, static_cast<unsigned>(round), Burst::kFixed}, first, bytes});
      first += bytes;
    } else {
      const uint64_t bytes = std::min<uint64_t>(round, length - first);
      add_incrementing(address, first, bytes, data_bytes, parts);
      first += static_cast<unsigned>(bytes);
    }
  }
}

bool add_wrapping(tlm::tlm_generic_payload& payload, unsigned data_bytes,
                  std::vector<Part>& parts) {
  const uint64_t length = payload.get_data_length();
  const bool enabled =
      payload.get_byte_enable_ptr() == nullptr || payload.get_byte_enable_length() >= length;
  if (!power_of_two(length) || !enabled || kit::touched_bytes(payload) != length) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  const uint64_t address = payload.get_address(), into = address % length;
  add_incrementing(address, 0, length - into, data_bytes, parts);
  add_incrementing(address - into, static_cast<unsigned>(length - into), into, data_bytes, parts);
  return true;
}

}  // namespace

uint64_t bytes_of(const Beats& beats, unsigned data_bytes) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < beats.beats; ++i) sum += lanes_of(beats, i, data_bytes).count;
  return sum;
}

bool cut(tlm::tlm_generic_payload& payload, unsigned data_bytes, std::vector<Part>& parts,
         bool widen) {
  const auto* axi = payload.get_extension<Extension>();
  const unsigned length = payload.get_data_length();
  Beats beats{};
  const bool free = widen && axi != nullptr && axi->burst == Burst::kIncrementing;
  if (axi != nullptr && !free && as_described(*axi, payload, data_bytes, beats)) {
    parts.push_back({beats, 0, length});
    return true;
  }
  if (axi != nullptr && axi->burst == Burst::kWrapping)
    return add_wrapping(payload, data_bytes, parts);
  const uint64_t round = kit::touched_bytes(payload);
  if (round < length)
    add_streaming(payload, round, data_bytes, parts);
  else
    add_incrementing(payload.get_address(), 0, length, data_bytes, parts);
  return true;
}

}  // namespace gvp::axi::pins
