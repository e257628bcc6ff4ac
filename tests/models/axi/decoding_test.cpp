// SPDX-License-Identifier: Apache-2.0
// What all interconnects share: the address map at the edges of its regions, the counters, the
// attributes, and which configurations are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/axi/address_map.h"
#include "models/axi/extension.h"
#include "models/axi/interconnect.h"
#include "models/axi/traffic_counters.h"
#include "models/base/error.h"

namespace gvp::axi {
namespace {

using Json = nlohmann::ordered_json;

InterconnectConfiguration two_by_three() {
  InterconnectConfiguration configuration;
  configuration.initiators = {"cpu", "gpu"};
  configuration.targets = {"ram", "device"};
  configuration.regions = {{"high", 0x8000, 0x1000, 1, 0, true},
                           {"low", 0x1000, 0x1000, 0, 0, false},
                           {"window", 0x4000, 0x800, 0, 0x800, false}};
  return configuration;
}

TEST(AddressMap, FindsWhatLiesWhollyInARegion) {
  const AddressMap map(two_by_three());
  ASSERT_EQ(map.regions().size(), 3u);
  EXPECT_EQ(map.region(0).name, "low") << "by their addresses";
  for (int hint : {AddressMap::kNone, 0, 1, 2}) {
    const auto find = [&](uint64_t address, uint64_t count) {
      int here = hint;
      return map.find(address, count, here);
    };
    EXPECT_EQ(find(0x1000, 0x1000), 0) << hint;
    EXPECT_EQ(find(0x1fff, 1), 0) << hint;
    EXPECT_EQ(find(0x4000, 1), 1) << hint;
    EXPECT_EQ(find(0x47ff, 1), 1) << hint;
    EXPECT_EQ(find(0x8fff, 1), 2) << hint;
    for (const auto& [address, count] :
         std::initializer_list<std::pair<uint64_t, uint64_t>>{{0x0fff, 1},
                                                              {0x0fff, 2},
                                                              {0x1fff, 2},
                                                              {0x2000, 1},
                                                              {0x4800, 1},
                                                              {0x47ff, 2},
                                                              {0x9000, 1},
                                                              {0, 1},
                                                              {~uint64_t{0}, 1}})
      EXPECT_EQ(find(address, count), AddressMap::kNone) << hint << " " << address;
  }
}

TEST(AddressMap, RemembersTheRegionFound) {
  const AddressMap map(two_by_three());
  int hint = AddressMap::kNone;
  EXPECT_EQ(map.find(0x4010, 4, hint), 1);
  EXPECT_EQ(hint, 1);
  EXPECT_EQ(map.find(0x2000, 4, hint), AddressMap::kNone);
  EXPECT_EQ(hint, 1) << "a miss changes nothing";
}

TEST(AddressMap, ErrorsNameTheRegions) {
  InterconnectConfiguration configuration = two_by_three();
  configuration.regions.push_back({"other", 0x47ff, 0x10, 0, 0, false});
  EXPECT_THAT([&] { const AddressMap map(configuration); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(
                  "regions \"window\" (0x4000..0x47ff) and \"other\" (0x47ff..0x480e) overlap")));
  configuration.regions.back() = {"other", 0x100, 0x10, 2, 0, false};
  EXPECT_THAT([&] { const AddressMap map(configuration); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(
                  "\"other\" (0x100..0x10f) leads to target 2, but there are 2")));
}

TEST(Traffic, CountsByDirection) {
  Traffic one;
  one.count(false, 4, false);
  one.count(false, 8, true);
  one.count(true, 16, false);
  Traffic sum;
  sum.count(true, 1, true);
  sum += one;
  sum += one;
  EXPECT_EQ(
      sum.to_json(),
      (Json{
          {"reads", 4}, {"writes", 3}, {"bytes_read", 24}, {"bytes_written", 33}, {"errors", 3}}));
}

TEST(Traffic, IsSummedForEachInitiatorAndEachRegion) {
  const InterconnectConfiguration configuration = two_by_three();
  const AddressMap map(configuration);
  TrafficCounters counters(2, 3);
  counters.at(0, 0).count(false, 1, false);
  counters.at(0, 2).count(false, 2, true);
  counters.at(1, 0).count(false, 4, false);
  counters.at(1, 1).count(true, 8, false);
  counters.count_decode_error(1);
  counters.count_decode_error(1);
  const Json json = counters.to_json(configuration, map);
  EXPECT_EQ(json["initiators"]["cpu"], (Json{{"reads", 2},
                                             {"writes", 0},
                                             {"bytes_read", 3},
                                             {"bytes_written", 0},
                                             {"errors", 1},
                                             {"decode_errors", 0}}));
  EXPECT_EQ(json["initiators"]["gpu"], (Json{{"reads", 1},
                                             {"writes", 1},
                                             {"bytes_read", 4},
                                             {"bytes_written", 8},
                                             {"errors", 2},
                                             {"decode_errors", 2}}));
  EXPECT_EQ(json["regions"]["low"]["bytes_read"], 5);
  EXPECT_EQ(json["regions"]["window"]["bytes_written"], 8);
  EXPECT_EQ(json["regions"]["high"]["errors"], 1);
}

TEST(Extension, IsCopiedWhole) {
  Extension one;
  one.id = 7;
  one.burst = Burst::kFixed;
  one.beat_bytes_log2 = 3;
  one.beats = 9;
  one.exclusive = true;
  one.response = Response::kSlaveError;
  tlm::tlm_extension_base* const clone = one.clone();
  Extension two;
  two.copy_from(*clone);
  clone->free();
  EXPECT_EQ(two.id, 7u);
  EXPECT_EQ(two.burst, Burst::kFixed);
  EXPECT_EQ(two.beat_bytes_log2, 3);
  EXPECT_EQ(two.beats, 9);
  EXPECT_TRUE(two.exclusive);
  EXPECT_EQ(two.response, Response::kSlaveError);
}

TEST(Extension, ResponsesAreTheStandards) {
  EXPECT_EQ(static_cast<int>(to_response(tlm::TLM_OK_RESPONSE)), 0);
  EXPECT_EQ(static_cast<int>(to_response(tlm::TLM_ADDRESS_ERROR_RESPONSE)), 3);
  for (tlm::tlm_response_status status :
       {tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE,
        tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
        tlm::TLM_INCOMPLETE_RESPONSE})
    EXPECT_EQ(static_cast<int>(to_response(status)), 2) << status;
}

class BothModels : public testing::TestWithParam<const char*> {};

TEST_P(BothModels, RefuseAClockOrABusOfNothing) {
  int number = 0;
  const auto make = [&](const InterconnectConfiguration& configuration) {
    make_interconnect(("bus" + std::to_string(number++)).c_str(), GetParam(), configuration);
  };
  InterconnectConfiguration configuration = two_by_three();
  for (double hz : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    configuration.clock_hz = hz;
    EXPECT_THAT([&] { make(configuration); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("clock must be above 0 Hz")));
  }
  configuration = two_by_three();
  for (const unsigned bytes : {0u, 3u, 12u}) {
    configuration.data_bytes = bytes;
    EXPECT_THAT([&] { make(configuration); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("must have bytes, a power of")));
  }
}

INSTANTIATE_TEST_SUITE_P(Interconnect, BothModels, testing::Values("lt", "at"));

}  // namespace
}  // namespace gvp::axi
