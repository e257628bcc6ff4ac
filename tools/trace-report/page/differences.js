// SPDX-License-Identifier: Apache-2.0
// Two runs beside each other; what changed by more than a twentieth stands out.

// The words of the report's judgements that the page says, and those that are classes of its style.
const kOnly = { "first only": "only in the first run", "second only": "only in the second run" };
const kNotable = ["better", "worse", "changed"];

function changeOf({ change, judgement }) {
  if (kOnly[judgement]) return kOnly[judgement];
  const size = change === null ? "from 0" : change === 0 ? "none" : signed(change);
  return ["better", "worse"].includes(judgement) ? `${size}, ${judgement}` : size;
}

function showDifferences(section, report) {
  const rows = report.differences, changed = rows.filter((r) => r.change !== 0);
  const notable = rows.filter((r) => kNotable.includes(r.judgement)).length, alone = rows.filter((r) => kOnly[r.judgement]).length;
  section.append(make("p", { class: "lead" }, `${count(rows.length)} figures: ${count(rows.length - changed.length)} equal, ` +
    `${count(notable)} changed by 5 % or more` + (alone ? `, ${count(alone)} in one run only` : "") + `. First run: ${report.runs[0].files.join(", ")}. Second run: ${report.runs[1].files.join(", ")}.`));
  const area = make("div");
  const value = (side) => (r) => (r[side] === null ? "–" : ({ ps: time, B: bytes })[r.unit]?.(r[side]) ?? count(r[side]));
  const show = (list) => area.replaceChildren(makeTable("The largest changes first", [
    { name: "Figure", value: (r) => `${r.group} ${r.name}: ${r.figure.replaceAll("_", " ")}`, text: true },
    { name: "Change", value: changeOf, key: (r) => r.change, class: (r) => (kNotable.includes(r.judgement) ? `wrap ${r.judgement}` : "wrap") },
    { name: "First run", value: value("first"), key: (r) => r.first }, { name: "Second run", value: value("second"), key: (r) => r.second }], list));
  section.append(choice("Show", [["changed", "what changed"], ["all", "everything"]], (which) => show(which === "all" ? rows : changed)), area);
  show(changed);
}
