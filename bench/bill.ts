// Measures `bill` over a gigabyte of generated transcripts: the sums of usage, then owners and misses, each in a process
// of its own, with its memory. Compares the sums with what was written and, if its program is given, with ccusage.
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { scriptOptions } from "../scripts/script-options.ts"
import type { Bill } from "../src/capture/bill/bill.ts"
import { makeBill } from "../src/capture/bill/make-bill.ts"
import { READERS } from "../src/capture/clients/readers.ts"
import { priceFor } from "../src/record/prices/prices.ts"
import { type Generated, generateTranscripts } from "./inputs/claude-transcripts.ts"
import { checkTargets, digits, formatMs, machine, printTable } from "./measure/measure.ts"

const values = scriptOptions("node bench/bill.ts [--bytes N] [--ccusage PATH] [--dir DIR]", {
  bytes: { type: "string", default: "1000000000" },
  ccusage: { type: "string" },
  dir: { type: "string" },
  measure: { type: "string" },
})

interface Measured extends Pick<Bill, "tokens" | "calls" | "exact" | "estimatedCalls"> {
  readonly ms: number
  readonly peakBytes: number
  readonly misses: number
  readonly owners: number
}

if (values.measure === undefined) run()
else console.log(JSON.stringify(await measured(values.dir ?? "", values.measure === "details")))

/** In a process of its own, started by `run`. */
async function measured(home: string, details: boolean): Promise<Measured> {
  const from = performance.now()
  const { tokens, calls, exact, estimatedCalls, misses, owners } = await makeBill({
    machine: { home, variables: {} },
    readers: READERS,
    timeZone: "UTC",
    priceOf: (model, at) => priceFor(model, { at }),
    details,
  })
  const ms = performance.now() - from
  const peakBytes = process.resourceUsage().maxRSS * 1024
  return { ms, peakBytes, tokens, calls, exact, estimatedCalls, misses: misses.length, owners: owners.length }
}

function run(): void {
  const home = values.dir ?? mkdtempSync(join(tmpdir(), "incipit-bill-"))
  const wanted = Number(values.bytes)
  const written = generated(home, wanted)
  const rows = (["warm-up", "usage", "details"] as const).map((what) => {
    const args = [process.argv[1] ?? "", "--measure", what, "--dir", home]
    return { what, ...(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Measured) }
  })
  console.log(
    `${machine()}; ${digits(written.bytes / 1e6)} MB, ${written.files} sessions, ${written.calls} calls\n`,
  )
  printTable(
    ["run", "time", "peak memory", "calls", "not exact", "owners", "misses"],
    rows.map(({ what, ms, peakBytes, calls, estimatedCalls, owners, misses }) => [
      what,
      formatMs(ms),
      `${digits(peakBytes / 1e6)} MB`,
      String(calls),
      String(estimatedCalls),
      String(owners),
      String(misses),
    ]),
  )
  const [, usage, details] = rows
  if (usage === undefined || details === undefined) return
  const scale = written.bytes / 1e9
  checkTargets([
    target("usage", usage.ms, { most: 10_000 * scale, show: formatMs }),
    target("memory, usage", usage.peakBytes / 1e6, { most: 300, show: (mb) => `${digits(mb)} MB` }),
    target("memory, details", details.peakBytes / 1e6, { most: 300, show: (mb) => `${digits(mb)} MB` }),
    sums("sums as written", usage.tokens, written.tokens),
    ...ccusageSums(home, usage.tokens),
  ])
  if (values.dir === undefined) rmSync(home, { recursive: true })
}

/** Kept beside the transcripts, so that a folder that is named is filled once. */
function generated(home: string, bytes: number): Generated {
  const known = join(home, `generated-${bytes}.json`)
  if (existsSync(known)) return JSON.parse(readFileSync(known, "utf8"))
  const made = generateTranscripts(join(home, ".claude"), bytes)
  writeFileSync(known, JSON.stringify(made))
  return made
}

function target(what: string, value: number, bound: { most: number; show: (value: number) => string }) {
  const { most, show } = bound
  return { what, bound: `at most ${show(most)}`, measured: show(value), holds: value <= most }
}

function sums(what: string, tokens: Bill["tokens"], others: Bill["tokens"]) {
  const list = ({ uncached, read, written, output }: Bill["tokens"]) =>
    [uncached, read, written, output].join(" + ")
  return { what, bound: list(others), measured: list(tokens), holds: list(tokens) === list(others) }
}

function ccusageSums(home: string, tokens: Bill["tokens"]) {
  if (values.ccusage === undefined) {
    console.log("Not compared with ccusage: no --ccusage PATH.\n")
    return []
  }
  const from = performance.now()
  const { stdout } = spawnSync(values.ccusage, ["daily", "--json", "--offline"], {
    encoding: "utf8",
    env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: join(home, ".claude") },
    maxBuffer: 1e9,
  })
  const { totals } = JSON.parse(stdout)
  console.log(`ccusage took ${formatMs(performance.now() - from)}.\n`)
  return [
    sums("sums of ccusage", tokens, {
      uncached: totals.inputTokens,
      read: totals.cacheReadTokens,
      written: totals.cacheCreationTokens,
      output: totals.outputTokens,
    }),
  ]
}
