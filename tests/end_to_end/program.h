// SPDX-License-Identifier: Apache-2.0
// Runs gpgpu-vp (or another tool of the build) as a user would: a process of its own, with its
// output captured.
#pragma once

#include <string>
#include <vector>

namespace gvp::test {

struct Result {
  int exit_code = -1;  // -signal when it was killed
  std::string out;
  std::string err;
};

// A process under way; its output goes to temporary files, so that it never blocks on a pipe.
class Program {
 public:
  // name: of an executable in build/bin; stdin is /dev/null
  Program(const std::string& name, const std::vector<std::string>& arguments);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();  // kills what still runs

  void signal(int number) const;
  std::string out_so_far() const;
  std::string err_so_far() const;
  Result wait();

 private:
  std::string out_path_;
  std::string err_path_;
  int process_ = -1;
};

inline Result run(const std::string& name, const std::vector<std::string>& arguments) {
  return Program(name, arguments).wait();
}

// Paths in the source tree.
std::string source(const std::string& path);
std::string firmware(const std::string& name);  // firmware/prebuilt/NAME.elf
// A fresh path for a file of this test.
std::string temporary(const std::string& name);
std::string read(const std::string& path);
void write(const std::string& path, const std::string& content);

}  // namespace gvp::test
