// SPDX-License-Identifier: Apache-2.0
// Two runs beside each other; what changed by more than a twentieth stands out.

const kNotable = 0.05;
const kBetterLess = ["ps"];
const kBetterFewer = ["cycles", "stall_cycles", "errors", "row_misses", "row_conflicts", "divergent_branches"];

function classOf({ figure, unit, change, first, second }) {
  const directed = kBetterLess.includes(unit) || kBetterFewer.includes(figure);
  const grew = (second ?? 0) > (first ?? 0);
  if (change !== null && Math.abs(change) < kNotable) return "";
  return directed ? (grew ? "worse" : "better") : "changed";
}

function showDifferences(section, report) {
  const rows = report.differences, changed = rows.filter((r) => r.change !== 0);
  const notable = changed.filter((r) => classOf(r) !== "").length;
  section.append(make("p", { class: "lead" }, `${count(rows.length)} figures: ${count(rows.length - changed.length)} equal, ` +
    `${count(notable)} changed by 5 % or more. First run: ${report.runs[0].files.join(", ")}. Second run: ${report.runs[1].files.join(", ")}.`));
  const area = make("div");
  const value = (side) => (r) => (r[side] === null ? "–" : ({ ps: time, B: bytes })[r.unit]?.(r[side]) ?? count(r[side]));
  const show = (list) => area.replaceChildren(makeTable("The largest changes first", [
    { name: "Figure", value: (r) => `${r.group} ${r.name}: ${r.figure.replaceAll("_", " ")}`, text: true },
    { name: "Change", value: (r) => (r.change === null ? (r.first === null ? "new" : r.second === null ? "gone" : "from 0") : r.change === 0 ? "none" : signed(r.change)) +
      ({ worse: ", worse", better: ", better" }[classOf(r)] ?? ""),
      key: (r) => r.change, class: classOf },
    { name: "First run", value: value("first"), key: (r) => r.first }, { name: "Second run", value: value("second"), key: (r) => r.second }], list));
  section.append(choice("Show", [["changed", "what changed"], ["all", "everything"]], (which) => show(which === "all" ? rows : changed)), area);
  show(changed);
}
