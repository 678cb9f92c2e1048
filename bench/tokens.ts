// Measures the o200k counter against gpt-tokenizer and tiktoken: load, speed, and the inputs on which ordinary
// tokenizers take quadratic time. One run, medians, Markdown on stdout. Compare ratios inside one table: absolute
// values depend on the machine. Exits with 1 if a bound on our own worst case does not hold.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import process from "node:process"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { get_encoding } from "tiktoken"
import { o200k } from "../src/tokens/o200k.ts"
import { generate, markdownText, sourceText } from "../test/tokens/texts.ts"

/** The limit for 100,000 characters. */
const BOUND_MS = 150
/** Twice the text may take twice the time, plus noise. A quadratic tokenizer takes four times. */
const BOUND_GROWTH = 3.5
const PATHOLOGICAL = 100_000
/** How much of the same inputs the others get, because they would take minutes for all of it. */
const PEER_SHARE = 4_000

interface Peer {
  readonly name: string
  /** Code of a module that loads the tokenizer and counts once. */
  readonly load: string
  readonly count: (text: string) => number
}

const url = (path: string): string => new URL(path, import.meta.url).href
const built = existsSync(new URL("../dist/lib/tokens.js", import.meta.url))
const tiktoken = get_encoding("o200k_base")
const ordinary = { disallowedSpecial: new Set<string>() }

const PEERS: readonly Peer[] = [
  {
    name: "incipit",
    load: `const { o200k } = await import("${url(built ? "../dist/lib/tokens.js" : "../src/tokens/o200k.ts")}"); o200k.count("hello")`,
    count: o200k.count,
  },
  {
    name: "gpt-tokenizer",
    load: `const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base"); countTokens("hello")`,
    count: (text) => countTokens(text, ordinary),
  },
  {
    name: "tiktoken (wasm)",
    load: `const { get_encoding } = await import("tiktoken"); get_encoding("o200k_base").encode_ordinary("hello")`,
    count: (text) => tiktoken.encode_ordinary(text).length,
  },
]

interface Speed {
  readonly name: string
  readonly loadMs: number
  readonly memoryMb: number
  readonly warmMs: number
  readonly freshMs: number
  readonly megabyteMs: number
}

function measureSpeeds(): Speed[] {
  const markdown = markdownText().slice(0, 1_000_000)
  const slices = Array.from({ length: 90 }, (_, index) =>
    markdown.slice(index * 10_240, (index + 1) * 10_240),
  )
  const warm = sourceText().slice(0, 10_240)
  return PEERS.map(({ name, load, count }) => {
    for (let round = 0; round < 40; round++) count(warm)
    const freshMs = median(slices.map((slice) => elapsed(() => count(slice))))
    const warmSlice = slices[40] ?? ""
    const warmMs = median(times(200, () => elapsed(() => count(warmSlice))))
    const megabyteMs = median(times(9, () => elapsed(() => count(markdown))))
    const loads = times(9, () => loadFresh(load))
    const loadMs = median(loads.map((one) => one.loadMs))
    return { name, loadMs, memoryMb: median(loads.map((one) => one.memoryMb)), warmMs, freshMs, megabyteMs }
  })
}

/** In its own process, because a module loads only once. */
function loadFresh(load: string): { readonly loadMs: number; readonly memoryMb: number } {
  const script = `const memory = process.memoryUsage.rss(), start = performance.now(); ${load}
    const loadMs = performance.now() - start
    console.log(JSON.stringify({ loadMs, memoryMb: (process.memoryUsage.rss() - memory) / 1e6 }))`
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: new URL("..", import.meta.url),
    encoding: "utf8",
  })
  return JSON.parse(child.stdout)
}

function printSpeeds(speeds: readonly Speed[]): void {
  const reference = speeds.find(({ name }) => name === "gpt-tokenizer")
  const ratio = (ms: number, other: number | undefined): string =>
    `${((other ?? Number.NaN) / ms).toFixed(1)}×`
  const rows = speeds.map((speed) => [
    speed.name,
    `${speed.loadMs.toFixed(0)} (${ratio(speed.loadMs, reference?.loadMs)})`,
    speed.memoryMb.toFixed(0),
    `${speed.warmMs.toFixed(3)} (${ratio(speed.warmMs, reference?.warmMs)})`,
    `${speed.freshMs.toFixed(3)} (${ratio(speed.freshMs, reference?.freshMs)})`,
    `${speed.megabyteMs.toFixed(1)} (${ratio(speed.megabyteMs, reference?.megabyteMs)})`,
  ])
  printTable(["counter", "load ms", "memory MB", "warm 10 KB ms", "fresh 10 KB ms", "1 MB ms"], rows)
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const BASE64 = `${LETTERS}0123456789+/`

/** Inputs without a place to break, or with a break at every character. */
const HARD: Readonly<Record<string, (length: number) => string>> = {
  "`a`": (length) => "a".repeat(length),
  spaces: (length) => " ".repeat(length),
  "spaces, then a word": (length) => `${" ".repeat(length - 1)}x`,
  newlines: (length) => "\n".repeat(length),
  "`=`": (length) => "=".repeat(length),
  base64: (length) => generate(length, (random) => BASE64.charAt(random(64))),
  hex: (length) => generate(length, (random) => "0123456789abcdef".charAt(random(16))),
  "random a–z": (length) => generate(length, (random) => LETTERS.charAt(26 + random(26))),
  "mixed case": (length) => generate(length, (random) => LETTERS.charAt(random(52))),
  "CJK without punctuation": (length) =>
    generate(length, (random) => String.fromCharCode(0x4e00 + random(0x5000))),
  emoji: (length) => generate(length, (random) => String.fromCodePoint(0x1f300 + random(0x300))),
  DNA: (length) => generate(length, (random) => "ACGT".charAt(random(4))),
  "combining marks": (length) => generate(length, (random) => String.fromCharCode(0x300 + random(0x70))),
  "CJK and capitals": (length) =>
    generate(length, (random) => (random(2) ? "漢" : LETTERS.charAt(random(26)))),
  digits: (length) => generate(length, (random) => String(random(10))),
}

/** Prints the table; returns whether all bounds hold. */
function measureHard(): boolean {
  let holds = true
  const rows = Object.entries(HARD).map(([name, make]) => {
    const single = make(PATHOLOGICAL)
    const double = make(2 * PATHOLOGICAL)
    const singles = times(7, () => elapsed(() => o200k.count(single)))
    const doubles = times(7, () => elapsed(() => o200k.count(double)))
    const singleMs = median(singles)
    // Uses the fastest runs, which noise affects least.
    const growth = Math.min(...doubles) / Math.min(...singles)
    // Below a few milliseconds, the growth is mostly noise.
    if (singleMs > BOUND_MS || (singleMs > 5 && growth > BOUND_GROWTH)) holds = false
    const share = make(PEER_SHARE)
    const shares = PEERS.map(({ count }) => elapsed(() => count(share)).toFixed(1))
    return [name, singleMs.toFixed(1), median(doubles).toFixed(1), `${growth.toFixed(1)}×`, ...shares]
  })
  const peers = PEERS.map(({ name }) => `${name}, 4,000`)
  printTable(["input", "incipit, 100,000 characters", "incipit, 200,000", "growth", ...peers], rows)
  return holds
}

function times<T>(count: number, measure: () => T): T[] {
  return Array.from({ length: count }, measure)
}

function elapsed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
  console.log(`${lines.join("\n")}\n`)
}

console.log(
  `### Speed (${built ? "built" : "not built: load includes stripping types"}; × is against gpt-tokenizer)\n`,
)
printSpeeds(measureSpeeds())
console.log("### Inputs that are hard to break, ms (the others get 4,000 characters: they are quadratic)\n")
const holds = measureHard()
console.log(
  `Bounds of ${BOUND_MS} ms per 100,000 characters and of ×${BOUND_GROWTH} for twice the text: ${holds ? "all hold" : "BROKEN"}.`,
)
process.exitCode = holds ? 0 : 1
