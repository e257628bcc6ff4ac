// SPDX-License-Identifier: Apache-2.0
// Other programs: what they are given and what they say, through files in memory.
#pragma once

#include <string>
#include <vector>

namespace gvp::kcc {

// A file in memory, for what a child reads and writes: no pipe can fill up.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& contents = "");
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  // By which a child finds it.
  std::string path() const;
  std::string contents() const;

 private:
  int descriptor_;
};

struct Outcome {
  int status = 0;  // as waitpid(2) gives it
  std::string output;
  std::string messages;
  bool found() const;  // the program could be run
  bool good() const;
};

// words: the arguments without the program's name.  Throws gvp::Error when there is no process to
// be had.
Outcome run(const std::string& program, std::vector<std::string> words, const std::string& input);

}  // namespace gvp::kcc
