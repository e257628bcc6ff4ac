// SPDX-License-Identifier: Apache-2.0
// Boards: what a file says is what is there, and what cannot work is refused where it stands.
#include "platform/board/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "platform/configuration/configuration.h"
#include "tests/support/seed.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A board with one of each that most rules need; `more` goes behind it.
std::string board_text(const std::string& more) {
  return R"(# Lines count from here.
name = "tiny"
[clocks]
system = 100_000_000
[devices.host]
type = "microblaze"
clock = "system"
bus = "axi"
windows.lmb = { base = 0 }
[devices.axi]
type = "axi_interconnect"
clock = "system"
[devices.intc]
type = "axi_intc"
bus = "axi"
base = 0x8000_0000
interrupt = { controller = "host", line = 0 }
)" + more;
}

std::string error_of_text(const std::string& text) {
  try {
    parse_board(text, "b.toml", "b.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

// The added part begins in line 18.
std::string error_of(const std::string& more) { return error_of_text(board_text(more)); }

TEST(Board, DevicesStandInTheOrderOfTheFile) {
  const Board board = parse_board(board_text(""), "b.toml", "b.toml");
  EXPECT_EQ(board.name, "tiny");
  ASSERT_EQ(board.devices.size(), 3u);
  EXPECT_EQ(board.devices[0].name, "host");
  EXPECT_EQ(board.devices[1].name, "axi");
  EXPECT_EQ(board.devices[2].places.front().base, 0x80000000u);
}

struct Refused {
  const char* name;
  const char* more;
  const char* error;
};

class BadBoard : public testing::TestWithParam<Refused> {};

TEST_P(BadBoard, IsRefusedWithLineAndRemedy) {
  EXPECT_EQ(error_of(GetParam().more), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BadBoard,
    testing::Values(
        Refused{"UnknownType", "[devices.t]\ntype = \"axi_tmer\"\n",
                "b.toml:19:8: unknown device type \"axi_tmer\" (did you mean \"axi_timer\"?)"},
        Refused{"NoType", "[devices.t]\nbus = \"axi\"\n",
                "b.toml:18:1: no type given (write type = \"...\"; --list-devices lists them)"},
        Refused{"UnknownWord", "[devices.t]\ntype = \"axi_timer\"\nbas = 0\n",
                "b.toml:20:1: unknown word \"devices.t.bas\" in a board (did you mean \"base\"?)"},
        Refused{"NoBus", "[devices.t]\ntype = \"axi_timer\"\nbase = 0x9000_0000\n",
                "b.toml:20:8: t is on no bus (write bus = \"...\"; buses: axi)"},
        Refused{"UnknownBus",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"ahb\"\nbase = 0x9000_0000\n",
                "b.toml:21:8: t is on bus \"ahb\", which this board does not have (buses: axi)"},
        Refused{"NotABus",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"intc\"\nbase = 0x9000_0000\n",
                "b.toml:21:8: t is on \"intc\", a axi_intc and no bus (buses: axi)"},
        Refused{"UnknownClock",
                "[devices.t]\ntype = \"axi_timer\"\nclock = \"sistem\"\nbus = \"axi\"\n"
                "base = 0x9000_0000\n",
                "b.toml:18:1: t has clock \"sistem\", which is not in [clocks] (did you mean "
                "\"system\"?)"},
        Refused{"NoClock", "[devices.d]\ntype = \"ddr3\"\nbus = \"axi\"\nbase = 0x9000_0000\n",
                "b.toml:18:1: d has no clock (write clock = \"...\", the name of one of [clocks])"},
        Refused{"Overlap", "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x8000_0000\n",
                "b.toml:21:8: t (0x80000000..0x80000000) overlaps intc (0x80000000..0x80000000) "
                "(move one of them, or make it smaller)"},
        Refused{"OverlapOfRooms",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x7fff_0000\n"
                "size = 0x2_0000\n",
                "b.toml:21:8: t (0x7fff0000..0x8000ffff) overlaps intc (0x80000000..0x80000000) "
                "(move one of them, or make it smaller)"},
        Refused{"LocalMemoryHidesTheBus",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0\n",
                "b.toml:21:8: t (0x0..0x0) overlaps host lmb (0x0..0x0) (move one of them, or make "
                "it smaller)"},
        Refused{
            "Alignment", "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x9000_0800\n",
            "b.toml:21:8: t: base 0x90000800, size 0x0 (both are multiples of 4 KiB (0x1000) on "
            "an AXI bus)"},
        Refused{"BeyondTheAddressSpace",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0xFFFF_0000\n"
                "size = 0x2_0000\n",
                "b.toml:21:8: t: 0x20000 bytes at 0xffff0000 go beyond the 32-bit address space "
                "(move it down, or make it smaller)"},
        Refused{"AddressTooLarge",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x1_0000_0000\n",
                "b.toml:21:8: base = 4294967296 is not possible (from 0 to 0xffffffff)"},
        Refused{"DoubledInterrupt",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x9000_0000\n"
                "interrupt = { controller = \"intc\", line = 3 }\n"
                "[devices.u]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x9100_0000\n"
                "interrupt = { controller = \"intc\", line = 3 }\n",
                "b.toml:27:13: t and u are both on line 3 of intc (give one of them a line of its "
                "own)"},
        Refused{"NoSuchController",
                "[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x9000_0000\n"
                "interrupt = { controller = \"axi\", line = 3 }\n",
                "b.toml:22:13: t interrupts \"axi\", which takes no interrupts from it "
                "(controllers: host, intc)"},
        Refused{"NoInterrupt",
                "[devices.r]\ntype = \"block_ram\"\nbus = \"axi\"\nbase = 0x9000_0000\n"
                "interrupt = { controller = \"intc\", line = 3 }\n",
                "b.toml:22:13: a block_ram has no interrupt (leave interrupt out)"},
        Refused{
            "DeafController",
            "[devices.i]\ntype = \"axi_intc\"\nbus = \"axi\"\nbase = 0x9000_0000\n",
            "b.toml:18:1: i interrupts nobody (write interrupt = { controller = \"host\", line = "
            "0 })"},
        Refused{
            "BusWithoutMaster", "[devices.b]\ntype = \"axi_interconnect\"\nclock = \"system\"\n",
            "b.toml:18:1: nobody is a master on bus b (put a device with a port of its own on it, "
            "or a bridge: masters.downstream = \"b\")"},
        Refused{"TwoProcessors",
                "[devices.h]\ntype = \"microblaze\"\nclock = \"system\"\nbus = \"axi\"\n"
                "windows.lmb = { base = 0x1000_0000 }\n",
                "b.toml:18:1: host and h are both host processors (this version runs one)"},
        Refused{"UnknownWindow",
                "[devices.g]\ntype = \"flexgrip\"\nclock = \"system\"\nbus = \"axi\"\n"
                "windows.textures = { base = 0x9000_0000 }\n",
                "b.toml:22:20: a flexgrip has no window \"textures\" (its windows: control, code, "
                "global)"},
        Refused{
            "BaseOfNamedWindows",
            "[devices.g]\ntype = \"flexgrip\"\nclock = \"system\"\nbus = \"axi\"\n"
            "base = 0x9000_0000\n",
            "b.toml:22:8: a flexgrip has several windows, or named ones (write windows.NAME = { "
            "base = ... }; names: control, code, global)"},
        Refused{
            "ReservedName", "[devices.wall]\ntype = \"axi_timer\"\n",
            "b.toml:18:1: a device cannot be called \"wall\" (statistics and platform files use "
            "this word for something else)"},
        Refused{
            "ControllersInACircle",
            "[devices.i]\ntype = \"axi_intc\"\nbus = \"axi\"\nbase = 0x9000_0000\n"
            "interrupt = { controller = \"j\", line = 0 }\n"
            "[devices.j]\ntype = \"axi_intc\"\nbus = \"axi\"\nbase = 0x9100_0000\n"
            "interrupt = { controller = \"i\", line = 0 }\n",
            "b.toml:22:13: the interrupts of i come back to it, and to no processor (let the last "
            "controller interrupt the processor)"},
        Refused{"NameOfAClocksLabel",
                "[devices.clock_system]\ntype = \"block_ram\"\nbus = \"axi\"\n"
                "base = 0x9000_0000\n",
                "b.toml:18:1: a device cannot be called \"clock_system\" (the device tree calls "
                "clock system so)"},
        Refused{
            "OddName", "[devices.\"A b\"]\ntype = \"axi_timer\"\n",
            "b.toml:18:1: \"A b\" is no name for a device (a lower-case letter, then lower-case "
            "letters, digits and _)"}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

// They stand in the C header and in the device tree.
TEST(Board, NamesAndDescriptionArePlainWords) {
  EXPECT_EQ(error_of_text("name = \"a\\\"b\"\n[devices]\n"),
            "b.toml: \"a\"b\" is no name for a board (letters, digits, _, -, . and +)");
  EXPECT_THAT(error_of_text("name = \"\"\n[devices]\n"), HasSubstr("is no name for a board"));
  EXPECT_EQ(error_of_text("name = \"a\"\ndescription = \"a\\nb\"\n[devices]\n"),
            "b.toml: the description has control characters in it (write one line of text)");
  EXPECT_EQ(error_of_text("name = \"a\"\n[clocks]\nsys-tem = 100_000_000\n[devices]\n"),
            "b.toml:3:11: \"sys-tem\" is no name for a clock (a lower-case letter, then lower-case "
            "letters, digits and _)");
}

TEST(Board, TwoDevicesOfOneNameAreRefused) {
  EXPECT_THAT(error_of("[devices.intc]\ntype = \"axi_timer\"\n"), StartsWith("b.toml:18:"));
}

TEST(Board, ABoardNeedsNameAndDevices) {
  EXPECT_EQ(error_of_text("[devices.a]\ntype = \"axi_timer\"\n"),
            "b.toml: no name given (a board needs a name: name = \"my_board\")");
  EXPECT_THAT(error_of_text("name = \"n\"\n"), HasSubstr("a board without devices"));
}

TEST(Board, AClockThatIsNoneIsRefused) {
  EXPECT_THAT(
      error_of_text("name = \"n\"\n[clocks]\nsystem = 5\n[devices.a]\ntype = \"axi_timer\"\n"),
      StartsWith("b.toml:3:10: clock system is no frequency from 1 MHz to 1 GHz"));
}

// What depends on keys is known when the configuration is.
std::string configuration_error_of(const std::string& more) {
  try {
    const Configuration configuration(
        std::make_shared<const Board>(parse_board(board_text(more), "b.toml", "b.toml")));
    for (const device::Instance& each : configuration.devices) placed_windows(configuration, each);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Board, AnUnknownKeyIsRefusedWithTheNearest) {
  EXPECT_EQ(configuration_error_of("[devices.r]\ntype = \"block_ram\"\nbus = \"axi\"\n"
                                   "base = 0x9000_0000\nkeys = { sise = 4096 }\n"),
            "b.toml:22:17: unknown key \"r.sise\" (did you mean \"r.size\"?)");
  EXPECT_THAT(configuration_error_of("[devices.r]\ntype = \"block_ram\"\nbus = \"axi\"\n"
                                     "base = 0x9000_0000\nkeys = { size = 5 }\n"),
              StartsWith("b.toml:22:17: r.size = 5 is not possible"));
}

TEST(Board, ATextWithAZeroByteIsRefused) {
  EXPECT_EQ(
      configuration_error_of("[devices.u]\ntype = \"axi_uartlite\"\nbus = \"axi\"\n"
                             "base = 0x9000_0000\nkeys = { line = \"file:a\\u0000b\" }\n"),
      "b.toml:22:17: u.line = \"file:a\\u0000b\" is not possible (allowed: a text without zero "
      "bytes)");
}

// Else the platform file that --dump-config writes would have a table and a value of one name.
TEST(Board, APortCalledAsAKeyOfItsBusIsRefused) {
  EXPECT_EQ(configuration_error_of("[devices.check]\ntype = \"block_ram\"\nbus = \"axi\"\n"
                                   "base = 0x9000_0000\n"),
            "b.toml:21:8: bus axi would have a port called check, and has a key axi.check (give "
            "this device another name)");
}

TEST(Board, AWindowBeyondItsRoomIsRefused) {
  EXPECT_EQ(
      configuration_error_of("[devices.r]\ntype = \"block_ram\"\nbus = \"axi\"\n"
                             "base = 0x9000_0000\nsize = 0x1000\n"),
      "b.toml:21:8: r has 0x10000 bytes, its place at 0x90000000 has room for 0x1000 (make the "
      "window smaller by its key, or move what is in the way)");
}

TEST(Board, AHoleThatIsTooSmallIsRefused) {
  EXPECT_THAT(configuration_error_of("[devices.r]\ntype = \"block_ram\"\nbus = \"axi\"\n"
                                     "base = 0x7fff_f000\n"),
              HasSubstr("r has 0x10000 bytes, its place at 0x7ffff000 has room for 0x1000"));
}

TEST(Board, AWindowWithoutPlaceIsRefused) {
  EXPECT_EQ(
      configuration_error_of("[devices.g]\ntype = \"flexgrip\"\nclock = \"system\"\n"
                             "bus = \"axi\"\nwindows.control = { base = 0x9000_0000 }\n"
                             "windows.code = { base = 0x9100_0000 }\n"),
      "b.toml:18:1: g's global window has no place on board tiny (write windows.global = { base "
      "= ... })");
}

TEST(Board, KeysOfABoardAreDefaults) {
  const Configuration configuration(std::make_shared<const Board>(parse_board(
      board_text("[devices.r]\ntype = \"block_ram\"\nbus = \"axi\"\nbase = 0x9000_0000\n"
                 "keys = { size = 0x2_0000 }\n"),
      "b.toml", "b.toml")));
  EXPECT_EQ(placed_windows(configuration, *configuration.find("r")).front().window.size, 0x20000u);
}

TEST(Board, ADeviceOnAnotherClockThanItsBusIsBehindACrossing) {
  const std::string text = board_text(
      "[devices.t]\ntype = \"axi_timer\"\nclock = \"slow\"\nbus = \"axi\"\nbase = 0x9000_0000\n"
      "[devices.u]\ntype = \"axi_timer\"\nclock = \"system\"\nbus = \"axi\"\nbase = 0x9100_0000\n");
  const Configuration configuration(std::make_shared<const Board>(
      parse_board("clocks.slow = 25_000_000\nclocks.system = 100_000_000\n" +
                      text.substr(0, text.find("[clocks]")) + text.substr(text.find("[devices")),
                  "b.toml", "b.toml")));
  EXPECT_EQ(clock_of(configuration, *configuration.find("t")), 25e6);
  EXPECT_EQ(clock_of(configuration, *configuration.find("u")), 100e6);
  const Bus& bus = *configuration.find_bus("axi");
  EXPECT_EQ(bus.find("t", "", false)->configuration.clock_hz, 25e6);
  EXPECT_EQ(bus.find("u", "", false)->configuration.clock_hz, 0);
}

TEST(Board, AnythingThatIsNoBoardIsRefusedWithoutHarm) {
  const uint32_t seed = gvp::test::seed(20260101);
  SCOPED_TRACE(gvp::test::text_of_seed(seed));
  std::mt19937 random(seed);
  const std::string good(built_in_boards().front().text);
  for (int i = 0; i < 300; ++i) {
    std::string text = good;
    for (int changes = 0; changes < 4; ++changes)
      text[random() % text.size()] = static_cast<char>(random());
    try {
      Configuration(std::make_shared<const Board>(parse_board(text, "mutated", "mutated")));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
    }
  }
}

TEST(Board, AMisspeltNameOfABuiltInBoardIsRefusedWithTheNearest) {
  try {
    load_board("ml60");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"ml605\"?"));
  }
}

TEST(DeviceTypes, OfOneNameAreRefused) {
  register_built_in_device_types();
  EXPECT_THROW(device::register_device_type(*device::find_device_type("axi_timer")), Error);
}

}  // namespace
}  // namespace gvp::platform
