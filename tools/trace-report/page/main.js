// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

const report = JSON.parse(document.getElementById("data").textContent);

// What a section needs, by the names in the run's list of what is missing.
const kSections = [
  ["ports", "Ports", ["ports"], showPorts],
  ["bandwidth", "Bandwidth", ["bandwidth"], showBandwidth],
  ["latency", "Latency", ["latency"], showLatency],
  ["waiting", "Waiting", ["hops"], showHops],
  ["addresses", "Addresses", ["heat_map"], showHeatMap],
  ["banks", "DRAM banks", ["banks"], (section, run) => {
    if (run.memories.some((memory) => memory.row_hits + memory.row_misses + memory.row_conflicts > 0)) showRows(section, run);
    else if (run.memories.length) section.append(make("p", { class: "missing" }, "By the statistics, no access reached a row of a memory."));
    if (run.banks.banks.length) showBankTimeline(section, run);
  }],
  ["causes", "Functions and kernels", ["origins"], showOrigins],
  ["slowest", "Slowest transactions", ["slowest"], showSlowest],
  ["kernels", "Kernels", ["launches", "kernels"], (section, run) => {
    if (run.launches?.launches.length) showLaunches(section, run);
    if (run.kernels?.length) showKernels(section, run);
  }],
  ["cycles", "Cycles", ["cycles"], showCycles],
  ["roofline", "Roofline", ["roofline"], (section, run) => run.rooflines.forEach((device) => showRoofline(section, device))],
  ["warps", "Warps", ["warps"], showWarps],
];

function addSection(id, title) {
  const section = make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title` }, title));
  document.getElementById("report").append(section);
  document.getElementById("contents").append(make("li", {}, make("a", { href: `#${id}` }, title)));
  return section;
}

function show(run, other) {
  plots.forEach((plot) => plot.remove());
  document.getElementById("report").replaceChildren();
  document.getElementById("contents").replaceChildren();
  document.getElementById("subtitle").textContent = run.files.join(", ");
  if (report.differences) showDifferences(addSection("differences", "Differences"), report);
  showSummary(addSection("summary", "Summary"), run);
  for (const [id, title, needs, fill] of kSections) {
    const section = addSection(id, title);
    const lacks = needs.filter((need) => run.missing[need]);
    if (lacks.length < needs.length) fill(section, run, other);
    if (id === "ports" && run.interconnect?.length) showInterconnect(section, run);
    for (const why of new Set(lacks.map((need) => run.missing[need]))) section.append(make("p", { class: "missing" }, why));
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
const themeButton = document.getElementById("theme");
function followTheme() {
  themeButton.setAttribute("aria-pressed", String(isDark()));
  plots.forEach((plot) => plot.redraw());
}
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  followTheme();
}
themeButton.addEventListener("click", () => setTheme(isDark() ? "light" : "dark"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", followTheme);

// On paper: light, and plots as wide as the paper, not as the window.
let themeBeforePrint;
window.addEventListener("beforeprint", () => {
  themeBeforePrint = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  document.documentElement.dataset.printing = "true";
  plots.forEach((plot) => plot.drawForPaper());
});
window.addEventListener("afterprint", () => {
  if (themeBeforePrint) document.documentElement.dataset.theme = themeBeforePrint;
  else delete document.documentElement.dataset.theme;
  delete document.documentElement.dataset.printing;
  plots.forEach((plot) => plot.drawForScreen());
});

if (report.runs.length > 1) {
  const select = document.getElementById("run");
  report.runs.forEach((run, i) => select.append(make("option", { value: i }, `${i === 0 ? "first" : "second"} run: ${run.files[0]}`)));
  select.addEventListener("change", () => show(report.runs[select.value], report.runs[1 - select.value]));
  document.getElementById("run-choice").hidden = false;
}
show(report.runs[0], report.runs[1]);
followTheme();
document.documentElement.dataset.ready = "true";
