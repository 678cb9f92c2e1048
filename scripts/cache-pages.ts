// Generates the cache parts of the docs: the table of rules, and for the sample workspace a table and a picture of what
// each layout costs.
import { gatherPriced } from "../src/cli/commands/prompt/priced.ts"
import type { Terminal } from "../src/cli/terminal.ts"
import {
  CACHE_LAYOUTS,
  CACHE_RULES,
  type CacheRule,
  evenScenario,
  rehearse,
  type Simulation,
  simulate,
} from "../src/public/cache.ts"
import { o200k } from "../src/public/incipit.ts"
import { lowerBound } from "../src/render/cache/lower-bound.ts"
import { inputOf } from "../src/render/cache/price.ts"

export function cacheRulesPage(): string {
  const rows = CACHE_RULES.map(
    (rule) =>
      `| \`${rule.id}\` | ${rule.lookup} | ${rule.minimum} | ${marksWords(rule)} | ${rule.lookBack ?? "–"} | ${rule.ttls.map(({ name, write }) => `${name} (${write} ×)`).join(", ")} | ${+rule.read.toFixed(3)} × | ${rule.lateSystem} | ${usageWords(rule)} | ${rule.source}, ${rule.date} |`,
  )
  return `# Cache rules

What providers document about their prompt caches, as used by the simulator and the breakpoint planner. The first row whose pattern matches the model applies. Your own rows come first: \`cache.rules\` in [incipit.yaml](configuration.md). None of this was measured against a live provider.

\`breakpoint\`: only a prefix that ends at an earlier call's breakpoint is read. \`prefix\`: the longest prefix that was sent before is found automatically. Multiples are of the price of an uncached input token.

| rule | lookup | minimum, tokens | breakpoints | look-back, blocks | lifetimes (write) | read | late system text | reported as | source |
|---|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`
}

function marksWords({ breakpoints, implicit }: CacheRule): string {
  if (breakpoints === 0) return "–"
  return implicit ? `${breakpoints}, one of them automatic` : String(breakpoints)
}

/** Where a provider's usage report has which figure. */
function usageWords({ usage }: CacheRule): string {
  const fields = Object.entries(usage).map(([kind, path]) => `${kind}: \`${path}\``)
  return fields.join(", ")
}

interface LayoutResult {
  readonly name: string
  readonly help: string
  readonly simulation: Simulation
}

interface Sample {
  readonly results: readonly LayoutResult[]
  readonly least: number
  readonly input: number
}

/** Eight turns of three calls with the sample workspace. */
export async function sampleLayouts(terminal: Terminal): Promise<Sample> {
  const flags = { workspace: "examples/lighthouse", cwd: "/island" }
  const { input, terms } = await gatherPriced(flags, terminal)
  const { profile, agent, session, turn, budget } = input
  const { rule, price } = terms
  const options = { profile, rule, counter: o200k, agent, session, turn, budget, ttl: "5m" }
  const played = CACHE_LAYOUTS.map((layout) => ({
    ...layout,
    calls: rehearse(evenScenario(), { ...options, layout }),
  }))
  return {
    results: played.map(({ name, help, calls }) => ({
      name,
      help,
      simulation: simulate(calls, { rule, price }),
    })),
    least: lowerBound(
      played.map(({ calls }) => calls),
      rule,
    ),
    input: price?.input ?? 0,
  }
}

export function layoutsTable({ results, least, input }: Sample): string {
  const ours = results[0]?.simulation.units ?? 1
  const dollars = (units: number) => `$${((units * input) / 1e6).toFixed(3)}`
  const rows = results.map(
    ({ name, help, simulation: { hitRatio, units } }) =>
      `| \`${name}\` | ${help} | ${hitRatio.toFixed(2)} | ${dollars(units)} | ${(units / ours).toFixed(1)} × |`,
  )
  return [
    "| layout | what it does | hit ratio | input cost | against `planned` |",
    "|---|---|---|---|---|",
    ...rows,
    `| *bound* | *no layout of these texts can cost less* | | ${dollars(least)} | ${(least / ours).toFixed(2)} × |`,
  ].join("\n")
}

const COLOURS = { read: "#2e9e5b", written: "#e0a526", uncached: "#c0504d", text: "#57606a" } as const
const [WIDE, HIGH, GAP] = [340, 150, 40]

/** One panel per layout; a bar per call, from the bottom: read, written, fresh. */
export function layoutsPicture({ results }: Sample): string {
  const shown = results.filter(({ name }) => ["planned", "system-end", "two-tier"].includes(name))
  const most = Math.max(
    ...shown.flatMap(({ simulation }) => simulation.calls.map(({ usage }) => inputOf(usage))),
  )
  const panels = shown.map((result, at) => panel(result, 20 + at * (WIDE + GAP), HIGH / most))
  const [width, height] = [20 + shown.length * (WIDE + GAP), HIGH + 90]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<title>What each call reads from the cache, by layout</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${panels.join("\n")}
${legend(HIGH + 72)}
</svg>
`
}

function panel({ name, simulation }: LayoutResult, left: number, scale: number): string {
  const step = WIDE / simulation.calls.length
  const bars = simulation.calls.flatMap(({ usage }, at) => {
    const written = inputOf(usage) - usage.read - usage.uncached
    const parts = [
      [usage.read, COLOURS.read],
      [written, COLOURS.written],
      [usage.uncached, COLOURS.uncached],
    ] as const
    let base = HIGH + 30
    return parts.flatMap(([tokens, colour]) => {
      const height = tokens * scale
      base -= height
      return tokens === 0
        ? []
        : [
            `<rect x="${(left + at * step).toFixed(1)}" y="${base.toFixed(1)}" width="${(step - 2).toFixed(1)}" height="${height.toFixed(1)}" fill="${colour}"/>`,
          ]
    })
  })
  const title = `<text x="${left}" y="20" fill="${COLOURS.text}"><tspan font-weight="bold">${name}</tspan>: ${(simulation.hitRatio * 100).toFixed(0)}% read from the cache</text>`
  return [title, ...bars].join("\n")
}

function legend(y: number): string {
  const items = [
    [COLOURS.read, "read from the cache"],
    [COLOURS.written, "written to it"],
    [COLOURS.uncached, "sent at full price"],
  ] as const
  return items
    .map(
      ([colour, words], at) =>
        `<rect x="${20 + at * 180}" y="${y - 11}" width="12" height="12" fill="${colour}"/><text x="${38 + at * 180}" y="${y}" fill="${COLOURS.text}">${words}</text>`,
    )
    .join("\n")
}
