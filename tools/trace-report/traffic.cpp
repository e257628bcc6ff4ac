// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/traffic.h"

#include <algorithm>
#include <utility>

namespace gvp::trace_report {

using nlohmann::json;

json latency_to_json(const kit::Histogram& latency) {
  json classes = json::array();
  latency.for_each([&](uint64_t first, uint64_t last, uint64_t count) {
    classes.push_back({first, last, count});
  });
  return {{"mean_ps", latency.mean()},          {"p50_ps", latency.percentile(0.5)},
          {"p95_ps", latency.percentile(0.95)}, {"p99_ps", latency.percentile(0.99)},
          {"max_ps", latency.maximum()},        {"classes", std::move(classes)}};
}

Traffic::Port& Traffic::port(uint32_t id) {
  if (id != latest_id_) {
    latest_port_ = &ports_[id];
    latest_id_ = id;
  }
  return *latest_port_;
}

void Traffic::add(const Transaction& t) {
  const uint64_t latency = t.latency();
  ++records_;
  begin_ = std::min(begin_, t.begin);
  end_ = std::max(end_, t.end);
  all_ += {1, t.bytes};
  Port& at = port(t.port);
  if (t.is_begun_here()) {
    at.begins = true;
    begun_ += {1, t.bytes};
    errors_ += t.is_error();
  }
  Command& command = at.commands[t.command];
  command.amount += {1, t.bytes};
  command.errors += t.is_error();
  command.latency.add(latency);
  at.begin = std::min(at.begin, t.begin);
  at.end = std::max(at.end, t.end);
  at.latency += latency;
  at.most_outstanding = std::max(at.most_outstanding, t.outstanding);
  at.bandwidth.add(t.end, t.bytes);
  at.heat.add(t.address, t.end, t.bytes);
  const std::pair<uint32_t, bool> cause{t.origin, t.kernel};
  if (at.latest == nullptr || cause != at.latest_origin) {
    at.latest = &at.origins[cause];
    at.latest_origin = cause;
  }
  (t.command == 1 ? at.latest->writes : at.latest->reads) += {1, t.bytes};
  at.latest->latency += latency;
}

std::vector<uint32_t> Traffic::present() const {
  std::vector<uint32_t> ids;
  ids.reserve(ports_.size());
  for (const auto& [id, port] : ports_) ids.push_back(id);
  // those of initiators first
  std::sort(ids.begin(), ids.end(), [&](uint32_t a, uint32_t b) {
    const bool first = ports_.at(a).begins, second = ports_.at(b).begins;
    return first != second ? first : trace_.name(a) < trace_.name(b);
  });
  return ids;
}

json Traffic::summary() const {
  return {{"begin_ps", records_ == 0 ? 0 : begin_},
          {"end_ps", end_},
          {"records", records_},
          {"record_bytes", all_.sum},
          {"transactions", begun_.count},
          {"bytes", begun_.sum},
          {"errors", errors_}};
}

json Traffic::ports() const {
  json result = json::array();
  for (const uint32_t id : present()) {
    const Port& port = ports_.at(id);
    json commands = json::array();
    for (size_t i = 0; i < port.commands.size(); ++i) {
      const Command& command = port.commands[i];
      if (command.amount.count == 0) continue;
      commands.push_back({{"command", kCommandWords[i]},
                          {"transactions", command.amount.count},
                          {"bytes", command.amount.sum},
                          {"errors", command.errors},
                          {"latency", latency_to_json(command.latency)}});
    }
    const double time = static_cast<double>(port.end - port.begin);
    result.push_back({{"port", trace_.name(id)},
                      {"initiator", port.begins},
                      {"begin_ps", port.begin},
                      {"end_ps", port.end},
                      {"most_outstanding", port.most_outstanding},
                      {"mean_outstanding", time > 0 ? static_cast<double>(port.latency) / time : 0},
                      {"commands", std::move(commands)},
                      {"heat_map", port.heat.to_json()}});
  }
  return result;
}

json Traffic::bandwidth() {
  std::vector<TimeBins*> all;
  const std::vector<uint32_t> ids = present();
  all.reserve(ids.size());
  for (const uint32_t id : ids) all.push_back(&ports_[id].bandwidth);
  const CommonBins common = in_common(all, kMostBins);
  json ports = json::array();
  for (size_t i = 0; i < ids.size(); ++i) {
    std::vector<uint64_t> bytes(common.count), transactions(common.count);
    for (size_t bin = 0; bin < common.count; ++bin) {
      const Amount amount = all[i]->at(common.first + bin);
      bytes[bin] = amount.sum;
      transactions[bin] = amount.count;
    }
    ports.push_back({{"port", trace_.name(ids[i])},
                     {"bytes", std::move(bytes)},
                     {"transactions", std::move(transactions)}});
  }
  return {{"begin_ps", common.first << common.shift},
          {"bin_ps", uint64_t{1} << common.shift},
          {"bins", common.count},
          {"ports", std::move(ports)}};
}

json Traffic::origins() const {
  json result = json::array();
  for (const uint32_t id : present()) {
    const Port& port = ports_.at(id);
    for (const auto& [cause, origin] : port.origins) {
      const uint64_t transactions = origin.reads.count + origin.writes.count;
      result.push_back({{"port", trace_.name(id)},
                        {"initiator", port.begins},
                        {"name", trace_.name(cause.first)},
                        {"kernel", cause.second},
                        {"transactions", transactions},
                        {"bytes_read", origin.reads.sum},
                        {"bytes_written", origin.writes.sum},
                        {"latency_ps", origin.latency}});
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const json& a, const json& b) {
    return a["latency_ps"].get<uint64_t>() > b["latency_ps"].get<uint64_t>();
  });
  return result;
}

}  // namespace gvp::trace_report
