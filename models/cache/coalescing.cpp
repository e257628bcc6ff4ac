// SPDX-License-Identifier: Apache-2.0
#include "models/cache/coalescing.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::cache {
namespace {

using Requests = std::vector<Request>;

constexpr uint32_t kSmallestSegment = 32;

unsigned first_lane(uint32_t lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); }

uint32_t align(uint32_t address, uint32_t bytes) { return address & ~(bytes - 1); }

// The lanes among these whose address lies in a segment.
uint32_t lanes_in(const WarpAccess& access, uint32_t lanes, uint32_t segment, uint32_t bytes) {
  uint32_t inside = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = first_lane(rest);
    if (align(access.addresses[lane], bytes) == segment) inside |= 1u << lane;
  }
  return inside;
}

void each_lane(const WarpAccess& access, uint32_t lanes, uint32_t bytes, Requests& requests) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = first_lane(rest);
    requests.push_back({align(access.addresses[lane], bytes), bytes, 1u << lane});
  }
}

// One request for each segment that lanes access.
void each_segment(const WarpAccess& access, uint32_t lanes, uint32_t bytes, Requests& requests) {
  for (uint32_t rest = lanes; rest != 0;) {
    const uint32_t segment = align(access.addresses[first_lane(rest)], bytes);
    const uint32_t served = lanes_in(access, rest, segment, bytes);
    requests.push_back({segment, bytes, served});
    rest &= ~served;
  }
}

// F.3.2.1: lane k of the half-warp accesses word k of an aligned segment.
bool successive_words(const WarpAccess& access, uint32_t lanes, uint32_t first, uint32_t& base) {
  if (access.bytes < 4) return false;
  const uint32_t alignment = access.bytes == 4 ? 64 : 128;
  const unsigned lane = first_lane(lanes);
  base = access.addresses[lane] - (lane - first) * access.bytes;
  if (base % alignment != 0) return false;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned k = first_lane(rest);
    if (access.addresses[k] != base + (k - first) * access.bytes) return false;
  }
  return true;
}

void compute_10(const WarpAccess& access, uint32_t lanes, uint32_t first, Requests& requests) {
  uint32_t base = 0;
  if (!successive_words(access, lanes, first, base)) {
    each_lane(access, lanes, kSmallestSegment, requests);
  } else if (access.bytes == 16) {
    // Two of 128 bytes, whether or not the lanes of both are active.
    requests.push_back({base, 128, lanes & 0xffu << first});
    requests.push_back({base + 128, 128, lanes & 0xff00u << first});
  } else {
    requests.push_back({base, access.bytes * 16, lanes});
  }
}

// F.3.2.2: the segment shrinks to the half that is used.
Request shrink(const WarpAccess& access, Request request) {
  while (request.bytes > kSmallestSegment) {
    const uint32_t half = request.bytes / 2;
    const uint32_t lower = lanes_in(access, request.lanes, request.address, half);
    if (lower != 0 && lower != request.lanes) break;
    if (lower == 0) request.address += half;
    request.bytes = half;
  }
  return request;
}

void compute_12(const WarpAccess& access, uint32_t lanes, Requests& requests) {
  const uint32_t segment = access.bytes == 1 ? 32 : access.bytes == 2 ? 64 : 128;
  const size_t before = requests.size();
  each_segment(access, lanes, segment, requests);
  for (size_t i = before; i < requests.size(); ++i) requests[i] = shrink(access, requests[i]);
}

}  // namespace

Coalescing coalescing_of(const std::string& name) {
  if (name == "none") return Coalescing::kNone;
  if (name == "compute-1.0") return Coalescing::kCompute10;
  if (name == "compute-1.2") return Coalescing::kCompute12;
  if (name == "compute-2.0") return Coalescing::kCompute20;
  throw bad_input(fmt::format("there is no rule of coalescing called \"{}\"", name), {},
                  "none, compute-1.0, compute-1.2 or compute-2.0");
}

void coalesce(Coalescing rule, const WarpAccess& access, uint32_t line_bytes, Requests& requests) {
  requests.clear();
  if (rule == Coalescing::kNone) {
    each_lane(access, access.lanes, access.bytes, requests);
    return;
  }
  // What is issued independently: half-warps, and with 2.x what is 128 bytes of words.
  unsigned width = 16;
  if (rule == Coalescing::kCompute20) width = access.bytes <= 4 ? 32 : 128 / access.bytes;
  const uint32_t first_part = width == 32 ? ~0u : (1u << width) - 1;
  for (unsigned first = 0; first < kWarpLanes; first += width) {
    const uint32_t lanes = access.lanes & first_part << first;
    if (lanes == 0) continue;
    if (rule == Coalescing::kCompute10)
      compute_10(access, lanes, first, requests);
    else if (rule == Coalescing::kCompute12)
      compute_12(access, lanes, requests);
    else
      each_segment(access, lanes, line_bytes, requests);
  }
}

}  // namespace gvp::cache
