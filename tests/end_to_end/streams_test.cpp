// SPDX-License-Identifier: Apache-2.0
// The standard streams and the files of a run: closed, full, the same, endless.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/shell.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;

// Files of a test, removed with it.
class Streams : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& contents = "") {
    files_.push_back(temporary(name));
    if (!contents.empty()) write(files_.back(), contents);
    return files_.back();
  }
  ~Streams() override {
    for (const std::string& path : files_) std::remove(path.c_str());
  }

 private:
  std::vector<std::string> files_;
};

// What nobody can read changes neither the exit code nor what is written elsewhere.
TEST_F(Streams, ARunDoesNotDependOnStandardError) {
  const std::string expected = run("gpgpu-vp", {firmware("selftest")}).out;
  const std::string statistics = file("stats.json");
  const std::string console = file("console.txt");
  const std::string code = file("code");
  struct Case {
    const char* redirection;
    const char* reader;
  };
  for (const Case& each : {Case{"2>/dev/full", ""}, Case{"2>&-", ""}, Case{"2>&1", "| true"},
                           Case{"2>&1", "| head -c 5"}}) {
    shell("{ $BIN/gpgpu-vp --progress always --stats " + statistics + " " + firmware("selftest") +
          " " + each.redirection + " >" + console + "; echo $? >" + code + "; } " + each.reader);
    EXPECT_EQ(read(code), "0\n") << each.redirection << each.reader;
    EXPECT_EQ(read(console), expected) << each.redirection << each.reader;
    ASSERT_NE(read(statistics), "") << each.redirection << each.reader;
    EXPECT_EQ(nlohmann::json::parse(read(statistics))["exit_code"], 0) << each.redirection;
    std::remove(statistics.c_str());
  }
}

// What is meant for a closed standard error must not end up in the file that is opened next.
TEST_F(Streams, FilesDoNotGetWhatIsMeantForClosedStreams) {
  const std::string statistics = file("stats.json");
  shell("$BIN/gpgpu-vp --stats " + statistics + " " + firmware("hello") + " <&- >&- 2>&-");
  EXPECT_EQ(nlohmann::json::parse(read(statistics))["tool"], "gpgpu-vp");
  const std::string source = file("k.s", ".kernel k\nRET;\n");
  const std::string cubin = file("k.cubin");
  EXPECT_EQ(shell("$BIN/g80as " + source + " -o " + cubin + " 2>&-").exit_code, 0);
  EXPECT_EQ(read(cubin).find("architecture"), 0u);
}

TEST_F(Streams, AClosedStandardOutputIsSaid) {
  const Result result = shell("$BIN/gpgpu-vp --help >&-");
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("cannot write to standard output"));
}

TEST_F(Streams, OutputOverInputIsRefusedByNameAndLeavesTheInput) {
  const std::string contents = read(firmware("hello"));
  const std::string elf = file("fw.elf", contents);
  const std::string link = file("link");
  ASSERT_EQ(shell("ln -s " + elf + " " + link).exit_code, 0);
  const std::string toml = file("p.toml", "quantum_ns = 1000\n");
  for (const std::string& options :
       {"--stats " + elf, "--stats " + link, "--profile " + elf, "--uart file:" + elf,
        "--set uartlite.line=file:" + link, "-c " + toml + " --stats " + toml,
        "--stats - <" + elf + " >>" + elf}) {
    const Result result = shell("$BIN/gpgpu-vp " + elf + " " + options);
    EXPECT_EQ(result.exit_code, 126) << options;
    EXPECT_THAT(result.out + result.err, HasSubstr("would overwrite")) << options;
    EXPECT_EQ(read(elf), contents) << options;
  }
  EXPECT_EQ(read(toml), "quantum_ns = 1000\n");
}

TEST_F(Streams, TwoOutputsToOneFileAreRefusedByName) {
  const std::string path = file("out");
  const std::string link = file("link");
  ASSERT_EQ(shell("ln -s " + path + " " + link).exit_code, 0);  // dangles: nothing is there yet
  const size_t slash = path.rfind('/');
  const std::string other_spelling = path.substr(0, slash) + "/./" + path.substr(slash + 1);
  for (const std::string& options :
       {"--stats " + path + " --profile " + path, "--stats " + path + " --profile " + link,
        "--uart file:" + path + " --stats " + other_spelling,
        "--stats " + path + ".txt --profile " + path, std::string("--stats - --profile -")}) {
    const Result result = shell("$BIN/gpgpu-vp " + firmware("hello") + " " + options);
    EXPECT_EQ(result.exit_code, 126) << options;
    EXPECT_THAT(result.err, HasSubstr("would write to one file")) << options;
  }
  EXPECT_EQ(run("gpgpu-vp",
                {"--stats", "/dev/null", "--profile", "/dev/null", "--quiet", firmware("hello")})
                .err.find("one file"),
            std::string::npos);
}

TEST_F(Streams, AnEmptyNameIsRefused) {
  for (const char* option : {"--stats", "--profile"}) {
    const Result result = run("gpgpu-vp", {option, "", firmware("hello")});
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(result.err, HasSubstr(std::string(option) + ": the name of the file to write"));
  }
}

TEST_F(Streams, EndlessInputsAreRefused) {
  const std::string cuda = file("endless.cu");
  ASSERT_EQ(shell("ln -s /dev/zero " + cuda).exit_code, 0);
  const std::string kernel = "--grid 1 --block 1 ";
  for (const std::string& command :
       {std::string("gpgpu-vp /dev/zero"), "gpgpu-vp -c /dev/zero " + firmware("hello"),
        "gpgpu-vp --set ddr3.device=/dev/zero " + firmware("hello"),
        "gpgpu-run --cubin /dev/zero " + kernel, "gpgpu-run --code /dev/zero --regs 4 " + kernel,
        std::string("g80as /dev/zero"), std::string("g80dis - </dev/zero"),
        std::string("kcc /dev/zero"), "kcc " + cuda}) {
    const Result result = shell("$BIN/" + command);
    EXPECT_EQ(result.exit_code, 126) << command << result.err;
  }
  const std::string hex = file("ret.hex", "0x30000003\n0x00000780\n");
  const Result load = run("gpgpu-run", {"--code", hex, "--regs", "4", "--grid", "1", "--block", "1",
                                        "--load", "0=/dev/zero"});
  EXPECT_EQ(load.exit_code, 126);
  EXPECT_THAT(load.err, HasSubstr("longer than global memory can be: 4 MiB"));
}

TEST_F(Streams, TheOtherProgramsRefuseToOverwriteTheirInput) {
  const std::string text = ".kernel k\nRET;\n";
  const std::string source = file("k.s", text);
  EXPECT_EQ(run("g80as", {source, "-o", source}).exit_code, 126);
  EXPECT_EQ(read(source), text);
  const std::string cuda = file("k.cu", "__global__ void k() {}\n");
  const Result kcc = run("kcc", {cuda, "-o", cuda});
  EXPECT_EQ(kcc.exit_code, 126);
  EXPECT_THAT(kcc.err, HasSubstr("-o would overwrite the input, " + cuda));
  EXPECT_EQ(read(cuda), "__global__ void k() {}\n");
  const std::string words = file("k.hex", "0x30000003\n0x00000780\n");
  const Result device = run("gpgpu-run", {"--code", words, "--regs", "4", "--grid", "1", "--block",
                                          "1", "--stats", words});
  EXPECT_EQ(device.exit_code, 126);
  EXPECT_THAT(device.err, HasSubstr("--stats would overwrite --code"));
}

TEST_F(Streams, AClientIsWaitedForWhereAsked) {
  Program program("gpgpu-vp", {"--uart", "tcp:0,wait", "--quiet", firmware("hello")});
  const std::string before = "uart16550 is at 127.0.0.1:";
  for (int i = 0; i < 1000 && program.err_so_far().find("waiting") == std::string::npos; ++i)
    shell("sleep 0.01");
  const std::string said = program.err_so_far();
  ASSERT_NE(said.find(before), std::string::npos);
  const std::string port =
      std::to_string(std::stoi(said.substr(said.find(before) + before.size())));
  shell("sleep 0.3");  // a run of hello takes a tenth of this
  const Result client =
      run("/bin/bash", {"-c", "exec 3<>/dev/tcp/127.0.0.1/" + port + "; cat <&3"});
  EXPECT_THAT(client.out, HasSubstr("Hello from the MicroBlaze"));
  EXPECT_EQ(program.wait().exit_code, 0);
}

}  // namespace
}  // namespace gvp::test
