// SPDX-License-Identifier: Apache-2.0
// The rows of a cache's keys, for a device that has the settings of one as a member: written once,
// whatever the device and however many caches it has.
#pragma once

#include <algorithm>
#include <any>
#include <string>
#include <vector>

#include "models/cache/settings.h"
#include "models/device/key.h"

namespace gvp::cache {

// cache_keys<&Configuration::l1>("l1", "L1 data cache of each SM"): l1.enabled, l1.sets...
template <auto kCache>
std::vector<device::Key> cache_keys(const std::string& prefix, const std::string& what);

// The same of one that is only read, and holds whoever asks until it has answered: without policies
// of writes, ports and miss registers.  source: the option of GPGPU-Sim that the defaults are of.
template <auto kCache>
std::vector<device::Key> read_cache_keys(const std::string& prefix, const std::string& what,
                                         const std::string& source);

// The same of one of which data are only read, and which takes requests while others wait: without
// policies of writes.
template <auto kCache>
std::vector<device::Key> loads_cache_keys(const std::string& prefix, const std::string& what);

namespace detail {

template <auto kCache, auto kMember>
device::Field field(std::any& settings) {
  using Owner = decltype(device::class_of(kCache));
  return &(std::any_cast<Owner&>(settings).*kCache.*kMember);
}

}  // namespace detail

template <auto kCache>
std::vector<device::Key> cache_keys(const std::string& prefix, const std::string& what) {
  using namespace device;
  using S = Settings;
  const std::string p = prefix + '.';
  return {
      {p + "enabled", detail::field<kCache, &S::enabled>, anything(), "",
       what + ": present; without it the other keys of this group have no effect"},
      {p + "sets", detail::field<kCache, &S::sets>, power_of_two(1, 4096), "", what + ": sets"},
      {p + "ways", detail::field<kCache, &S::ways>, range(1, 64), "",
       what + ": ways of a set (1: direct mapped)"},
      {p + "line_bytes", detail::field<kCache, &S::line_bytes>, power_of_two(32, 256), "bytes",
       what + ": line (thesis 5.6: 128)"},
      {p + "sector_bytes", detail::field<kCache, &S::sector_bytes>, power_of_two(32, 256), "bytes",
       what + ": part of a line that is fetched at a time, no more than a line"},
      {p + "replacement", detail::field<kCache, &S::replacement>, one_of({"lru", "fifo", "random"}),
       "", what + ": which line of a full set goes (thesis 5.6: lru)"},
      {p + "seed", detail::field<kCache, &S::seed>, range(1, 4294967295.0), "",
       what + ": start of the random numbers where replacement is random"},
      {p + "write", detail::field<kCache, &S::write>,
       one_of({"write-through", "write-back", "write-evict"}), "",
       what + ": a write that hits changes the line and memory (write-through), the line alone "
              "(write-back), or memory alone and drops the line (write-evict, thesis 5.4)"},
      {p + "write_allocate", detail::field<kCache, &S::write_allocate>, anything(), "",
       what + ": a write that misses takes a line (thesis 5.4: false)"},
      {p + "hit_cycles", detail::field<kCache, &S::hit_cycles>, range(1, 1000), "cycles",
       what + ": from a request to its answer where it hits, and to the fetch where it misses"},
      {p + "ports", detail::field<kCache, &S::ports>, range(1, 32), "",
       what +
           ": requests that it takes in a cycle (thesis 5.4: of the L1 two, as its block RAM has "
           "two ports, of the L2 one)"},
      {p + "miss_registers", detail::field<kCache, &S::miss_registers>, range(0, 1024), "",
       what + ": lines on their way at a time (MSHR entries); 0: each request waits for the one "
              "before it"},
      {p + "miss_requests", detail::field<kCache, &S::miss_requests>, range(1, 1024), "",
       what + ": requests for a line on its way, the first included (MSHR merging)"},
      {p + "miss_queue", detail::field<kCache, &S::miss_queue>, range(1, 1024), "",
       what + ": fetches and writes that go on which the next level has not taken yet (thesis "
              "5.4.1: a FIFO); where it is full a request waits at the entrance"},
      {p + "write_buffer", detail::field<kCache, &S::write_buffer>, range(0, 1024), "",
       what +
           ": dirty lines on their way to the next level at a time, behind the fetches for which "
           "they made room; 0: a fetch waits until the line before it is written"},
  };
}

template <auto kCache>
std::vector<device::Key> loads_cache_keys(const std::string& prefix, const std::string& what) {
  std::vector<device::Key> keys = cache_keys<kCache>(prefix, what);
  const auto of_writes = [&](const device::Key& key) {
    return key.name.rfind(prefix + ".write", 0) == 0;
  };
  keys.erase(std::remove_if(keys.begin(), keys.end(), of_writes), keys.end());
  return keys;
}

template <auto kCache>
std::vector<device::Key> read_cache_keys(const std::string& prefix, const std::string& what,
                                         const std::string& source) {
  using namespace device;
  using S = Settings;
  const std::string p = prefix + '.';
  const std::string from = " (GPGPU-Sim's GTX 480: " + source + ")";
  return {
      {p + "enabled", detail::field<kCache, &S::enabled>, anything(), "",
       what +
           ": present, and what it holds is in memory on the bus, at off_chip_base (thesis 5.3); "
           "without it the other keys of this group have no effect"},
      {p + "sets", detail::field<kCache, &S::sets>, power_of_two(1, 4096), "",
       what + ": sets" + from + ", also of lines and ways"},
      {p + "ways", detail::field<kCache, &S::ways>, range(1, 64), "",
       what + ": ways of a set (1: direct mapped)"},
      {p + "line_bytes", detail::field<kCache, &S::line_bytes>, power_of_two(32, 256), "bytes",
       what + ": line"},
      {p + "sector_bytes", detail::field<kCache, &S::sector_bytes>, power_of_two(32, 256), "bytes",
       what + ": part of a line that is fetched at a time, no more than a line"},
      {p + "replacement", detail::field<kCache, &S::replacement>, one_of({"lru", "fifo", "random"}),
       "", what + ": which line of a full set goes"},
      {p + "seed", detail::field<kCache, &S::seed>, range(1, 4294967295.0), "",
       what + ": start of the random numbers where replacement is random"},
      {p + "hit_cycles", detail::field<kCache, &S::hit_cycles>, range(1, 1000), "cycles",
       what + ": from a read to its answer where it hits, and to the fetch where it misses; the "
              "first is among the pipeline's own cycles (thesis 5.3.1.1: a block RAM's)"},
  };
}

}  // namespace gvp::cache
