// SPDX-License-Identifier: Apache-2.0
// A headless Chromium, driven through the DevTools protocol over a pair of pipes
// (--remote-debugging-pipe: JSON messages that end with a zero byte).  POSIX.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gvp::test {

class Browser {
 public:
  // The program, or "" where there is none.
  static std::string program();
  // Whatever it writes goes into the folder; but for its sockets, whose names can have 107
  // characters at most, where the folder's own leaves them no room.  Throws std::runtime_error for
  // whatever fails, here and below.
  Browser(const std::string& program, const std::filesystem::path& folder);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void set_size(unsigned width, unsigned height);
  void prefer_dark(bool dark, bool on_paper = false);
  // Returns when the page and all that it loads are there.
  void open(const std::filesystem::path& page);
  // The value of an expression; of a promise, when it is fulfilled.
  nlohmann::json evaluate(const std::string& expression);
  // Returns when the expression is true.
  void wait_for(const std::string& expression);
  void press(const std::string& key);
  // A PNG file in base64.
  std::string screenshot();
  // Errors and warnings of the page so far: exceptions, console, network.
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  nlohmann::json call(const std::string& method,
                      const nlohmann::json& parameters = nlohmann::json::object());
  void wait_for_event(const std::string& method);
  nlohmann::json receive();
  void note(const nlohmann::json& event);

  std::filesystem::path sockets_;  // a folder of their own; empty: none
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::string received_;
  std::string session_;
  int calls_ = 0;
  std::vector<std::string> events_;  // names of those not waited for yet
  std::vector<std::string> complaints_;
};

}  // namespace gvp::test
