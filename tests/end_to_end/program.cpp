// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/support/programs.h"

namespace gvp::test {
namespace {

void redirect(int descriptor, const std::string& path, int flags) {
  const int opened = open(path.c_str(), flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(120);
}

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
  process_ = fork();
  if (process_ != 0) return;
  redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  redirect(STDOUT_FILENO, out_path_, O_WRONLY | O_TRUNC);
  redirect(STDERR_FILENO, err_path_, O_WRONLY | O_TRUNC);
  execv(path.c_str(), argv.data());
  _exit(121);
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
