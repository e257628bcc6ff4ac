// SPDX-License-Identifier: Apache-2.0
#include "trace/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "models/base/error.h"
#include "models/base/nearest.h"
#include "models/base/standard_streams.h"

namespace gvp::trace {
namespace {

// Which texts a pattern matches, found out once for each.
class Selection {
 public:
  Selection(const Patterns& patterns, const Names& names) : patterns_(patterns), names_(names) {}
  bool operator()(Id id) {
    if (patterns_.any()) return true;
    if (known_.size() <= id) known_.resize(std::max<size_t>(names_.size(), id + 1), kUnknown);
    if (known_[id] == kUnknown) known_[id] = patterns_.match(names_.text(id)) ? kYes : kNo;
    return known_[id] == kYes;
  }

 private:
  enum : uint8_t { kUnknown, kYes, kNo };
  const Patterns& patterns_;
  const Names& names_;
  std::vector<uint8_t> known_;  // by Id
};

Range joined(const Range& a, const Range& b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

// Sorted, and those that touch made one.
std::vector<Range> tidy(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<Range> result;
  for (const Range& range : ranges) {
    const bool touches = !result.empty() && (result.back().last == ~uint64_t{0} ||
                                             range.first <= result.back().last + 1);
    if (touches)
      result.back() = joined(result.back(), range);
    else
      result.push_back(range);
  }
  return result;
}

}  // namespace

struct Recorder::Route {
  Route(const Specification& specification, const Names& names)
      : file(specification.file),
        filter(specification.filter),
        sink(find_format(file)->make(file, names)),
        port(filter.ports, names),
        target(filter.targets, names),
        kernel(filter.kernels, names),
        function(filter.functions, names),
        from(names),
        to(names),
        active(filter.trigger_from.empty()),
        reached(filter.time.first == 0),
        by_origin(!filter.kernels.any() || !filter.functions.any()),
        all_transactions(filter.ports.any() && filter.targets.any() && !by_origin &&
                         filter.addresses.empty() && !filter.command && !filter.errors &&
                         filter.latency.first == 0 && filter.latency.last == ~uint64_t{0} &&
                         filter.time.first == 0 && filter.time.last == ~uint64_t{0} && active &&
                         filter.wants(Subject::kTransactions)) {}

  bool caused_by_wanted(Id origin, bool is_kernel) {
    if (!by_origin) return true;
    if (origin == kNobody) return false;
    return is_kernel ? !filter.kernels.any() && kernel(origin)
                     : !filter.functions.any() && function(origin);
  }

  // An exact name.
  struct Name {
    explicit Name(const Names& all) : names(all) {}
    const Names& names;
    bool operator()(const std::string& wanted, Id id) const {
      return !wanted.empty() && matches(wanted, names.text(id));
    }
  };

  std::string file;
  Filter filter;
  std::unique_ptr<Sink> sink;
  Selection port, target, kernel, function;
  Name from, to;
  bool active;             // the trigger has come
  bool triggered = false;  // once
  bool ended = false;      // the trigger's end has come, once
  bool reached;            // nothing can come any more that begins before the window of time
  // Levels of the time before the file begins, of files that show what is at each time.
  std::map<TrackId, Level> before;
  const bool by_origin;  // only what a kernel or function caused
  const bool all_transactions;
  std::vector<bool> announced;  // by TrackId
  uint64_t records = 0;
};

Recorder::Recorder(const std::vector<Specification>& files, size_t ring) : ring_size_(ring) {
  for (const Specification& each : files) {
    routes_.push_back(std::make_unique<Route>(each, names_));
    triggers_ = triggers_ || !each.filter.trigger_from.empty();
    some_begin_late_ = some_begin_late_ || triggers_ || each.filter.time.first != 0;
  }
  wants_origins_ = ring != 0 || wants(Subject::kTransactions);
  ring_.reserve(ring);
}

Recorder::~Recorder() { close(); }

TrackId Recorder::track(Subject subject, std::string_view group, std::string_view name,
                        std::string_view unit, unsigned bits) {
  const Track track{subject, names_.number(group), names_.number(name), names_.number(unit), bits};
  for (size_t i = 0; i < tracks_.size(); ++i)
    if (tracks_[i].subject == subject && tracks_[i].group == track.group &&
        tracks_[i].name == track.name)
      return static_cast<TrackId>(i);
  tracks_.push_back(track);
  return static_cast<TrackId>(tracks_.size() - 1);
}

bool Recorder::wants(Subject subject) const {
  return (subject == Subject::kTransactions && ring_size_ != 0) ||
         std::any_of(routes_.begin(), routes_.end(),
                     [&](const auto& route) { return route->filter.wants(subject); });
}

std::vector<Range> Recorder::wanted(const std::string& port, const std::vector<PortRegion>& regions,
                                    Subject subject) {
  ports_.push_back({port, subject});
  for (const PortRegion& region : regions) targets_.push_back(region.name);
  std::vector<Range> ranges;
  if (ring_size_ != 0 && subject == Subject::kTransactions) ranges.push_back({});
  for (const auto& route : routes_) {
    const Filter& filter = route->filter;
    if (!filter.wants(subject) || !filter.ports.match(port)) continue;
    std::vector<Range> places;
    if (filter.targets.match(port)) places.push_back({});
    for (const PortRegion& region : regions)
      if (filter.targets.match(region.name)) places.push_back(region.addresses);
    for (const Range& place : places) {
      if (filter.addresses.empty()) ranges.push_back(place);
      for (const Range& address : filter.addresses)
        if (address.first <= place.last && place.first <= address.last)
          ranges.push_back(
              {std::max(address.first, place.first), std::min(address.last, place.last)});
    }
  }
  return tidy(std::move(ranges));
}

std::vector<Range> Recorder::wanted_times(const std::string& port) const {
  std::vector<Range> times;
  if (ring_size_ != 0) times.push_back({});
  for (const auto& route : routes_)
    if (route->filter.wants(Subject::kTransactions) && route->filter.ports.match(port))
      times.push_back(route->filter.time);
  return tidy(std::move(times));
}

void Recorder::check_names() const {
  const auto check = [](const Route& route, const char* what, const Patterns& patterns,
                        std::vector<std::string> known) {
    for (const std::string& pattern : patterns.patterns()) {
      if (std::any_of(known.begin(), known.end(),
                      [&](const std::string& name) { return matches(pattern, name); }))
        continue;
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
      const std::string near = nearest(pattern, known);
      throw bad_input(fmt::format("no {} is called \"{}\"{}", what, pattern,
                                  near.empty() ? "" : fmt::format(" (did you mean {}?)", near)),
                      {"the filter of " + route.file},
                      fmt::format("there are {}", fmt::join(known, ", ")));
    }
  };
  std::vector<std::string> targets = targets_, ports;
  for (const Port& port : ports_) ports.push_back(port.name);
  targets.insert(targets.end(), ports.begin(), ports.end());
  for (const auto& route : routes_) {
    check(*route, "port", route->filter.ports, ports);
    check(*route, "target", route->filter.targets, targets);
    for (const Port& port : ports_)
      for (const std::string& pattern : route->filter.ports.patterns())
        if (pattern == port.name && !route->filter.wants(port.subject))
          throw bad_input(
              fmt::format("{} records no {}", route->file, to_string(port.subject)),
              {"the filter of " + route->file},
              fmt::format("for the port {} add record={}", port.name, to_string(port.subject)));
  }
}

void Recorder::check_subjects(unsigned sources,
                              const std::function<std::string(Subject)>& why) const {
  for (const auto& route : routes_)
    for (unsigned i = 0; i < kSubjects; ++i) {
      const Subject subject = subject_at(i);
      if ((route->filter.named & ~sources & static_cast<unsigned>(subject)) == 0) continue;
      throw bad_input(fmt::format("nothing here has {} to record", to_string(subject)),
                      {"the filter of " + route->file}, why(subject));
    }
}

void Recorder::check_functions(const std::function<bool(const std::string&)>& exists) const {
  for (const auto& route : routes_)
    for (const std::string& pattern : route->filter.functions.patterns())
      if (pattern.find_first_of("*?") == std::string::npos && !exists(pattern))
        throw bad_input(fmt::format("the firmware has no function \"{}\"", pattern),
                        {"the filter of " + route->file},
                        "names are those of its symbols; * stands for any characters");
}

std::vector<std::string> Recorder::never_seen() const {
  std::vector<std::string> texts;
  const auto check = [&](const Route& route, const char* what, const Patterns& patterns) {
    for (const std::string& pattern : patterns.patterns()) {
      bool seen = false;
      for (Id id = 0; id < names_.size() && !seen; ++id) seen = matches(pattern, names_.text(id));
      if (!seen)
        texts.push_back(
            fmt::format("{}: no {} \"{}\" was seen in this run", route.file, what, pattern));
    }
  };
  for (const auto& route : routes_) {
    if (!route->filter.trigger_from.empty() && !route->triggered)
      texts.push_back(fmt::format("{}: its trigger \"{}\" never began, so nothing was recorded",
                                  route->file, route->filter.trigger_from));
    if (route->triggered && !route->filter.trigger_to.empty() && !route->ended)
      texts.push_back(
          fmt::format("{}: the end of its trigger, \"{}\", never began, so all from the trigger on "
                      "was recorded",
                      route->file, route->filter.trigger_to));
    check(*route, "kernel", route->filter.kernels);
    check(*route, "function", route->filter.functions);
  }
  return texts;
}

bool Recorder::admits(Route& route, const Transaction& t) {
  const Filter& filter = route.filter;
  const Subject subject = t.local ? Subject::kLocal : Subject::kTransactions;
  if (!filter.wants(subject) || !route.active || !route.port(t.port)) return false;
  if (!filter.targets.any() && !route.target(t.target) && !route.target(t.port)) return false;
  if (filter.command && *filter.command != t.command) return false;
  if (filter.errors && !is_error(t.response)) return false;
  if (!filter.latency.contains(t.latency())) return false;
  if (t.end < filter.time.first || t.begin > filter.time.last) return false;
  const uint64_t last = t.address + (t.length == 0 ? 0 : t.length - 1);
  const bool inside =
      filter.addresses.empty() ||
      std::any_of(filter.addresses.begin(), filter.addresses.end(),
                  [&](const Range& r) { return t.address <= r.last && r.first <= last; });
  return inside && route.caused_by_wanted(t.origin, t.kernel);
}

bool Recorder::wants_of(Route& route, TrackId track, Id origin) {
  const Subject subject = tracks_[track].subject;
  const bool of_kernel = subject != Subject::kFunctions;
  return route.filter.wants(subject) &&
         (!route.by_origin || origin == kNobody || route.caused_by_wanted(origin, of_kernel));
}

bool Recorder::admits(Route& route, TrackId track, uint64_t begin, uint64_t end) {
  if (end < route.filter.time.first || begin > route.filter.time.last) return false;
  announce(route, track);
  ++route.records;
  return true;
}

void Recorder::announce(Route& route, TrackId track) {
  if (route.announced.size() <= track) route.announced.resize(tracks_.size());
  if (route.announced[track]) return;
  route.announced[track] = true;
  route.sink->track(track, tracks_[track]);
}

void Recorder::begins(Id name, uint64_t time) {
  for (size_t i = 0; i < routes_.size(); ++i) {
    Route& route = *routes_[i];
    if (!route.active && route.from(route.filter.trigger_from, name)) {
      route.active = route.triggered = true;
      for (auto& [number, open] : open_) open.during[i] = 1;
      if (route.reached) catch_up(i, time);
    } else if (route.active && route.to(route.filter.trigger_to, name)) {
      route.active = false;
      route.ended = true;
    }
  }
}

// Tells a file that something has begun, once.
void Recorder::tell(size_t i, uint64_t number) {
  Route& route = *routes_[i];
  Open& open = open_.at(number);
  Span span = open.span;
  span.detail = open.detail;
  if (open.told[i] != 0 || span.begin > route.filter.time.last) return;
  open.told[i] = 1;
  announce(route, span.track);
  route.sink->span_begins(span);
}

// A file begins here: tells it what is there already.
void Recorder::catch_up(size_t i, uint64_t time) {
  Route& route = *routes_[i];
  for (const auto& [number, open] : open_)
    if (open.during[i] != 0 && wants_of(route, open.span.track, open.span.origin)) tell(i, number);
  for (const auto& [track, level] : route.before) {
    announce(route, track);
    route.sink->level({track, std::max(time, level.time), level.value});
  }
  route.before.clear();
}

void Recorder::transaction(const Transaction& t) {
  if (triggers_ && t.origin != kNobody && !t.kernel) begins(t.origin, t.begin);
  for (const auto& route : routes_) {
    if ((!route->all_transactions || t.local) && !admits(*route, t)) continue;
    ++route->records;
    route->sink->transaction(t);
  }
  if (ring_size_ == 0 || t.local) return;
  if (ring_.size() < ring_size_)
    ring_.push_back(t);
  else
    ring_[ring_next_] = t;
  ring_next_ = (ring_next_ + 1) % ring_size_;
}

void Recorder::span(const Span& s) {
  const auto open = open_.find(s.number);
  for (size_t i = 0; i < routes_.size(); ++i) {
    Route& route = *routes_[i];
    const bool triggered = open == open_.end() ? route.active : open->second.during[i] != 0;
    if (triggered && wants_of(route, s.track, s.origin) && admits(route, s.track, s.begin, s.end))
      route.sink->span(s);
  }
  if (open != open_.end()) open_.erase(open);
}

void Recorder::span_begins(Span& s) {
  s.number = ++last_span_;
  if (some_begin_late_)
    open_.emplace(s.number, Open{s, std::string(s.detail), std::vector<uint8_t>(routes_.size()),
                                 std::vector<uint8_t>(routes_.size())});
  for (size_t i = 0; i < routes_.size(); ++i) {
    Route& route = *routes_[i];
    if (some_begin_late_) open_.at(s.number).during[i] = route.active ? 1 : 0;
    if (!route.active || !wants_of(route, s.track, s.origin)) continue;
    if (!some_begin_late_) {
      announce(route, s.track);
      if (s.begin <= route.filter.time.last) route.sink->span_begins(s);
    } else if (route.reached || s.begin >= route.filter.time.first) {
      tell(i, s.number);
    }
  }
}

void Recorder::begin(std::function<uint64_t()> horizon) {
  for (size_t i = 0; i < routes_.size(); ++i) {
    const auto& route = routes_[i];
    route->sink->set_horizon([this, i, horizon] {
      const uint64_t now = horizon();
      Route& here = *routes_[i];
      if (!here.reached && now > here.filter.time.first) {
        here.reached = true;
        if (here.active) catch_up(i, here.filter.time.first);
      }
      return now;
    });
    if (!route->sink->lists_first()) continue;
    for (const Port& port : ports_)
      if (const Id id = names_.number(port.name);
          route->filter.wants(port.subject) && route->port(id))
        route->sink->port(id);
    for (TrackId track = 0; track < tracks_.size(); ++track)
      if (route->filter.wants(tracks_[track].subject)) announce(*route, track);
  }
}

void Recorder::level(const Level& l) {
  for (const auto& route : routes_) {
    if (!wants_of(*route, l.track, kNobody)) continue;
    if (route->active && l.time >= route->filter.time.first) {
      if (admits(*route, l.track, l.time, l.time)) route->sink->level(l);
    } else if (route->sink->lists_first()) {
      route->before[l.track] = l;
    }
  }
}

void Recorder::event(const Event& e) {
  for (const auto& route : routes_)
    if (route->active && wants_of(*route, e.track, kNobody) &&
        admits(*route, e.track, e.time, e.time))
      route->sink->event(e);
}

void Recorder::flush() {
  for (const auto& route : routes_) route->sink->flush();
}

std::string Recorder::close() {
  if (!closed_)
    for (const auto& route : routes_) route->sink->close();
  closed_ = true;
  return failure();
}

const std::string& Recorder::failure() const {
  static const std::string none;
  for (const auto& route : routes_)
    if (!route->sink->failure().empty()) return route->sink->failure();
  return none;
}

void Recorder::dump_ring(const std::string& why) {
  if (ring_.empty()) return;
  write_standard_error(
      fmt::format("the latest {} transactions, oldest first, as {}:\n", ring_.size(), why));
  const auto sink = make_error_text_sink(names_);
  const size_t begin = ring_.size() < ring_size_ ? 0 : ring_next_;
  for (size_t i = 0; i < ring_.size(); ++i) sink->transaction(ring_[(begin + i) % ring_.size()]);
  sink->close();
}

std::vector<Recorder::Count> Recorder::counts() const {
  std::vector<Count> counts;
  for (const auto& route : routes_) counts.push_back({route->file, route->records});
  return counts;
}

}  // namespace gvp::trace
