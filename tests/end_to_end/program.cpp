// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/support/programs.h"

namespace gvp::test {
namespace {

// The files of this process's tests; removed with the process, but not by its children.
class TemporaryFiles {
 public:
  ~TemporaryFiles() {
    if (getpid() != owner_) return;
    for (const std::string& path : paths_) std::remove(path.c_str());
  }
  std::string add(const std::string& name) {
    paths_.push_back(testing::TempDir() + "gvp-" + std::to_string(getpid()) + "-" +
                     std::to_string(paths_.size() + 1) + "-" + name);
    return paths_.back();
  }

 private:
  pid_t owner_ = getpid();
  std::vector<std::string> paths_;
};

}  // namespace

Program::Program(const std::string& name, const std::vector<std::string>& arguments)
    : out_path_(temporary("out")), err_path_(temporary("err")) {
  const std::string path = name[0] == '/' ? name : program_path(name);
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  write(out_path_, "");
  write(err_path_, "");
  // Unlike fork(2), this copies nothing of a test that may be large.
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr int kFlags = O_WRONLY | O_TRUNC;
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, out_path_.c_str(), kFlags, 0);
  posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, err_path_.c_str(), kFlags, 0);
  const int error = posix_spawn(&process_, path.c_str(), &streams, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (error != 0) throw std::runtime_error(path + ": " + std::strerror(error));
}

Program::~Program() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  std::remove(out_path_.c_str());
  std::remove(err_path_.c_str());
}

void Program::signal(int number) const {
  if (process_ > 0) kill(process_, number);
}

std::string Program::out_so_far() const { return read(out_path_); }
std::string Program::err_so_far() const { return read(err_path_); }

Result Program::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), out_so_far(), err_so_far()};
}

std::string source(const std::string& path) { return std::string(GVP_SOURCE_DIR) + "/" + path; }

std::string firmware(const std::string& name) {
  return source("firmware/prebuilt/" + name + ".elf");
}

std::string temporary(const std::string& name) {
  static TemporaryFiles files;
  return files.add(name);
}

std::string read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace gvp::test
