// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "models/base/error.h"
#include "models/base/nearest.h"

namespace gvp::trace_report {

using nlohmann::json;

namespace {

constexpr size_t kMostLaunches = 5000;
constexpr uint64_t kMostWarpSpans = 20000;

}  // namespace

KernelChoice parse_kernel_choice(const std::string& text) {
  const size_t colon = text.rfind(':');
  KernelChoice choice{text.substr(0, colon), 0};
  if (colon == std::string::npos) return choice;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, choice.launch);
  if (error != std::errc() || stop != end || choice.launch == 0)
    throw bad_input(
        fmt::format("--kernel {}: \"{}\" is no number of a launch", text, text.substr(colon + 1)),
        {}, "launches of a kernel count from 1: --kernel NAME:1");
  return choice;
}

void Spans::add(const Span& span) {
  const std::string& subject = trace_.tracks()[span.track].subject;
  if (subject == "warps") {
    ++warps_;
  } else if (subject == "kernels") {
    kernels_[span.name].add(span);
    if (launches_.size() < kMostLaunches)
      launches_.push_back({span.track, span.name, span.begin, span.end, std::string(span.detail)});
    else
      ++more_launches_;
  } else if (subject == "functions") {
    functions_[span.name].add(span);
  } else if (subject == "banks") {
    Bank& bank = banks_[span.track];
    bank.busy.add_span(span.begin, span.end);
    bank.states[span.name] += {1, span.end - span.begin};
  }
}

json Spans::launches() const {
  std::vector<Launch> sorted = launches_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Launch& a, const Launch& b) { return a.begin < b.begin; });
  json all = json::array();
  for (const Launch& launch : sorted)
    all.push_back({{"kernel", trace_.name(launch.name)},
                   {"device", trace_.tracks()[launch.track].place},
                   {"begin_ps", launch.begin},
                   {"end_ps", launch.end},
                   {"detail", launch.detail}});
  return {{"launches", std::move(all)}, {"more", more_launches_}};
}

json Spans::times(const std::map<uint32_t, Times>& all) const {
  json result = json::array();
  for (const auto& [name, times] : all)
    result.push_back({{"name", trace_.name(name)},
                      {"count", times.count},
                      {"total_ps", times.total},
                      {"longest_ps", times.longest}});
  std::stable_sort(result.begin(), result.end(), [](const json& a, const json& b) {
    return a["total_ps"].get<uint64_t>() > b["total_ps"].get<uint64_t>();
  });
  return result;
}

json Spans::kernels() const { return times(kernels_); }
json Spans::functions() const { return times(functions_); }

json Spans::banks() {
  std::vector<TimeBins*> all;
  for (auto& [track, bank] : banks_) all.push_back(&bank.busy);
  const CommonBins common = in_common(all, kMostBins);
  std::vector<const std::pair<const size_t, Bank>*> sorted;
  for (const auto& each : banks_) sorted.push_back(&each);
  // "bank 10" behind "bank 9"
  std::sort(sorted.begin(), sorted.end(), [&](const auto* a, const auto* b) {
    const Track &x = trace_.tracks()[a->first], &y = trace_.tracks()[b->first];
    return std::tuple(x.place, x.name.size(), x.name) < std::tuple(y.place, y.name.size(), y.name);
  });
  json banks = json::array();
  for (const auto* const each : sorted) {
    const auto& [track, bank] = *each;
    json states = json::array();
    for (const auto& [name, amount] : bank.states)
      states.push_back(
          {{"name", trace_.name(name)}, {"count", amount.count}, {"total_ps", amount.sum}});
    std::vector<uint64_t> busy(common.count);
    for (size_t i = 0; i < common.count; ++i) busy[i] = bank.busy.at(common.first + i).sum;
    banks.push_back({{"device", trace_.tracks()[track].place},
                     {"bank", trace_.tracks()[track].name},
                     {"states", std::move(states)},
                     {"busy_ps", std::move(busy)}});
  }
  return {{"begin_ps", common.first << common.shift},
          {"bin_ps", uint64_t{1} << common.shift},
          {"bins", common.count},
          {"banks", std::move(banks)}};
}

const Spans::Launch* Spans::choose(const KernelChoice& choice) const {
  const Launch* chosen = nullptr;
  uint64_t launch = 0;
  for (const Launch& each : launches_) {
    if (!choice.name.empty() && trace_.name(each.name) != choice.name) continue;
    if (++launch == choice.launch) return &each;
    if (choice.launch == 0 &&
        (chosen == nullptr || each.end - each.begin > chosen->end - chosen->begin))
      chosen = &each;
  }
  return chosen;
}

std::string Spans::lacks(const KernelChoice& choice) const {
  if (choose(choice) != nullptr) return "";
  std::vector<std::string> names;
  for (const auto& [name, times] : kernels_) {
    names.push_back(trace_.name(name));
    if (names.back() == choice.name)
      return fmt::format("{} {} of kernel \"{}\"", times.count,
                         times.count == 1 ? "launch" : "launches", choice.name);
  }
  const std::string near = nearest(choice.name, names);
  return fmt::format("no launch of a kernel \"{}\"{}", choice.name,
                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near));
}

json Spans::warps(const KernelChoice& choice, TraceFile& trace) const {
  const Launch& launch = *choose(choice);
  std::map<size_t, size_t> rows;  // by track
  json places = json::array(), spans = json::array(), texts = json::array();
  std::map<uint32_t, size_t> text_numbers;
  uint64_t count = 0;
  const SpanWindow window{"warps", launch.begin, std::max(launch.end, launch.begin + 1)};
  const std::string& device = trace_.tracks()[launch.track].place;
  trace.spans_in(window, [&](const Span& span) {
    const Track& track = trace_.tracks()[span.track];
    if (track.place != device || ++count > kMostWarpSpans) return;
    const auto [row, is_new] = rows.try_emplace(span.track, rows.size());
    if (is_new) places.push_back(track.name);
    const auto [text, is_new_text] = text_numbers.try_emplace(span.name, text_numbers.size());
    if (is_new_text) texts.push_back(trace_.name(span.name));
    spans.push_back({row->second, span.begin, span.end, text->second});
  });
  return {{"kernel", trace_.name(launch.name)},
          {"device", device},
          {"detail", launch.detail},
          {"begin_ps", launch.begin},
          {"end_ps", launch.end},
          {"spans", count},
          {"warps", std::move(places)},
          {"names", std::move(texts)},
          {"shown", std::move(spans)}};  // [warp, begin, end, name]
}

}  // namespace gvp::trace_report
