// SPDX-License-Identifier: Apache-2.0
// The page that trace-report makes, opened and used in a browser.  GVP_SCREENSHOTS=FOLDER keeps
// pictures of it.
#include "tools/trace-report/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/tools/trace-report/browser.h"
#include "tests/tools/trace-report/synthetic_trace.h"
#include "tools/trace-report/differences.h"
#include "tools/trace-report/run.h"

namespace {

using gvp::test::Browser;
using gvp::test::TraceOptions;
using gvp::test::TraceSums;
using nlohmann::json;
using testing::IsEmpty;

constexpr const char* kAllDrawn =
    "[...document.querySelectorAll('.plot')].every((p) => p.querySelector('svg, canvas'))";

// Every colour that is somewhere in a picture counts.
std::string colours_of(const std::string& image) {
  return "(async () => { const image = new Image(); image.src = " + image +
         "; await image.decode(); const canvas = document.createElement('canvas');"
         "canvas.width = image.width; canvas.height = image.height;"
         "const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);"
         "return new Set(new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height)"
         ".data.buffer)).size; })()";
}

class TraceReportPage : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (Browser::program().empty() || gvp::trace_report::kEcharts.empty()) return;
    folder_ =
        std::filesystem::temp_directory_path() / fmt::format("trace_report_page_{}", getpid());
    std::filesystem::create_directories(folder_);
    browser_ = std::make_unique<Browser>(Browser::program(), folder_ / "browser");
    TraceOptions options;
    options.records = 8000;
    options.warps = 4;
    sums_ = gvp::test::write_trace((folder_ / "a.db").string(), options);
    options.memory_ns = 90;
    gvp::test::write_trace((folder_ / "b.db").string(), options);
    write("a.json", statistics(1));
    write("b.json", statistics(2));
    json report = {{"runs", {analyse("a")}}};
    write("one.html", gvp::trace_report::to_page(report, "A run <of> \"one\" & more"));
    report["runs"].push_back(analyse("b"));
    report["differences"] = gvp::trace_report::differences(report["runs"][0], report["runs"][1]);
    write("two.html", gvp::trace_report::to_page(report, "Two runs"));
    write("statistics.html",
          gvp::trace_report::to_page(
              {{"runs", {gvp::trace_report::analyse_run({(folder_ / "a.json").string()}, {})}}},
              "Statistics"));
  }
  static void TearDownTestSuite() {
    browser_.reset();
    if (folder_.empty()) return;
    // a process of the browser that is being killed may still finish a file
    std::error_code error;
    for (int i = 0; i < 1000; ++i)
      if (std::filesystem::remove_all(folder_, error); !error) return;
    FAIL() << error.message();
  }
  void SetUp() override {
    if (Browser::program().empty()) GTEST_SKIP() << "there is no chromium";
    if (browser_ == nullptr) GTEST_SKIP() << "built without npm and so without Apache ECharts";
  }

  static void open(const std::string& page, unsigned width = 1280, bool dark = false) {
    browser().prefer_dark(dark);
    browser().set_size(width, 900);
    browser().open(folder_ / page);
    browser().wait_for("document.documentElement.dataset.ready === 'true'");
  }
  // With everything drawn, also what is not in view; in view, too, where pictures are wanted.
  static void open_whole(const std::string& page, unsigned width = 1280, bool dark = false) {
    open(page, width, dark);
    if (std::getenv("GVP_SCREENSHOTS") != nullptr)
      browser().set_size(width, width < 600 ? 11000 : 8000);
    browser().evaluate("plots.forEach((plot) => plot.draw())");
    browser().wait_for(kAllDrawn);
  }
  static int take_picture(const std::string& name) {
    const std::string data = browser().screenshot();
    const std::string url = "'data:image/png;base64," + data + "'";
    if (const char* folder = std::getenv("GVP_SCREENSHOTS"); folder != nullptr) {
      std::ofstream(std::filesystem::path(folder) / (name + ".base64")) << data;
      std::filesystem::copy(folder_ / "two.html", std::filesystem::path(folder) / "two.html",
                            std::filesystem::copy_options::overwrite_existing);
    }
    return browser().evaluate(colours_of(url));
  }
  static std::filesystem::path in_folder(const std::string& name) { return folder_ / name; }
  static json value(const std::string& expression) { return browser().evaluate(expression); }
  // The brightness of the page's background, 0 to 255.
  static int brightness() {
    return value("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])");
  }

  static Browser& browser() { return *browser_; }
  // Of the trace of the first run.
  static const TraceSums& sums() { return sums_; }

 private:
  static void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  static json analyse(const std::string& name) {
    return gvp::trace_report::analyse_run(
        {(folder_ / (name + ".db")).string(), (folder_ / (name + ".json")).string()}, {});
  }
  static std::string statistics(unsigned slower) {
    json kernels = json::array();
    for (const char* kernel : {"transpose", "matrix_multiply"})
      kernels.push_back({{"name", kernel},
                         {"cycles", 40000 * slower},
                         {"warp_instructions", 4000},
                         {"thread_instructions", 120000},
                         {"stall_cycles", 900 * slower},
                         {"divergent_branches", 3},
                         {"configuration_cycles", 300},
                         {"stalls", {{"fetch", 100}, {"read", 200 * slower}}}});
    const json arbitration = {{"arbitration_wait_ns", {{"mean", 123.4}, {"max", 1234.5}}},
                              {"arbitration_losses", 1234567},
                              {"utilisation", 0.1234}};
    if (slower > 1) kernels.push_back({{"name", "scale"}, {"cycles", 700}});
    const json all = {
        {"tool", "gpgpu-vp"},
        {"firmware", "bench.elf"},
        {"sim_time_ns", 100000.0},
        {"exit_code", 0},
        {"end", "exit"},
        {"config",
         {{"axi", {{"model", "at"}, {"clock_hz", 100e6}, {"gpgpu", {{"data_bytes", 8}}}}},
          {"gpgpu",
           {{"model", "at"},
            {"sms", 1},
            {"sps", 8},
            {"clock_hz", 100e6},
            {"global_memory", "ddr3"}}}}},
        {"gpgpu", {{"kernels", kernels}}},
        {"host",
         {{"cycles", 10000},
          {"instructions", 6000},
          {"idle_cycles", 1000},
          {"stall_cycles", {{"data_bus", 2500}, {"branch", 500}}}}},
        {"axi",
         {{"initiators",
           {{"host_data",
             {{"reads", 1234567},
              {"writes", 2},
              {"bytes_read", 123456789},
              {"bytes_written", 8},
              {"stalled_requests", 1234567},
              {"latency_ns", {{"mean", 123.4}, {"p99", 1234.5}}},
              {"read", arbitration},
              {"write", arbitration}}}}}}},
        {"ddr3", {{"row_hits", 700}, {"row_misses", 90}, {"row_conflicts", 120 * slower}}}};
    return all.dump();
  }

  // Once for all tests: starting a browser takes seconds.
  static inline std::unique_ptr<Browser> browser_;
  static inline std::filesystem::path folder_;
  static inline TraceSums sums_;
};

TEST_F(TraceReportPage, IsSeenWhereTemporaryFilesHaveLongNames) {
  Browser browser(Browser::program(), in_folder(std::string(90, 'x')));
  EXPECT_EQ(browser.evaluate("6 * 7"), 42);
}

TEST_F(TraceReportPage, DrawsEverySectionWithoutAComplaintAndWithoutTheNetwork) {
  open_whole("one.html");
  EXPECT_THAT(browser().complaints(), IsEmpty());
  EXPECT_EQ(value("performance.getEntriesByType('resource').length"), 0);
  EXPECT_EQ(value("document.title"), "A run <of> \"one\" & more · trace report");
  EXPECT_EQ(value("document.querySelectorAll('.missing').length"), 0);
  EXPECT_EQ(value("[...document.querySelectorAll('h3')].map((h) => h.textContent)"),
            json({"Bandwidth over time", "Share of transactions within a latency",
                  "Waiting between ports", "Addresses over time", "Row hits, misses and conflicts",
                  "Banks over time", "Functions and kernels by traffic",
                  "Path of a slow transaction", "Kernels over time", "Where the host's cycles go",
                  "What kept the kernels", "Roofline of gpgpu", "Warps of transpose"}));
  // plots differ from an empty area
  EXPECT_EQ(value("[...document.querySelectorAll('.plot svg')].filter((s) => "
                  "s.querySelectorAll('path').length < 5).length"),
            0);
  const int canvases = value("document.querySelectorAll('.plot canvas').length");
  EXPECT_GE(canvases, 5);
  for (int i = 0; i < canvases; ++i)
    EXPECT_GT(value(colours_of(
                  fmt::format("document.querySelectorAll('.plot canvas')[{}].toDataURL()", i))),
              10)
        << i;
  EXPECT_GT(take_picture("light"), 50);
}

TEST_F(TraceReportPage, HasTheTracesTotals) {
  open("one.html");
  const json run = value("report.runs[0]");
  uint64_t bytes = 0, transactions = 0;
  for (const json& port : run["bandwidth"]["ports"]) {
    for (const json& each : port["bytes"]) bytes += each.get<uint64_t>();
    for (const json& each : port["transactions"]) transactions += each.get<uint64_t>();
  }
  uint64_t expected = 0;
  for (const auto& [name, commands] : sums().ports)
    for (const auto& command : commands) expected += command.bytes;
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(transactions, sums().records);
  const auto shown = [](const char* name) {
    return value(
        fmt::format("[...document.querySelectorAll('.tiles dt')].find((t) => "
                    "t.textContent === '{}').nextSibling.firstChild.textContent"
                    ".replaceAll(',', '')",
                    name));
  };
  EXPECT_EQ(shown("Transactions"), std::to_string(sums().begun.transactions));
  EXPECT_EQ(shown("Records"), std::to_string(sums().records));
  EXPECT_EQ(shown("Errors"), std::to_string(sums().begun.errors));
}

TEST_F(TraceReportPage, TheSwitchChangesBetweenLightAndDark) {
  open("one.html");
  EXPECT_GT(brightness(), 200);
  value("document.getElementById('theme').click()");
  EXPECT_LT(brightness(), 60);
  EXPECT_EQ(value("document.getElementById('theme').getAttribute('aria-pressed')"), "true");
  value("document.getElementById('theme').click()");
  EXPECT_GT(brightness(), 200);
  open_whole("one.html", 1280, true);  // as the system wants it
  EXPECT_LT(brightness(), 60);
  EXPECT_EQ(value("document.getElementById('theme').getAttribute('aria-pressed')"), "true");
  EXPECT_GT(take_picture("dark"), 50);
  EXPECT_THAT(browser().complaints(), IsEmpty());
}

TEST_F(TraceReportPage, EveryPlotHasATableAndADescription) {
  open("one.html");
  const int figures = value("document.querySelectorAll('figure').length");
  for (int i = 0; i < figures; ++i) {
    SCOPED_TRACE(i);
    const std::string figure = fmt::format("document.querySelectorAll('figure')[{}]", i);
    const std::string button = figure + ".querySelector('button[aria-controls]')";
    value(button + ".click()");
    EXPECT_EQ(value(button + ".getAttribute('aria-expanded')"), "true");
    EXPECT_GT(value("document.getElementById(" + button +
                    ".getAttribute('aria-controls')).querySelectorAll('tbody td').length"),
              0);
    EXPECT_GT(value("document.getElementById(" + figure +
                    ".querySelector('.plot').getAttribute('aria-describedby')).textContent.length"),
              30);
    value(button + ".click()");
    EXPECT_EQ(value(button + ".getAttribute('aria-expanded')"), "false");
  }
  EXPECT_THAT(browser().complaints(), IsEmpty());
}

TEST_F(TraceReportPage, TablesSortByColumn) {
  open("one.html");
  const auto bytes = [] {
    return value(
               "[...document.querySelector('#ports tbody').rows].map((r) => "
               "Number(r.cells[3].textContent.replaceAll(',', '')))")
        .get<std::vector<double>>();
  };
  const std::string button = "document.querySelectorAll('#ports thead button')[3].click()";
  value(button);
  const std::vector<double> descending = bytes();
  EXPECT_TRUE(std::is_sorted(descending.rbegin(), descending.rend()));
  value(button);
  const std::vector<double> ascending = bytes();
  EXPECT_TRUE(std::is_sorted(ascending.begin(), ascending.end()));
  EXPECT_GT(ascending.size(), 3u);
}

TEST_F(TraceReportPage, KeysZoomAPlot) {
  open("one.html");
  browser().wait_for("document.querySelector('.plot svg')");
  value("[...plots][0].area.focus()");
  const auto window = [] {
    return value("(({start, end}) => [start, end])([...plots][0].chart.getOption().dataZoom[0])");
  };
  EXPECT_EQ(window(), json({0, 100}));
  browser().press("+");
  EXPECT_EQ(window(), json({25, 75}));
  browser().press("ArrowRight");
  EXPECT_EQ(window(), json({37.5, 87.5}));
  browser().press("0");
  EXPECT_EQ(window(), json({0, 100}));
}

TEST_F(TraceReportPage, ANarrowPageDoesNotScrollSideways) {
  open_whole("two.html", 390);
  EXPECT_LE(value("document.documentElement.scrollWidth"), 390);
  EXPECT_GT(take_picture("phone"), 50);
  EXPECT_THAT(browser().complaints(), IsEmpty());
}

TEST_F(TraceReportPage, OnPaperEveryPlotIsThereAndAsWideAsThePaper) {
  open("one.html", 390, true);
  value("window.dispatchEvent(new Event('beforeprint'))");
  EXPECT_EQ(value(kAllDrawn), true);
  EXPECT_EQ(value("document.querySelectorAll('.plot canvas').length"), 0) << "may be left out";
  EXPECT_EQ(
      value("[...document.querySelectorAll('.plot')].filter((plot) => Math.abs(plot.querySelector("
            "'svg').getBoundingClientRect().width - 700) > 1 || plot.querySelectorAll('path')."
            "length < 3).length"),
      0);
  EXPECT_GT(brightness(), 200);
  value("window.dispatchEvent(new Event('afterprint'))");
  EXPECT_LT(brightness(), 60);
  EXPECT_LE(value("document.documentElement.scrollWidth"), 390);
  EXPECT_GT(value("document.querySelectorAll('.plot canvas').length"), 0);
  EXPECT_THAT(browser().complaints(), IsEmpty());
}

TEST_F(TraceReportPage, OnPaperNoTableIsCutOff) {
  open("two.html", 718);
  browser().prefer_dark(false, true);
  value("window.dispatchEvent(new Event('beforeprint'))");
  EXPECT_EQ(value("[...document.querySelectorAll('table')].filter((table) => "
                  "table.getBoundingClientRect().width > 718).map((table) => "
                  "table.caption.textContent)"),
            json::array());
  EXPECT_GT(value("document.querySelectorAll('table').length"), 5);
  value("window.dispatchEvent(new Event('afterprint'))");
  browser().prefer_dark(false);
}

TEST_F(TraceReportPage, TwoRunsAreComparedAndOneIsChosen) {
  open_whole("two.html");
  EXPECT_GT(value("document.querySelectorAll('#differences td.worse').length"), 3);
  EXPECT_EQ(value("document.querySelectorAll('#differences td.better').length"), 0);
  EXPECT_EQ(value("[...document.querySelectorAll('#differences tbody tr')].filter((row) => "
                  "row.textContent.includes('only in the second run')).length"),
            5);
  EXPECT_GT(take_picture("two"), 50);
  const std::string files = value("document.getElementById('subtitle').textContent");
  value("document.getElementById('run').value = '1'");
  value("document.getElementById('run').dispatchEvent(new Event('change'))");
  browser().evaluate("plots.forEach((plot) => plot.draw())");
  browser().wait_for(kAllDrawn);
  EXPECT_NE(value("document.getElementById('subtitle').textContent"), files);
  EXPECT_THAT(browser().complaints(), IsEmpty());
}

TEST_F(TraceReportPage, SaysWhatAnInputLacks) {
  open("statistics.html");
  EXPECT_EQ(value("document.querySelector('#bandwidth .missing').textContent"),
            "This needs a trace: gpgpu-vp --trace FILE.db.");
  EXPECT_THAT(browser().complaints(), IsEmpty());
}

}  // namespace
