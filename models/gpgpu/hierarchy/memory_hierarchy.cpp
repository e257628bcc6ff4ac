// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/memory_hierarchy.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/base/log.h"

namespace gvp::gpgpu::hierarchy {
namespace {

using nlohmann::ordered_json;

const Log log_gpgpu("gpgpu");

ordered_json json_of(const CacheLevel& level) {
  const cache::Counters& c = level.counters();
  const cache::MissTable::Counters misses = level.misses();
  return {{"reads", c.reads},
          {"writes", c.writes},
          {"read_hits", c.read_hits},
          {"write_hits", c.write_hits},
          {"sector_misses", c.sector_misses},
          {"fetches", c.fetches},
          {"fetched_bytes", c.fetched_bytes},
          {"evictions", c.evictions},
          {"write_backs", c.write_backs},
          {"write_back_bytes", c.write_back_bytes},
          {"write_evicts", c.write_evicts},
          {"writes_passed_on", c.writes_passed_on},
          {"bytes_passed_on", c.bytes_passed_on},
          {"merged_misses", misses.merged},
          {"full_miss_registers", misses.no_entry},
          {"full_miss_requests", misses.entry_full},
          {"most_miss_registers", misses.most_in_use}};
}

kit::Clock clock_of(double hz, const kit::Clock& gpgpu, const std::string& key) {
  return hz == 0 ? gpgpu : kit::Clock(hz, key.c_str());
}

}  // namespace

MemoryHierarchy::MemoryHierarchy(const Settings& settings, const std::string& instance,
                                 unsigned sms, MemoryPort& port, const kit::Clock& clock)
    : clock_(clock),
      l2_clock_(clock_of(settings.l2_clock_hz, clock, instance + ".l2.clock_hz")),
      network_clock_(clock_of(settings.network.clock_hz, clock, instance + ".network.clock_hz")),
      memory_(port, clock, settings.outstanding, settings.port_bytes),
      perfect_(port),
      is_perfect_(settings.perfect_memory),
      turns_(sms, clock) {
  MemoryLevel* below = &memory_;
  kit::Clock domain = clock;  // below's
  if (is_perfect_) below = &perfect_;
  if (settings.l2.enabled) {
    l2_ = std::make_unique<CacheLevel>(settings.l2, instance + ".l2",
                                       crossing(l2_clock_, domain, *below));
    below = l2_.get();
    domain = l2_clock_;
  }
  if (settings.network.topology != "none")
    network_ = std::make_unique<Network>(settings.network, sms);
  const bool overlapping =
      settings.l1.enabled
          ? settings.l1.miss_registers != 0
          : settings.outstanding > 1 || (settings.l2.enabled && settings.l2.miss_registers != 0);
  for (unsigned number = 0; number < sms; ++number) {
    MemoryLevel* first = below;
    if (network_) {
      network_ports_.push_back(std::make_unique<NetworkPort>(
          *network_, number, crossing(network_clock_, domain, *below)));
      first = network_ports_.back().get();
    }
    first = &crossing(clock, network_ ? network_clock_ : domain, *first);
    if (network_ || l2_ || !is_perfect_) {
      entries_.push_back(std::make_unique<SharedEntry>(turns_, number, *first));
      first = entries_.back().get();
    }
    const auto add_read_port = [&](const cache::Settings& cache, const char* name, auto& ports) {
      if (cache.enabled)
        ports.push_back(std::make_unique<ReadPort>(cache, instance + name, *first));
    };
    add_read_port(settings.instruction_cache, ".instruction_cache", instructions_);
    add_read_port(settings.constant_cache, ".constant_cache", constants_);
    if (settings.texture_cache.enabled)
      textures_.push_back(std::make_unique<CacheLevel>(settings.texture_cache,
                                                       instance + ".texture_cache", *first));
    if (settings.l1.enabled) {
      l1_.push_back(std::make_unique<CacheLevel>(settings.l1, instance + ".l1", *first));
      first = l1_.back().get();
    }
    sms_.push_back(std::make_unique<SmPort>(current_, *first, overlapping, settings,
                                            textures_.empty() ? nullptr : textures_.back().get()));
  }
  current_ = sms_.front().get();
}

// What those of the clock above ask in place of next.
MemoryLevel& MemoryHierarchy::crossing(const kit::Clock& above, const kit::Clock& below,
                                       MemoryLevel& next) {
  if (above.period_ps() == below.period_ps()) return next;
  crossings_.push_back(std::make_unique<ClockCrossing>(above, below, next));
  return *crossings_.back();
}

void MemoryHierarchy::begin(const sc_core::sc_time& start, bool annotated, bool apart) {
  memory_.begin(start, annotated);
  turns_.begin(start, apart);
  perfect_.begin();
  for (auto& sm : sms_) sm->reset();
  if (l2_) l2_->begin();
  if (network_) network_->begin();
  for (auto& cache : l1_) cache->begin();
  for (auto& cache : textures_) cache->begin();
  for (auto& port : instructions_) port->reset();
  for (auto& port : constants_) port->reset();
}

FaultCause MemoryHierarchy::end(uint64_t& cycle) {
  FaultCause cause = FaultCause::kNone;
  const auto clean = [&](CacheLevel& level, const kit::Clock& own, const char* which) {
    const ClockCrossing at(clock_, own, level);
    uint64_t inside = at.down(cycle);
    const FaultCause one = level.clean(inside);
    cycle = at.up(inside);
    level.settle_all();
    if (one == FaultCause::kNone) return;
    cause = one;
    log_gpgpu.error("{}: memory refuses what a kernel has written and its {} cache has held",
                    sc_core::sc_time_stamp().to_string(), which);
  };
  for (const auto& sm : sms_) cycle = std::max(cycle, sm->over());
  for (auto& cache : textures_) cache->settle_all();
  for (auto& cache : l1_) clean(*cache, clock_, "L1");
  if (l2_) clean(*l2_, l2_clock_, "L2");
  return cause;
}

void MemoryHierarchy::set_textures(const std::vector<Texture>& textures) {
  for (auto& sm : sms_) sm->set_textures(textures);
}

const BelowCounters& MemoryHierarchy::below() const {
  return is_perfect_ ? perfect_.counters() : memory_.counters();
}

ordered_json MemoryHierarchy::statistics() const {
  ordered_json json = ordered_json::object();
  for (const auto& sm : sms_) {
    const SmPortCounters& port = sm->counters();
    json["ports"].push_back({{"requests", port.requests}, {"stall_cycles", port.stall_cycles}});
  }
  for (const auto& cache : l1_) json["l1"].push_back(json_of(*cache));
  for (const auto& port : instructions_) json["instruction"].push_back(json_of(port->cache()));
  for (const auto& port : constants_) json["constant"].push_back(json_of(port->cache()));
  for (const auto& cache : textures_) json["texture"].push_back(json_of(*cache));
  if (network_) {
    const NetworkCounters& n = network_->counters();
    json["network"] = {{"packets", n.packets},
                       {"flits", n.flits},
                       {"bytes", n.bytes},
                       {"cycles", n.cycles},
                       {"blocked", n.blocked},
                       {"queue_waits", n.queue_waits},
                       {"most_queued", n.most_queued},
                       {"answer_waits", n.answer_waits}};
  }
  if (l2_) json["l2"] = json_of(*l2_);
  const BelowCounters& c = below();
  json["below"] = {{"reads", c.reads},
                   {"writes", c.writes},
                   {"bytes_read", c.bytes_read},
                   {"bytes_written", c.bytes_written}};
  return json;
}

}  // namespace gvp::gpgpu::hierarchy
