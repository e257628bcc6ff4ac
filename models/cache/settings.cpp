// SPDX-License-Identifier: Apache-2.0
#include "models/cache/settings.h"

#include <fmt/format.h>

#include "models/base/error.h"
#include "models/cache/keys.h"

namespace gvp::cache {
namespace {

struct Alone {
  Settings cache;
};

}  // namespace

void validate(const Settings& s, const std::string& prefix) {
  std::any settings = Alone{s};
  for (device::Key key : cache_keys<&Alone::cache>("cache", "")) {
    key.name.erase(0, std::string("cache.").size());
    device::require_allowed(prefix, key, settings);
  }
  if (s.sector_bytes > s.line_bytes)
    throw bad_input(fmt::format("{}.sector_bytes = {} is not possible", prefix, s.sector_bytes), {},
                    fmt::format("a sector is part of a line: at most {}.line_bytes, which is {}",
                                prefix, s.line_bytes));
  if (s.write == "write-evict" && s.write_allocate)
    throw bad_input(fmt::format("{0}.write_allocate = true is not possible with {0}.write = "
                                "\"write-evict\"",
                                prefix),
                    {}, "a cache that drops the line of each write cannot take one for a write");
}

}  // namespace gvp::cache
