// SPDX-License-Identifier: Apache-2.0
#include "models/host/cache.h"

#include <algorithm>

namespace gvp::host {
namespace {

uint32_t log2_of(uint32_t power_of_two) {
  return static_cast<uint32_t>(__builtin_ctz(power_of_two));
}

}  // namespace

Cache::Cache(const CacheShape& shape)
    : shape_(shape),
      span_(shape.last - shape.first),
      index_mask_(shape.bytes - 1),
      line_shift_(log2_of(shape.line_bytes)),
      all_words_((1u << (shape.line_bytes / 4)) - 1),
      lines_(shape.bytes / shape.line_bytes),
      data_(shape.bytes) {}

void Cache::invalidate_all() { std::fill(lines_.begin(), lines_.end(), Line{}); }

}  // namespace gvp::host
