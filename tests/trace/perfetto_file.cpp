// SPDX-License-Identifier: Apache-2.0
#include "tests/trace/perfetto_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "perfetto.pb.h"

namespace gvp::test {
namespace {

// The length of the packet at this place, with its key; 0: not whole.
size_t packet_at(const std::string& file, size_t at) {
  if (static_cast<unsigned char>(file[at]) != 0x0a) return 0;  // field 1, length-delimited
  uint64_t length = 0;
  size_t i = at + 1;
  for (unsigned shift = 0; i < file.size(); shift += 7, ++i) {
    length |= static_cast<uint64_t>(file[i] & 0x7f) << shift;
    if ((file[i] & 0x80) == 0) break;
  }
  const size_t end = i + 1 + length;
  return end <= file.size() ? end - at : 0;
}

class Reader {
 public:
  Reader(PerfettoFile& file, bool keep) : file_(file), keep_(keep) {}

  void packet(const perfetto::TracePacket& packet) {
    EXPECT_EQ(packet.trusted_packet_sequence_id(), 1u);
    for (const auto& entry : packet.interned_data().event_categories())
      categories_[entry.iid()] = entry.name();
    for (const auto& entry : packet.interned_data().event_names())
      names_[entry.iid()] = entry.name();
    for (const auto& entry : packet.interned_data().debug_annotation_names())
      annotations_[entry.iid()] = entry.name();
    if (packet.has_track_descriptor()) describe(packet.track_descriptor());
    if (packet.has_track_event()) event(packet.timestamp(), packet.track_event());
  }

 private:
  void describe(const perfetto::TrackDescriptor& track) {
    EXPECT_EQ(tracks_.count(track.uuid()), 0u) << "described twice";
    const bool child = track.has_parent_uuid();
    if (child) {
      EXPECT_EQ(tracks_.count(track.parent_uuid()), 1u) << "the parent comes first";
    }
    tracks_[track.uuid()] =
        child ? tracks_[track.parent_uuid()] + '/' + track.name() : track.name();
  }

  void event(uint64_t time, const perfetto::TrackEvent& event) {
    EXPECT_EQ(tracks_.count(event.track_uuid()), 1u) << "a track that nobody described";
    if (event.type() == 4) {
      if (keep_)
        file_.counters[tracks_[event.track_uuid()]].emplace_back(time, event.counter_value());
      return;
    }
    std::vector<Slice>& open = open_[event.track_uuid()];
    if (event.type() == 2) {
      if (open.empty()) {
        file_.overlaps.push_back("an end without a beginning");
        return;
      }
      open.back().end = time;
      if (time < open.back().begin) file_.overlaps.push_back("ends before it begins");
      last_[event.track_uuid()] = time;
      count(open.back());
      if (keep_) file_.slices.push_back(open.back());
      open.pop_back();
      return;
    }
    if (time < last_[event.track_uuid()])
      file_.overlaps.push_back("begins in the slice before: " + tracks_[event.track_uuid()]);
    Slice slice;
    slice.track = tracks_[event.track_uuid()];
    slice.begin = time;
    slice.name = event.has_name() ? event.name() : names_.at(event.name_iid());
    slice.category = categories_.at(event.category_iids(0));
    slice.flows = {event.flow_ids().begin(), event.flow_ids().end()};
    for (const auto& each : event.debug_annotations()) {
      std::string& text = slice.annotations[annotations_.at(each.name_iid())];
      if (each.has_string_value())
        text = each.string_value();
      else
        text = std::to_string(each.has_uint_value() ? each.uint_value() : each.pointer_value());
    }
    if (event.type() != 3)
      open.push_back(slice);
    else if (keep_)
      file_.instants.push_back(slice);
  }

  void count(const Slice& slice) {
    if (slice.category != "transactions") return;
    const std::string name = slice.track.substr(slice.track.find('/') + 1);
    PerfettoFile::Totals& totals = file_.totals[name.substr(0, name.find(" #")) + ' ' + slice.name];
    ++totals.transactions;
    totals.bytes += std::stoull(slice.annotations.at("bytes"));
    const auto response = slice.annotations.find("response");
    totals.errors +=
        response != slice.annotations.end() && response->second != "incomplete" ? 1 : 0;
  }

  PerfettoFile& file_;
  const bool keep_;
  std::map<uint64_t, std::string> tracks_, categories_, names_, annotations_;
  std::map<uint64_t, std::vector<Slice>> open_;
  std::map<uint64_t, uint64_t> last_;
};

}  // namespace

PerfettoFile::PerfettoFile(const std::string& path, bool keep) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  Reader reader(*this, keep);
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = packet_at(bytes, at);
    if (length == 0) break;
    perfetto::Trace trace;
    EXPECT_TRUE(trace.ParseFromString(bytes.substr(at, length)));
    EXPECT_EQ(trace.packet_size(), 1);
    reader.packet(trace.packet(0));
    at += length;
  }
}

}  // namespace gvp::test
