// SPDX-License-Identifier: Apache-2.0
// Ports: what passed them, when, and how long it took.

function showSummary(section, run) {
  const tiles = [];
  const about = run.run, sum = run.summary;
  if (about) {
    tiles.push(["Simulated time", time(about.time_ps), `end: ${about.end || "unknown"}, exit code ${about.exit_code}`]);
    if (about.instructions) tiles.push(["Host instructions", count(about.instructions), ""]);
  }
  if (sum) {
    tiles.push(["Traced time", time(sum.end_ps - sum.begin_ps), `from ${time(sum.begin_ps)}`]);
    tiles.push(["Transactions", count(sum.transactions), "begun by initiators"]);
    tiles.push(["Bytes", bytes(sum.bytes), `${count(sum.bytes)} B`]);
    tiles.push(["Mean bandwidth", sum.end_ps > sum.begin_ps ? rate(sum.bytes / (sum.end_ps - sum.begin_ps) * 1e12) : "–", ""]);
    tiles.push(["Errors", count(sum.errors), "responses not OK"]);
    tiles.push(["Records", count(sum.records), `${bytes(sum.record_bytes)} on all ports`]);
  }
  if (run.kernels?.length) tiles.push(["Kernel launches", count(run.kernels.reduce((n, k) => n + k.launches, 0)), ""]);
  section.append(make("dl", { class: "tiles" }, ...tiles.map(([name, value, more]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value, make("small", {}, more))))));
  const models = Object.entries(about?.models ?? {}).map(([name, model]) => `${name}: ${model}`).join(", ");
  section.append(make("p", { class: "lead" }, [about?.firmware, about?.board && `board ${about.board}`, models]
    .filter(Boolean).join("; ")));
}

const commandRows = (run) => run.ports.flatMap((port) => port.commands.map((command) => ({ port, command, latency: command.latency })));

function showPorts(section, run) {
  const text = true;
  section.append(makeTable("Each port and command; a transaction counts for every port that it passes", [
    { name: "Port", value: (r) => r.port.port, text }, { name: "Command", value: (r) => r.command.command, text },
    { name: "Transactions", value: (r) => r.command.transactions, format: count },
    { name: "Bytes", value: (r) => r.command.bytes, format: count },
    { name: "Errors", value: (r) => r.command.errors, format: count, class: (r) => (r.command.errors ? "worse" : "") },
    { name: "Mean", value: (r) => r.latency.mean_ps, format: time }, { name: "p50", value: (r) => r.latency.p50_ps, format: time },
    { name: "p95", value: (r) => r.latency.p95_ps, format: time }, { name: "p99", value: (r) => r.latency.p99_ps, format: time },
    { name: "Max", value: (r) => r.latency.max_ps, format: time },
    { name: "Under way, mean", value: (r) => r.port.mean_outstanding, format: (v) => v.toPrecision(3) },
    { name: "most", value: (r) => r.port.most_outstanding, format: count },
  ], commandRows(run)));
}

function showInterconnect(section, run) {
  const text = true, ns = orNothing((value) => time(value * 1e3));
  section.append(makeTable("By the statistics: what passed the interconnect; direct accesses to memory do not", [
    { name: "Port", value: (r) => r.port, text }, { name: "Side", value: (r) => r.side, text },
    { name: "Transactions", value: (r) => r.transactions, format: count }, { name: "Bytes read", value: (r) => r.bytes_read, format: count },
    { name: "Bytes written", value: (r) => r.bytes_written, format: count },
    { name: "Errors", value: (r) => r.errors, format: count, class: (r) => (r.errors ? "worse" : "") },
    { name: "Found a full queue", value: (r) => r.stalled_requests, format: orNothing(count) },
    { name: "Mean latency", value: (r) => r.mean_latency_ns, format: ns }, { name: "p99", value: (r) => r.p99_latency_ns, format: ns }], run.interconnect));
  const arbitrated = run.interconnect.filter((r) => [r.read_wait_ns, r.write_wait_ns, r.read_losses, r.write_losses, r.read_utilisation,
    r.write_utilisation].some((value) => value !== null));
  if (arbitrated.length === 0) return;
  section.append(makeTable("By the statistics: how long requests waited for the arbiter, and the share of the time with data", [
    { name: "Port", value: (r) => r.port, text }, { name: "Side", value: (r) => r.side, text },
    { name: "Read waited, mean", value: (r) => r.read_wait_ns, format: ns }, { name: "most", value: (r) => r.most_read_wait_ns, format: ns },
    { name: "Write waited, mean", value: (r) => r.write_wait_ns, format: ns }, { name: "most", value: (r) => r.most_write_wait_ns, format: ns },
    { name: "Lost to another, reads", value: (r) => r.read_losses, format: orNothing(count) }, { name: "writes", value: (r) => r.write_losses, format: orNothing(count) },
    { name: "Read data, of the time", value: (r) => r.read_utilisation, format: orNothing(percent) }, { name: "Write data", value: (r) => r.write_utilisation, format: orNothing(percent) }], arbitrated));
}

function bandwidthSeries(run, prefix = "", line = {}) {
  const { begin_ps, bin_ps, ports } = run.bandwidth;
  return ports.map(({ port, bytes }) => ({ type: "line", step: "end", showSymbol: false, name: prefix + port, lineStyle: { width: 1.5, ...line },
    data: bytes.map((b, i) => [begin_ps + (i + 1) * bin_ps, b / bin_ps * 1e12]) }));
}

function showBandwidth(section, run, other) {
  const { begin_ps, bin_ps, bins, ports } = run.bandwidth;
  new Plot(section, {
    title: "Bandwidth over time", height: 380,
    description: `Bytes of the transactions that end in each of ${count(bins)} intervals of ${time(bin_ps)}, by port.` +
      (run.launches.launches.length ? " Shaded: a kernel runs." : "") + (other ? " Dashed: the other run." : ""),
    option: (narrow) => {
      const series = bandwidthSeries(run);
      if (other) bandwidthSeries(other, "other: ", { type: "dashed" }).forEach((s) => series.push(s));
      if (series.length) series[0].markArea = { silent: true, itemStyle: { color: colour("soft"), opacity: 0.12 },
        data: run.launches.launches.slice(0, 300).map((l) => [{ xAxis: l.begin_ps }, { xAxis: l.end_ps }]) };
      // two runs at once: of each what its initiators began
      const targets = other ? run.ports.filter((p) => !p.initiator).flatMap((p) => [p.port, `other: ${p.port}`]) : [];
      return { legend: { selected: Object.fromEntries(targets.map((name) => [name, false])) }, grid: { left: narrow ? 66 : 80, right: 20, top: 36, bottom: 74 }, dataZoom: zoomX(), xAxis: timeAxis(),
        tooltip: { trigger: "axis", valueFormatter: rate, axisPointer: { label: { formatter: (p) => time(p.value) } },
          formatter: (list) => `until ${time(list[0].value[0])}<br>` + list.filter((p) => p.value[1] > 0).map((p) =>
            `${p.marker} ${escaped(p.seriesName)}: <b>${rate(p.value[1])}</b>`).join("<br>") },
        yAxis: { type: "value", axisLabel: { formatter: rate } }, series };
    },
    table: () => makeTable("Bytes by interval and port", [
      { name: "From", value: (i) => begin_ps + i * bin_ps, format: time },
      ...ports.map((port) => ({ name: port.port, value: (i) => port.bytes[i], format: count })),
    ], [...Array(bins).keys()]),
  });
}

function distribution({ port, command }) {
  let sum = 0;
  const points = command.latency.classes.map(([, last, n]) => [Math.max(1, Math.min(last, command.latency.max_ps)), (sum += n) / command.transactions]);
  return { name: `${port.port} ${command.command}`, points: [[points[0][0], 0], ...points] };
}

function showLatency(section, run, other) {
  const all = commandRows(run).map(distribution);
  const begun = new Set(commandRows(run).filter((r) => r.port.initiator).map((r) => `${r.port.port} ${r.command.command}`));
  new Plot(section, {
    title: "Share of transactions within a latency", height: 380,
    description: "How many of the transactions of each port and command took no longer than a time, from the beginning of " +
      "the request to the end of the response. A step is a time that many took. The legend shows and hides ports." +
      (other ? " Dashed: the other run." : ""),
    option: (narrow) => {
      const lines = (list, prefix, type) => list.map(({ name, points }) => ({ type: "line", step: "end", showSymbol: false,
        name: prefix + name, data: points, lineStyle: { width: 2, type } }));
      const others = other ? commandRows(other).map(distribution) : [];
      const hidden = all.filter((d) => begun.size && !begun.has(d.name)).map((d) => d.name);
      const shown = all.filter((d) => begun.size === 0 || begun.has(d.name));
      const times = shown.flatMap((d) => d.points.map((p) => p[0]));
      const selected = Object.fromEntries(hidden.flatMap((name) => [[name, false], [`other: ${name}`, false]]));
      return { legend: { selected }, grid: { left: 56, right: 28, top: 36, bottom: 74 }, dataZoom: zoomX(),
        tooltip: { trigger: "item", formatter: (p) => `${escaped(p.seriesName)}<br><b>${percent(p.value[1])}</b> within ${time(p.value[0])}` },
        xAxis: { type: "log", min: Math.min(...times) / 1.2, max: Math.max(...times) * 1.2, name: "latency", nameLocation: "middle", nameGap: 28, axisLabel: { formatter: time } },
        yAxis: { type: "value", max: 1, axisLabel: { formatter: percent } },
        series: [...lines(all, "", "solid"), ...lines(others, "other: ", "dashed")].map((s) => ({ ...s, triggerLineEvent: true, symbolSize: narrow ? 8 : 5 })) };
    },
    table: () => makeTable("Transactions by class of latency", [
      { name: "Port", value: (r) => r.name, text: true }, { name: "From", value: (r) => r.first, format: time },
      { name: "To", value: (r) => r.last, format: time }, { name: "Transactions", value: (r) => r.n, format: count },
    ], commandRows(run).flatMap(({ port, command }) => command.latency.classes.map(([first, last, n]) =>
      ({ name: `${port.port} ${command.command}`, first, last, n })))),
  });
}

function showHops(section, run) {
  const hops = run.hops, text = true;
  const table = () => makeTable("From port to port", [
    { name: "From", value: (h) => h.from, text }, { name: "To", value: (h) => h.to, text },
    { name: "Transactions", value: (h) => h.transactions, format: count }, { name: "Shortest", value: (h) => h.shortest_ps, format: time },
    { name: "Mean", value: (h) => h.mean_ps, format: time }, { name: "p95", value: (h) => h.p95_ps, format: time },
    { name: "p99", value: (h) => h.p99_ps, format: time }, { name: "Max", value: (h) => h.max_ps, format: time },
    { name: "Waited", value: (h) => h.waited_ps, format: time },
  ], hops);
  if (hops.every((h) => h.waited_ps === 0)) {
    section.append(make("p", { class: "lead" }, "No request waited: between any two ports, all took the same time."), table());
    return;
  }
  new Plot(section, {
    title: "Waiting between ports", height: Math.min(520, 110 + 34 * hops.length),
    description: "Time that requests took from one port to the next beyond the shortest time of that pair, all transactions " +
      "together: arbitration that was lost, full queues, and whatever else kept a request.",
    option: (narrow) => barsOption(hops.map((h) => `${h.from} → ${h.to}`), [{ name: "waited", values: hops.map((h) => h.waited_ps) }], time, narrow),
    table,
  });
}
