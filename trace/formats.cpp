// SPDX-License-Identifier: Apache-2.0
#include "trace/sink.h"

namespace gvp::trace {

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {".csv", "comma-separated values", make_csv_sink},
      {".txt", "text, a line for each record", make_text_sink},
      {".pftrace", "Perfetto, ui.perfetto.dev", make_perfetto_sink,
       static_cast<unsigned>(Subject::kAccesses)},
      {".db", "SQLite database", make_sqlite_sink},
      {".fst", "waveforms, GTKWave and Surfer", make_fst_sink,
       static_cast<unsigned>(Subject::kPins)},
      {".vcd", "waveforms as text", make_vcd_sink, static_cast<unsigned>(Subject::kPins)},
  };
  return all;
}

const Format* find_format(const std::string& path) {
  for (const Format& format : formats())
    if (path.size() > format.suffix.size() &&
        path.compare(path.size() - format.suffix.size(), std::string::npos, format.suffix) == 0)
      return &format;
  return nullptr;
}

}  // namespace gvp::trace
