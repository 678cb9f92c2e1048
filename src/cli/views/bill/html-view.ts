// A bill as one HTML file that needs nothing else: no script, no request, a policy that would refuse both. Bars are
// drawings with attributes, because the policy permits one style sheet, named by its digest, and no other style.
import { digest } from "../../../base/digest.ts"
import type { BillSummary, DayMark } from "./summary.ts"
import type { BillTable } from "./tables.ts"

/** `tables`: everything behind the summary, folded. */
export function htmlView(summary: BillSummary, tables: readonly BillTable[]): string {
  const { title, facts, spent, cached, priceNotes, days, clients, where, twice, advice } = summary
  const body = [
    `<header><h1>${text(title)}</h1><p>${text(facts)}</p></header>`,
    `<div class="total"><p class="spent">${text(spent)}</p><p>${text(cached)}</p>${daysPicture(days)}</div>`,
    priceNotes.map((note) => `<p class="note">${text(note)}</p>`).join(""),
    section("Clients", clients.length === 0 ? "" : clientTable(clients)),
    section("Where it went", where.length === 0 ? "" : whereTable(where)),
    section(`Paid for twice: ${twice.spent}`, twice.rows.length === 0 ? "" : twiceTable(twice.rows)),
    section("Worth changing", advice.length === 0 ? "" : adviceList(advice)),
    ...tables.filter(({ rows }) => rows.length > 0).map(folded),
    `<footer>${[...summary.exactness, summary.reading].map((note) => `<p>${text(note)}</p>`).join("")}</footer>`,
  ]
  const policy = `default-src 'none'; style-src '${styleDigest()}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${text(title)}: ${text(spent)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body.filter((part) => part !== "").join("\n")}
</main>
</body>
</html>
`
}

function section(title: string, body: string): string {
  return body === "" ? "" : `<section><h2>${text(title)}</h2>${body}</section>`
}

/** The width in hundredths of the space that the style sheet gives it. */
function barPicture(share: number, kind: string): string {
  const width = Math.max(share > 0 ? 0.5 : 0, Math.min(100, share * 100)).toFixed(1)
  return `<svg class="bar ${kind}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="10"/></svg>`
}

const MOST_LABELS = 14

function daysPicture(days: readonly DayMark[]): string {
  if (days.length < 2) return ""
  const [step, height] = [100 / days.length, 60]
  const bars = days.map((day, at) => {
    const tall = day.hasCalls ? Math.max(1, day.height * height) : 0
    const x = (at * step + step * 0.1).toFixed(2)
    const shown = `<title>${text(`${day.label}: ${day.spent === "" ? "no calls" : day.spent}`)}</title>`
    return `<rect x="${x}" y="${(height - tall).toFixed(1)}" width="${(step * 0.8).toFixed(2)}" height="${tall.toFixed(1)}">${shown}</rect>`
  })
  const [first, last] = [days[0]?.label ?? "", days.at(-1)?.label ?? ""]
  const labels =
    days.length <= MOST_LABELS
      ? days.map(({ label }) => `<span>${text(label)}</span>`).join("")
      : `<span>${text(first)}</span><span>${text(last)}</span>`
  const kind = days.length <= MOST_LABELS ? "each" : "ends"
  return `<figure class="days"><svg viewBox="0 0 100 ${height}" preserveAspectRatio="none" role="img" aria-label="cost by day">${bars.join("")}</svg><figcaption class="${kind}">${labels}</figcaption></figure>`
}

function clientTable(rows: BillSummary["clients"]): string {
  const largest = Math.max(...rows.map(({ share }) => share), Number.MIN_VALUE)
  const head = "<tr><th>client</th><th>sessions</th><th>calls</th><th>cached</th><th>cost</th><th></th></tr>"
  const lines = rows.map(
    (row) =>
      `<tr><th scope="row">${text(row.name)}</th><td>${text(row.sessions)}</td><td>${text(row.calls)}</td><td>${text(row.cached)}</td><td>${text(row.spent)}</td><td class="wide">${barPicture(row.share / largest, "all")}</td></tr>`,
  )
  return `<table><thead>${head}</thead><tbody>${lines.join("")}</tbody></table>`
}

function whereTable(rows: BillSummary["where"]): string {
  const largest = Math.max(...rows.map(({ share }) => share))
  const lines = rows.map(
    (row) =>
      `<tr><th scope="row">${text(row.name)}<small>${text(row.notes.join(", "))}</small></th><td>${text(row.spent)}</td><td>${text(row.percent)}</td><td class="wide">${barPicture(row.share / largest, "all")}</td></tr>`,
  )
  return `<table><tbody>${lines.join("")}</tbody></table>`
}

function twiceTable(rows: BillSummary["twice"]["rows"]): string {
  const lines = rows.map(({ text: what, tokens, spent, detail: said, detailSpent }) => {
    const detail = `<small>${text(detailSpent === "" ? said : `${said}, ${detailSpent}`)}</small>`
    return `<tr><th scope="row">${text(what)}${detail}</th><td>${text(tokens)}</td><td class="lost">${text(spent)}</td></tr>`
  })
  return `<table><tbody>${lines.join("")}</tbody></table>`
}

function adviceList(rows: BillSummary["advice"]): string {
  const items = rows.map(({ isWorth, text: what, command, saves }) => {
    const typed = command === undefined ? "" : `<code>${text(command)}</code>`
    const said = isWorth ? text(what) : `Not worth it: ${text(what)}`
    return `<li class="${isWorth ? "worth" : "not"}"><span class="figure">${text(saves)}</span><p>${said}</p>${typed}</li>`
  })
  return `<p class="note">Simulated on these calls, each change alone.</p><ul>${items.join("")}</ul>`
}

function folded({ title, heads, rows, left }: BillTable): string {
  const cellsOf = (row: readonly string[]) =>
    row
      .map((value, at) => (at === 0 ? `<th scope="row">${text(value)}</th>` : `<td>${text(value)}</td>`))
      .join("")
  const more = left === 0 ? "" : `<p class="note">${text(`${left} more rows are not shown.`)}</p>`
  return `<details><summary>${text(title)}</summary><div class="sideways" tabindex="0"><table class="list"><thead><tr>${heads.map((head) => `<th>${text(head)}</th>`).join("")}</tr></thead><tbody>${rows.map((row) => `<tr>${cellsOf(row)}</tr>`).join("")}</tbody></table></div>${more}</details>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** The only way that a text gets into the page. */
function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? "")
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b2530; --soft: #5c6b7a; --line: #dde3ea; --paper: #fff; --blue: #2f6fb3; --amber: #9a5b00; --green: #1f7a4d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9aa8b5; --line: #2c3640; --paper: #12181e; --blue: #6aa7e8; --amber: #e0a347; --green: #6cc495; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/20px system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
main { max-width: 760px; margin: 0 auto; padding: 32px 16px; }
h1 { font-size: 20px; line-height: 28px; margin: 0; }
h2 { font-size: 13px; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); margin: 32px 0 8px; }
header p, .note, small, footer { color: var(--soft); margin: 0; }
small { display: block; font-weight: normal; font-size: 12px; line-height: 16px; }
.total { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 16px; margin: 16px 0 8px; }
.total p { margin: 0; }
.spent { font-size: 32px; line-height: 40px; font-weight: 600; }
.days { flex: 1 1 240px; margin: 0; align-self: end; }
.days svg { width: 100%; height: 56px; display: block; fill: var(--blue); }
figcaption { display: flex; color: var(--soft); font-size: 12px; line-height: 16px; }
figcaption.each span { flex: 1; text-align: center; }
figcaption.ends { justify-content: space-between; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 6px 8px; text-align: right; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border: 0; font-weight: normal; font-size: 12px; color: var(--soft); }
th:first-child { text-align: left; font-weight: normal; padding-left: 0; }
td { white-space: nowrap; }
td:last-child { padding-right: 0; }
.wide { width: 32%; padding-right: 0; }
.bar { width: 100%; height: 12px; margin-top: 4px; display: block; fill: var(--blue); }
.lost { color: var(--amber); }
ul { list-style: none; margin: 8px 0 0; padding: 0; }
li { position: relative; padding: 8px 88px 8px 0; border-top: 1px solid var(--line); }
li p { margin: 0; }
.figure { position: absolute; right: 0; color: var(--green); }
.not, .not .figure { color: var(--soft); }
code { display: block; font: 12px/16px ui-monospace, monospace; margin-top: 4px; }
details { margin-top: 16px; border-top: 1px solid var(--line); padding-top: 8px; }
summary { cursor: pointer; }
.list { font-size: 12px; line-height: 16px; margin-top: 8px; }
.list th { white-space: nowrap; }
.list th:first-child { white-space: normal; min-width: 144px; }
.sideways { overflow-x: auto; }
footer { margin-top: 32px; font-size: 12px; line-height: 18px; }
footer p { margin: 0 0 4px; }
@media (max-width: 480px) { .wide { display: none; } th, td { padding: 6px 4px; } }
@media print { body { background: none; } main { max-width: none; padding: 0; } section, li, tr { break-inside: avoid; } details { display: none; } }
`

/** As the policy names it. */
function styleDigest(): string {
  const bytes = digest(STYLE).slice("sha256:".length).match(/../g) ?? []
  return `sha256-${btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))))}`
}
