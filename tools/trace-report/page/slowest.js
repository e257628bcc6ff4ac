// SPDX-License-Identifier: Apache-2.0
// The slowest transactions, each with its way from the initiator through what serves it to the memory.

function showSlowest(section, run) {
  const all = run.slowest, text = true;
  let chosen = all[0];
  const options = all.map((t, i) => [i, `#${t.number}: ${time(t.latency_ps)}, ${t.initiator}`]);
  const row = (step) => `${step.port} ${step.command} ${step.address}`;
  const plot = new Plot(section, {
    title: "Path of a slow transaction", height: 300, canvas: true,
    description: "Each port that the transaction or a part of it passed, from request to response; the lighter end is the response.",
    controls: [choice("Transaction", options, (i) => { chosen = all[i]; show(); plot.update(); })],
    option: (narrow) => {
      const path = chosen.path, start = path[0].begin_ps;
      const hover = (s) => `<b>${escaped(row(s))}</b><br>${count(s.bytes)} B, ${escaped(s.response)}, #${s.number}` +
        `${s.parent ? ` for #${s.parent}` : ""}<br>${time(s.end_ps - s.begin_ps)} from ${time(s.begin_ps)}, ${count(s.outstanding)} under way`;
      const items = path.flatMap((s, i) => [
        { row: i, begin: s.begin_ps - start, end: s.response_ps - start, colour: kPalette[0], hover: hover(s) },
        { row: i, begin: s.response_ps - start, end: s.end_ps - start, colour: kPalette[5], hover: hover(s) },
      ].filter((item) => item.end > item.begin || s.end_ps === s.begin_ps));
      const option = ganttOption(path.map((s, i) => `${i + 1}. ${row(s)}`), items, narrow, time, narrow ? 120 : 300);
      option.yAxis.axisLabel.width = narrow ? 108 : 286;
      return option;
    },
    table: () => makeTable(`The path of #${chosen.number}`, [
      { name: "Port", value: (s) => s.port, text }, { name: "Target", value: (s) => s.target, text }, { name: "Command", value: (s) => s.command, text },
      { name: "Address", value: (s) => s.address, text }, { name: "Bytes", value: (s) => s.bytes, format: count }, { name: "Response", value: (s) => s.response, text },
      { name: "Number", value: (s) => s.number }, { name: "For", value: (s) => s.parent || null, format: orNothing(String) },
      { name: "Begin", value: (s) => s.begin_ps, format: time }, { name: "Took", value: (s) => s.end_ps - s.begin_ps, format: time },
      { name: "Under way", value: (s) => s.outstanding }], chosen.path),
  });
  const show = () => { plot.area.style.height = `${Math.min(700, 110 + 30 * chosen.path.length)}px`; };
  show();
  section.append(makeTable("Slowest transactions", [
    { name: "Number", value: (t) => t.number }, { name: "Initiator", value: (t) => t.initiator, text },
    { name: "Caused by", value: (t) => (t.origin ? origin({ name: t.origin, kernel: t.kernel }) : "–"), text },
    { name: "Command", value: (t) => t.path[0].command, text }, { name: "Address", value: (t) => t.path[0].address, text },
    { name: "Bytes", value: (t) => t.path[0].bytes, format: count }, { name: "At", value: (t) => t.path[0].begin_ps, format: time },
    { name: "Latency", value: (t) => t.latency_ps, format: time }, { name: "Steps", value: (t) => t.steps, format: count }], all));
}
