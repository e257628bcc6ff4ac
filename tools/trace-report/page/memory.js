// SPDX-License-Identifier: Apache-2.0
// Where in memory: addresses over time, and DRAM banks.

function showHeatMap(section, run) {
  let port = run.ports[0];
  const options = run.ports.map((each, i) => [i, each.port]);
  const address = (map, row) => map.pages[row];
  const plot = new Plot(section, {
    title: "Addresses over time", height: 460, canvas: true,
    description: "Bytes by page and time, as the port sees addresses. Only pages that were used are shown; a line marks where " +
      "pages between two of them were not. A transaction counts for the page of its first byte.",
    controls: [choice("Port", options, (i) => { port = run.ports[i]; plot.update(); })],
    option: (narrow) => {
      const map = port.heat_map;
      const most = Math.max(1, ...map.cells.map((c) => c[3]));
      const gaps = map.pages.slice(1).map((page, i) => [i, BigInt(page) - BigInt(map.pages[i])])
        .filter(([, distance]) => distance !== BigInt(map.page_bytes)).map(([i]) => ({ yAxis: i + 0.5 }));
      const at = (column) => time(map.begin_ps + column * map.bin_ps);
      return { grid: { left: narrow ? 84 : 100, right: 16, top: 12, bottom: 110 },
        dataZoom: zoomX().map((z) => (z.type === "slider" ? { ...z, bottom: 48 } : z)),
        tooltip: { formatter: (p) => `${escaped(address(map, p.value[1]))} + ${bytes(map.page_bytes)}<br>${at(p.value[0])} to ${at(p.value[0] + 1)}<br>` +
          `<b>${bytes(p.value[3])}</b> in ${count(p.value[2])} transactions` },
        xAxis: { type: "category", data: [...Array(map.bins).keys()].map(at) },
        yAxis: { type: "category", data: map.pages, axisLabel: { fontFamily: "monospace", fontSize: 11 } },
        visualMap: { type: "continuous", dimension: 4, min: 0, max: Math.log10(most), calculable: false, orient: "horizontal", left: "center",
          bottom: 4, itemHeight: 160, text: [bytes(most), "1 B"], textStyle: { color: colour("soft") },
          inRange: { color: [colour("mark"), "#3b82c4", "#c9a227", "#d1495b"] } },
        series: [{ type: "heatmap", data: map.cells.map((c) => [...c, Math.log10(Math.max(1, c[3]))]), progressive: 0,
          markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: colour("soft"), type: "dotted", width: 1 }, data: gaps } }] };
    },
    table: () => {
      const map = port.heat_map, rows = map.pages.map((page) => ({ page, transactions: 0, bytes: 0 }));
      for (const [, row, transactions, amount] of map.cells) {
        rows[row].transactions += transactions;
        rows[row].bytes += amount;
      }
      return makeTable(`Pages of ${bytes(map.page_bytes)} on ${port.port}, all times together`, [
        { name: "Page", value: (r) => r.page, text: true }, { name: "Transactions", value: (r) => r.transactions, format: count },
        { name: "Bytes", value: (r) => r.bytes, format: count }], rows);
    },
  });
}

// Hits, misses and conflicts of each bank, or of the device where banks are not counted one by one.
function showRows(section, run) {
  const banks = run.memories.flatMap((memory) => (memory.banks.length
    ? memory.banks.map((bank, i) => ({ name: `${memory.device} bank ${i}`, ...bank })) : [{ name: memory.device, ...memory }]));
  const kinds = [["row hits", "row_hits"], ["misses", "row_misses"], ["conflicts", "row_conflicts"]];
  new Plot(section, {
    title: "Row hits, misses and conflicts", height: 110 + 34 * banks.length,
    description: "Of the accesses to the memory: those that found their row open, their bank closed, or another row open. From the statistics.",
    option: (narrow) => barsOption(banks.map((b) => b.name), kinds.map(([name, key]) => ({ name, values: banks.map((b) => b[key] ?? 0) })), count, narrow),
    table: () => makeTable("Accesses by what they found", [{ name: "Bank", value: (b) => b.name, text: true },
      ...kinds.map(([name, key]) => ({ name, value: (b) => b[key] ?? null, format: orNothing(count) }))], banks),
  });
}

function showBankTimeline(section, run) {
  const { begin_ps, bin_ps, bins, banks } = run.banks;
  const states = banks.flatMap((bank) => bank.states.map((state) => ({ bank: `${bank.device} ${bank.bank}`, ...state })));
  new Plot(section, {
    title: "Banks over time", height: 130 + 30 * banks.length, canvas: true,
    description: "The share of each interval in which a bank was busy, from the trace.",
    option: (narrow) => ({ grid: { left: narrow ? 84 : 120, right: 16, top: 12, bottom: 84 },
      dataZoom: zoomX().map((z) => (z.type === "slider" ? { ...z, bottom: 40 } : z)),
      tooltip: { formatter: (p) => `${escaped(banks[p.value[1]].bank)}<br>from ${time(begin_ps + p.value[0] * bin_ps)}: <b>${percent(p.value[2])}</b> busy` },
      xAxis: { type: "category", data: [...Array(bins).keys()].map((i) => time(begin_ps + i * bin_ps)) },
      yAxis: { type: "category", inverse: true, data: banks.map((b) => b.bank) },
      visualMap: { min: 0, max: 1, orient: "horizontal", left: "center", bottom: 0, itemHeight: 120, text: ["busy", "idle"],
        textStyle: { color: colour("soft") }, inRange: { color: [colour("mark"), "#3b82c4", "#d1495b"] } },
      series: [{ type: "heatmap", progressive: 0,
        data: banks.flatMap((bank, row) => bank.busy_ps.map((ps, i) => [i, row, ps / bin_ps]).filter((c) => c[2] > 0)) }] }),
    table: () => makeTable("What each bank did", [
      { name: "Bank", value: (s) => s.bank, text: true }, { name: "State", value: (s) => s.name, text: true },
      { name: "Times", value: (s) => s.count, format: count }, { name: "Total", value: (s) => s.total_ps, format: time }], states),
  });
}
