// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/page.h"

#include <map>

#include "models/base/error.h"

namespace gvp::trace_report {
namespace {

// Within a script element, nothing may look like its end or like a comment.
std::string for_script(const nlohmann::json& report) {
  const std::string text = report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

std::string for_html(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

std::string to_page(const nlohmann::json& report, const std::string& title) {
  if (kEcharts.empty())
    throw bad_input("this trace-report was built without the plots of its page", {},
                    "install npm and build again, or use --text or --json");
  const std::map<std::string_view, std::string> parts = {
      {"title", for_html(title)},         {"style", std::string(kStyle)},
      {"echarts", std::string(kEcharts)}, {"script", std::string(kScript)},
      {"data", for_script(report)},
  };
  std::string page;
  std::string_view rest = kTemplate;
  for (;;) {
    const size_t open = rest.find("{{");
    page += rest.substr(0, open);
    if (open == std::string_view::npos) return page;
    const size_t close = rest.find("}}", open);
    page += parts.at(rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
}

}  // namespace gvp::trace_report
