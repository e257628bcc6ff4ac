// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/trace-report/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace gvp::test {

using nlohmann::json;

namespace {

constexpr int kLongestSilence = 240000;  // ms; something hangs, however busy the machine is

// In a process group of its own, so that none of its processes outlives it.
[[noreturn]] void become(const std::vector<std::string>& arguments, const std::string& home,
                         const std::string& sockets, int in, int out) {
  setpgid(0, 0);
  for (const char* variable : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
    setenv(variable, home.c_str(), 1);
  setenv("TMPDIR", sockets.c_str(), 1);
  // the descriptors may be 3 or 4 themselves
  const int in_copy = fcntl(in, F_DUPFD, 10), out_copy = fcntl(out, F_DUPFD, 10);
  dup2(in_copy, 3);
  dup2(out_copy, 4);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(null, stream);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

std::string Browser::program() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const char* name : {"/chromium", "/chromium-browser"})
      if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  return "";
}

Browser::Browser(const std::string& program, const std::filesystem::path& folder) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> commands{}, answers{};
  if (pipe2(commands.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  const std::vector<std::string> arguments = {program,
                                              "--headless",
                                              "--no-sandbox",  // which root cannot have
                                              "--disable-gpu",
                                              "--disable-dev-shm-usage",
                                              "--disable-extensions",
                                              "--disable-background-networking",
                                              "--no-first-run",
                                              "--hide-scrollbars",
                                              "--force-color-profile=srgb",
                                              "--remote-debugging-pipe",
                                              "--user-data-dir=" + (folder / "profile").string()};
  std::filesystem::create_directories(folder);
  // What the browser appends: "/org.chromium.Chromium.ABCDEF/SingletonSocket".
  constexpr size_t kMostCharacters = 107 - 46;
  if (folder.string().size() > kMostCharacters) {
    std::string pattern = "/tmp/gvp-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder in /tmp");
    sockets_ = pattern;
  }
  process_ = fork();
  if (process_ > 0) setpgid(process_, process_);
  if (process_ == 0) {
    const std::string sockets = sockets_.empty() ? folder.string() : sockets_.string();
    become(arguments, folder.string(), sockets, commands[0], answers[1]);
  }
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  const json target = call("Target.createTarget", {{"url", "about:blank"}});
  session_ = call("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}})
                 .at("sessionId");
  for (const char* domain : {"Page", "Runtime", "Log"}) call(std::string(domain) + ".enable");
}

Browser::~Browser() {
  close(to_);
  close(from_);
  if (process_ > 0) {
    kill(-process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  std::error_code error;  // a process that is being killed may still finish a file
  for (int i = 0; i < 1000 && !sockets_.empty(); ++i)
    if (std::filesystem::remove_all(sockets_, error); !error) return;
}

json Browser::receive() {
  for (;;) {
    const size_t end = received_.find('\0');
    if (end != std::string::npos) {
      json message = json::parse(received_.substr(0, end));
      received_.erase(0, end + 1);
      return message;
    }
    pollfd ready{from_, POLLIN, 0};
    if (poll(&ready, 1, kLongestSilence) <= 0) throw std::runtime_error("the browser is silent");
    std::array<char, 65536> buffer{};
    const ssize_t count = read(from_, buffer.data(), buffer.size());
    if (count <= 0) throw std::runtime_error("the browser has ended");
    received_.append(buffer.data(), static_cast<size_t>(count));
  }
}

void Browser::note(const json& event) {
  const std::string method = event.at("method");
  const json& parameters = event["params"];
  events_.push_back(method);
  if (method == "Runtime.exceptionThrown") {
    complaints_.push_back(parameters["exceptionDetails"].dump());
  } else if (method == "Log.entryAdded") {
    complaints_.push_back(parameters["entry"].dump());
  } else if (method == "Runtime.consoleAPICalled" &&
             (parameters["type"] == "error" || parameters["type"] == "warning")) {
    complaints_.push_back(parameters["args"].dump());
  }
}

json Browser::call(const std::string& method, const json& parameters) {
  const int id = ++calls_;
  json request = {{"id", id}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) request["sessionId"] = session_;
  std::string text = request.dump();
  text.push_back('\0');
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(to_, text.data() + sent, text.size() - sent);
    if (count <= 0) throw std::runtime_error("the browser does not listen");
    sent += static_cast<size_t>(count);
  }
  for (;;) {
    const json message = receive();
    if (message.contains("method")) {
      note(message);
    } else if (message.value("id", 0) == id) {
      if (message.contains("error"))
        throw std::runtime_error(method + ": " + message["error"].dump());
      return message["result"];
    }
  }
}

void Browser::wait_for_event(const std::string& method) {
  for (;;) {
    const auto found = std::find(events_.begin(), events_.end(), method);
    if (found != events_.end()) {
      events_.erase(found);
      return;
    }
    const json message = receive();
    if (message.contains("method")) note(message);
  }
}

void Browser::set_size(unsigned width, unsigned height) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
}

void Browser::prefer_dark(bool dark, bool on_paper) {
  call("Emulation.setEmulatedMedia",
       {{"media", on_paper ? "print" : ""},
        {"features", {{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}}}});
}

void Browser::open(const std::filesystem::path& page) {
  events_.clear();
  const json answer = call("Page.navigate", {{"url", "file://" + page.string()}});
  if (answer.contains("errorText")) throw std::runtime_error(answer.dump());
  wait_for_event("Page.loadEventFired");
}

json Browser::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails"))
    throw std::runtime_error(expression + ": " + answer["exceptionDetails"].dump());
  return answer["result"].value("value", json());
}

void Browser::wait_for(const std::string& expression) {
  evaluate("new Promise((done) => { const look = () => (" + expression +
           ") ? done() : setTimeout(look, 10); look(); })");
}

void Browser::press(const std::string& key) {
  for (const char* type : {"keyDown", "keyUp"})
    call("Input.dispatchKeyEvent", {{"type", type}, {"key", key}});
}

std::string Browser::screenshot() { return call("Page.captureScreenshot").at("data"); }

}  // namespace gvp::test
