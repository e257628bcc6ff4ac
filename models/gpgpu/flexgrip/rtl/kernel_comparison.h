// SPDX-License-Identifier: Apache-2.0
// What a comparison of two FlexGrip devices, models or RTL, sees inside of them: kernels, and for
// each warp its instructions in their order, with the lanes in which they took effect and what they
// wrote to registers, $a, flags and memories (retired.h); how kernels end and what they leave in
// global memory; of one SM also the order of stores of all warps; and, where times are compared,
// the cycles in which each row leaves each stage.  Where global memory lies on the bus, accesses to
// it are compared there (models/compare/port_comparison.h).
//
// Not compared, as it depends on the order in which warps go on: with the loosely timed model, and
// with global memory on the bus, the order of several warps' stores, and everything that other
// warps did in a kernel that failed; with several SMs, what the others have done when one fails.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/compare/inside.h"
#include "models/compare/port_comparison.h"
#include "models/gpgpu/device.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/retired.h"
#include "models/gpgpu/flexgrip/rtl/access_places.h"
#include "models/gpgpu/flexgrip/warp_retirement.h"
#include "models/gpgpu/observer.h"

namespace gvp::gpgpu::flexgrip {

class KernelComparison : public compare::Inside {
 public:
  // Throws Error (bad input) where times would be compared that are not comparable: those of the
  // loosely timed model, and with global memory on the bus.
  explicit KernelComparison(const compare::Subjects& subjects);
  ~KernelComparison() override;

  uint64_t ended(compare::Side side) const override { return watches_[side]->ended; }
  bool busy(compare::Side side) const override;
  const sc_core::sc_event& ends() const override { return ends_; }
  sc_core::sc_time patience() const override;
  bool compares(const std::string& window, uint64_t offset) const override;
  std::string name_of(const std::string& window, uint64_t offset) const override;
  void restart() override;
  nlohmann::ordered_json statistics() const override;

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;  // block (y, x), warp of it
  using RowName = std::pair<Retired::File, uint8_t>;
  using Values = std::array<uint32_t, 32>;

  struct Watch : Observer, RetiredObserver {
    KernelComparison* comparison = nullptr;
    compare::Side side = compare::kSteering;
    Device* device = nullptr;
    std::unique_ptr<WarpRetirement> retirement;  // of a model
    uint64_t begun = 0, ended = 0;               // kernels

    unsigned wants() const override;
    void kernel_begins(const KernelEvent& event) override;
    void kernel_ends(const KernelEvent& event) override;
    void stages(const StageEvent& event) override;
    void retired(const Retired& retired) override;
  };

  struct Warp {
    std::array<std::deque<Retired>, 2> waiting;  // one of them is empty
    std::array<std::deque<StageEvent>, 2> rows;  // likewise
    std::array<std::map<RowName, Values>, 2> registers;
  };
  struct Failure {
    Retired where;  // as far as the registers say
    int lane = 0;
  };
  struct Kernel {
    uint64_t number = 0;
    std::array<std::optional<KernelEvent>, 2> begun, ended;
    std::array<std::optional<Failure>, 2> failed;
    std::array<std::vector<uint8_t>, 2> global;  // what is there at the end
    std::map<Key, Warp> warps;
    std::array<std::deque<Retired>, 2> stores;  // of one SM, in their order; one is empty
  };

  Kernel& kernel_of(compare::Side side);
  uint32_t register_of(compare::Side side, uint32_t offset) const;
  Failure failure_of(compare::Side side, const KernelEvent& event) const;
  void begins(compare::Side side, const KernelEvent& event);
  void ends(compare::Side side, const KernelEvent& event);
  void retires(compare::Side side, const Retired& retired);
  void leaves(compare::Side side, const StageEvent& event);
  void compare_retired(Warp& warp, const Retired& first, const Retired& second);
  bool compare_rows(Warp& warp, const Retired& first, const Retired& second);
  bool compare_stores(const Retired& first, const Retired& second);
  void compare_order(Kernel& kernel, compare::Side side, const Retired& retired);
  void compare_stages(const StageEvent& first, const StageEvent& second);
  void compare_ends(Kernel& kernel);
  static const Retired* leftover(const Kernel& kernel, compare::Side& side);
  void compare_leftovers(const Kernel& kernel);
  void compare_global(const Kernel& kernel);
  std::optional<compare::PortComparison::Difference> close_ports(const Kernel& kernel);
  void differ_on_bus(const compare::PortComparison::Difference& difference);
  void differ(const std::string& what, std::string first, std::string second,
              const Retired* where = nullptr, int lane = -1);
  std::string place_of(const Retired& retired, int lane) const;
  std::string instruction_at(uint32_t pc) const;
  bool compares_all(const Kernel& kernel) const;

  const compare::Subjects subjects_;
  const Configuration configuration_;
  const bool on_bus_;           // global memory
  const bool own_order_;        // warps may go on in another order in each of the devices
  AccessPlaces access_places_;  // of one model
  bool shows_places_ = false;   // that model has been found
  std::array<std::unique_ptr<Watch>, 2> watches_;
  std::deque<Kernel> kernels_;  // that one of them has begun, and not both ended
  uint64_t forgotten_ = 0;      // kernels before these
  sc_core::sc_event ends_{"kernel_ends"};
  bool stopped_ = false;  // after a mismatch, until restart()
  uint64_t instructions_ = 0, stored_bytes_ = 0, stage_rows_ = 0, compared_kernels_ = 0;
};

// For every device type "flexgrip".
void register_kernel_comparison();

}  // namespace gvp::gpgpu::flexgrip
