// SPDX-License-Identifier: Apache-2.0
// Who caused the traffic, and the kernels: when they ran, how near they came to the device's bounds, and
// what their warps did.

const origin = (o) => `${o.name || "(unknown)"}${o.kernel ? " (kernel)" : ""}`;

function showOrigins(section, run) {
  const begun = run.origins.filter((o) => o.initiator), text = true;
  const top = [...begun].sort((a, b) => b.bytes_read + b.bytes_written - a.bytes_read - a.bytes_written).slice(0, 20);
  new Plot(section, {
    title: "Functions and kernels by traffic", height: 110 + 28 * top.length,
    description: `Bytes of the transactions that a function of the host or a kernel caused${begun.length > 20 ? "; the 20 with the most" : ""}.`,
    option: (narrow) => barsOption(top.map((o) => `${origin(o)} · ${o.port}`), [{ name: "read", values: top.map((o) => o.bytes_read) },
      { name: "written", values: top.map((o) => o.bytes_written) }], bytes, narrow),
    table: () => makeTable("Functions and kernels, by the time of their transactions", [
      { name: "Name", value: origin, text }, { name: "Port", value: (o) => o.port, text },
      { name: "Transactions", value: (o) => o.transactions, format: count }, { name: "Bytes read", value: (o) => o.bytes_read, format: count },
      { name: "Bytes written", value: (o) => o.bytes_written, format: count }, { name: "Time of all", value: (o) => o.latency_ps, format: time },
      { name: "Mean latency", value: (o) => o.latency_ps / o.transactions, format: time }], begun),
  });
}

function showLaunches(section, run) {
  const { launches, more } = run.launches;
  const names = [...new Set(launches.map((l) => `${l.device} ${l.kernel}`))];
  new Plot(section, {
    title: "Kernels over time", height: Math.min(620, 110 + 30 * names.length), canvas: true,
    description: `Each launch from its beginning to its end.${more ? ` ${count(more)} further launches are not shown.` : ""}`,
    option: (narrow) => ganttOption(names, launches.map((l) => ({ row: names.indexOf(`${l.device} ${l.kernel}`), begin: l.begin_ps, end: l.end_ps,
      text: `${l.kernel} ${l.detail}`, colour: kPalette[names.indexOf(`${l.device} ${l.kernel}`) % kPalette.length] })), narrow),
    table: () => makeTable("Launches", [{ name: "Kernel", value: (l) => l.kernel, text: true }, { name: "Device", value: (l) => l.device, text: true },
      { name: "Begin", value: (l) => l.begin_ps, format: time }, { name: "Time", value: (l) => l.end_ps - l.begin_ps, format: time },
      { name: "About", value: (l) => l.detail, text: true }], launches),
  });
}

function showKernels(section, run) {
  const text = true;
  section.append(makeTable("Kernels, all launches together, from the statistics", [
    { name: "Kernel", value: (k) => k.name, text }, { name: "Device", value: (k) => k.device, text },
    { name: "Launches", value: (k) => k.launches, format: count }, { name: "Cycles", value: (k) => k.cycles, format: count },
    { name: "Time", value: (k) => k.time_ps, format: time }, { name: "Thread instructions", value: (k) => k.thread_instructions, format: count },
    { name: "Lanes active, mean", value: (k) => k.thread_instructions / k.warp_instructions, format: (v) => (v ? v.toFixed(1) : "–") },
    { name: "Stall cycles", value: (k) => k.stall_cycles, format: count },
    { name: "Divergent branches", value: (k) => k.divergent_branches, format: count }], run.kernels));
}

// What kept the host and the kernels, in cycles of their clocks.
function showCycles(section, run) {
  const bars = [];
  if (run.host.cycles) bars.push({ name: "host", parts: { executing: run.host.instructions, idle: run.host.idle_cycles, ...run.host.stall_cycles } });
  const classes = run.kernels.some((kernel) => Object.keys(kernel.cycles_by_class).length);
  for (const kernel of run.kernels.slice(0, 15))
    if (classes) bars.push({ name: kernel.name, parts: kernel.cycles_by_class });
    else if (Object.keys(kernel.stalls).length) bars.push({ name: kernel.name, parts: { configuration: kernel.configuration_cycles, ...kernel.stalls } });
  const title = { host: "Where the host's cycles go", kernels: classes ? "Where the kernels' cycles go" : "What kept the kernels" };
  const about = { host: "Cycles of the host's clock: executing, idle, and stalled by cause. Together they are all of them.",
    kernels: classes ? "Every GPGPU cycle of every SM, in one class each." : "GPGPU cycles of configuring blocks, and for which rows of warps, done in a stage, waited for the next one; several wait in one cycle." };
  for (const [which, list] of [["host", bars.filter((b) => b.name === "host")], ["kernels", bars.filter((b) => b.name !== "host")]]) {
    if (!list.length) continue;
    const parts = [...new Set(list.flatMap((b) => Object.keys(b.parts)))].filter((part) => list.some((b) => b.parts[part] > 0));
    new Plot(section, { title: title[which], height: 130 + 34 * list.length, description: `${about[which]} From the statistics.`,
      option: (narrow) => barsOption(list.map((b) => b.name), parts.map((part) => ({ name: part.replaceAll("_", " "), values: list.map((b) => b.parts[part] ?? 0) })), count, narrow),
      table: () => makeTable("Cycles", [{ name: "Of", value: (b) => b.name, text: true },
        ...parts.map((part) => ({ name: part.replaceAll("_", " "), value: (b) => b.parts[part] ?? 0, format: count }))], list) });
  }
}

function showRoofline(section, device) {
  const { kernels, peak_instructions_per_s: peak, peak_bytes_per_s: slope } = device;
  const ridge = peak / slope;
  const intensities = [ridge, ...kernels.map((k) => k.instructions_per_byte)];
  const from = Math.min(...intensities) / 4, to = Math.max(...intensities) * 4;
  new Plot(section, {
    title: `Roofline of ${device.device}`, height: 400,
    description: `Thread instructions a second over thread instructions for each byte of global memory. The roof: ${perSecond(peak)} instructions ` +
      `and ${rate(slope)} (${device.peak_bytes_because}), by the configuration. Left of ${Number(ridge.toPrecision(3))} instructions for each byte, memory bounds a kernel.`,
    option: (narrow) => ({ grid: { left: 70, right: narrow ? 24 : 90, top: 24, bottom: 56 },
      tooltip: { formatter: (p) => (p.seriesType !== "scatter" ? "the roof" : `<b>${escaped(p.data.name)}</b><br>${Number(p.value[0].toPrecision(3))} instructions/B` +
        `<br>${perSecond(p.value[1])}, ${percent(p.data.share)} of its bound`) },
      xAxis: { type: "log", min: from, max: to, name: "thread instructions for each byte", nameLocation: "middle", nameGap: 30, axisLabel: { formatter: (v) => String(Number(v.toPrecision(2))) } },
      yAxis: { type: "log", axisLabel: { formatter: perSecond } },
      series: [{ type: "line", showSymbol: false, data: [[from, from * slope], [ridge, peak], [to, peak]], lineStyle: { color: colour("ink"), width: 2 } },
        { type: "scatter", symbolSize: 14, labelLayout: { hideOverlap: true },
          label: { show: true, position: "right", formatter: (p) => p.data.name, color: colour("ink") },
          data: kernels.map((k, i) => ({ name: k.kernel, share: k.share_of_bound, value: [k.instructions_per_byte, k.instructions_per_s],
            itemStyle: { color: kPalette[i % kPalette.length] } })) }] }),
    table: () => makeTable("Kernels under the roof", [{ name: "Kernel", value: (k) => k.kernel, text: true }, { name: "Bytes", value: (k) => k.bytes, format: count },
      { name: "Instructions for each byte", value: (k) => k.instructions_per_byte, format: (v) => v.toPrecision(3) },
      { name: "Instructions a second", value: (k) => k.instructions_per_s, format: perSecond },
      { name: "Of the bound", value: (k) => k.share_of_bound, format: percent }, { name: "Bound by", value: (k) => k.bound, text: true }], kernels),
  });
}

function showWarps(section, run) {
  const { warps, names, shown, spans, kernel, detail, begin_ps } = run.warps;
  new Plot(section, {
    title: `Warps of ${kernel}`, height: Math.min(720, 110 + 26 * warps.length), canvas: true,
    description: `Instructions of each warp, from issue to last effect, in time since the kernel's start (${detail}). Colours tell addresses apart.` +
      (spans > shown.length ? ` The first ${count(shown.length)} of ${count(spans)} are shown.` : ""),
    option: (narrow) => ganttOption(warps, shown.map(([row, begin, end, name]) => ({ row, begin: begin - begin_ps, end: end - begin_ps, text: names[name],
      colour: kPalette[name % kPalette.length] })), narrow, time, narrow ? 84 : 120),
    table: () => makeTable("Instructions", [{ name: "Warp", value: (s) => warps[s[0]], text: true }, { name: "Instruction", value: (s) => names[s[3]], text: true },
      { name: "Issued", value: (s) => s[1] - begin_ps, format: time }, { name: "Took", value: (s) => s[2] - s[1], format: time }], shown),
  });
}
