// SPDX-License-Identifier: Apache-2.0
// Which line of which source file each instruction of a kernel was made from, whatever the
// instruction set: what a compiler leaves in the kernel's file when it is asked to (kcc -g).
// Addresses are bytes from the beginning of the kernel.
// Not kept: columns, and into which function's line an inlined one was expanded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gvp::gpgpu {

class LineTable {
 public:
  // Holds up to the next row's address, the last one up to the end of the code.
  struct Row {
    uint32_t address = 0;
    uint32_t file = 0;  // index into files()
    uint32_t line = 0;  // from 1; 0: of no line

    bool operator==(const Row& o) const {
      return address == o.address && file == o.file && line == o.line;
    }
  };

  const std::vector<std::string>& files() const { return files_; }
  const std::vector<Row>& rows() const { return rows_; }  // by ascending address
  bool empty() const { return rows_.empty(); }

  // The index of a file, which is added where it is new.
  uint32_t file(const std::string& name) {
    const auto [place, is_new] = index_.emplace(name, static_cast<uint32_t>(files_.size()));
    if (is_new) files_.push_back(name);
    return place->second;
  }
  // In ascending order of addresses; of two for one address the later counts, and what says nothing
  // new is left out.
  void add(uint32_t address, uint32_t file, uint32_t line) {
    if (!rows_.empty() && rows_.back().address == address) rows_.pop_back();
    if (!rows_.empty() && rows_.back().file == file && rows_.back().line == line) return;
    rows_.push_back({address, file, line});
  }

  // Null where nothing is known.
  const Row* find(uint32_t address) const {
    const auto after =
        std::upper_bound(rows_.begin(), rows_.end(), address,
                         [](uint32_t wanted, const Row& row) { return wanted < row.address; });
    if (after == rows_.begin() || (after - 1)->line == 0) return nullptr;
    return &*(after - 1);
  }
  // "k.cu:12"; empty where nothing is known.
  std::string place(uint32_t address) const {
    const Row* row = find(address);
    return row == nullptr ? "" : files_[row->file] + ':' + std::to_string(row->line);
  }

  bool operator==(const LineTable& o) const { return files_ == o.files_ && rows_ == o.rows_; }

 private:
  std::vector<std::string> files_;
  std::map<std::string, uint32_t> index_;  // of each file
  std::vector<Row> rows_;
};

}  // namespace gvp::gpgpu
