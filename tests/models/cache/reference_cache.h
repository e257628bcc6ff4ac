// SPDX-License-Identifier: Apache-2.0
// A second cache simulator, written from the definitions alone and shared with nothing: each set is
// a list of lines, the next to go at its front.  Slow, and simple enough to be read in a minute.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gvp::test {

class ReferenceCache {
 public:
  ReferenceCache(uint64_t sets, uint64_t ways, uint64_t line, std::string replacement,
                 uint32_t seed)
      : ways_(ways), line_(line), replacement_(std::move(replacement)), seed_(seed), sets_(sets) {}

  struct Result {
    bool hit = false;
    bool evicted = false;
    uint64_t victim = 0;  // its line number
    bool victim_dirty = false;
  };

  // May take a line when it misses; dirty: leaves the line so.
  Result access(uint64_t address, bool takes, bool dirty) {
    const uint64_t number = address / line_;
    std::vector<Way>& set = sets_[number % sets_.size()];
    Result result;
    for (size_t i = 0; i < set.size(); ++i) {
      if (set[i].number != number) continue;
      result.hit = true;
      set[i].dirty = set[i].dirty || dirty;
      if (replacement_ == "lru") {
        const Way used = set[i];
        set.erase(set.begin() + static_cast<std::ptrdiff_t>(i));
        set.push_back(used);
      }
      return result;
    }
    if (!takes) return result;
    if (set.size() < ways_) {
      set.push_back({number, dirty});
      return result;
    }
    size_t goes = 0;
    if (replacement_ == "random") goes = marsaglia() % ways_;
    result.evicted = true;
    result.victim = set[goes].number;
    result.victim_dirty = set[goes].dirty;
    if (replacement_ == "random") {
      set[goes] = {number, dirty};  // ways keep their places
    } else {
      set.erase(set.begin());
      set.push_back({number, dirty});
    }
    return result;
  }

  // Whether it was there.
  bool drop(uint64_t address) {
    const uint64_t number = address / line_;
    std::vector<Way>& set = sets_[number % sets_.size()];
    for (size_t i = 0; i < set.size(); ++i) {
      if (set[i].number != number) continue;
      set.erase(set.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    return false;
  }

 private:
  struct Way {
    uint64_t number;
    bool dirty;
  };

  uint32_t marsaglia() {
    uint64_t x = seed_;
    x = (x ^ (x << 13)) % 4294967296u;
    x = x ^ (x / 131072);
    x = (x ^ (x << 5)) % 4294967296u;
    seed_ = static_cast<uint32_t>(x);
    return seed_;
  }

  const uint64_t ways_, line_;
  const std::string replacement_;
  uint32_t seed_;
  std::vector<std::vector<Way>> sets_;
};

}  // namespace gvp::test
