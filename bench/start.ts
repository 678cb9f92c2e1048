// Measures cold starts, each in its own process: the library up to its first count, and the command line. Medians,
// Markdown on stdout; exits with 1 if a target is missed. Uses the existing `dist/`, and builds it if there is none.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { checkTargets, digits, formatMs, machine, median, printTable } from "./measure.ts"

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const LIBRARY = new URL("../dist/lib/incipit.js", import.meta.url)
const RUNS = 15

interface Start {
  readonly what: string
  readonly args: readonly string[]
  /** The process prints its own time in ms; otherwise the whole process is timed from outside. */
  readonly inside?: true
  readonly boundMs?: number
}

/** A copy of the sample, because a running agent writes into its workspace. */
const COPY = mkdtempSync(join(tmpdir(), "incipit-bench-"))
cpSync(join(ROOT, "examples/lighthouse"), COPY, { recursive: true })
process.once("exit", () => rmSync(COPY, { recursive: true }))

const FIRST_COUNT = `const start = performance.now()
const { o200k } = await import("${LIBRARY.href}")
o200k.count("hello")
console.log(performance.now() - start)`

const STARTS: readonly Start[] = [
  { what: "`node -e 0`", args: ["-e", "0"] },
  {
    what: "import of the library and the first count, inside the process",
    args: ["--input-type=module", "-e", FIRST_COUNT],
    inside: true,
    boundMs: 60,
  },
  { what: "`incipit --help`", args: ["bin/incipit.js", "--help"], boundMs: 100 },
  {
    what: "`incipit build --workspace examples/lighthouse`",
    args: ["bin/incipit.js", "build", "--workspace", "examples/lighthouse"],
    boundMs: 250,
  },
  {
    what: "`incipit run` with the offline model, from the start to the end of the process",
    args: ["bin/incipit.js", "run", "--model", "offline", "--workspace", COPY, "who are you?"],
  },
]

function run(args: readonly string[]): { readonly ms: number; readonly output: string } {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" })
  const ms = performance.now() - start
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`)
  return { ms, output: stdout }
}

function startMs({ args, inside }: Start): number {
  const { ms, output } = run(args)
  return inside ? Number(output) : ms
}

if (!existsSync(LIBRARY)) run(["scripts/build.ts"])
for (const start of STARTS) startMs(start)
// Interleaved, so that a slow moment of the machine does not affect only one of them.
const rounds = Array.from({ length: RUNS }, () => STARTS.map(startMs))
const measured = STARTS.map((start, at) => {
  const times = rounds.map((round) => round[at] ?? Number.NaN)
  return { ...start, ms: median(times), fastest: Math.min(...times) }
})

console.log(`## Cold start: ${machine()}, medians of ${RUNS}\n`)
printTable(
  ["start", "median ms", "fastest ms", "target ms"],
  measured.map(({ what, ms, fastest, boundMs }) => [
    what,
    digits(ms),
    digits(fastest),
    boundMs === undefined ? "" : `≤ ${boundMs}`,
  ]),
)
checkTargets(
  measured.flatMap(({ what, ms, boundMs }) =>
    boundMs === undefined
      ? []
      : [{ what, bound: `at most ${boundMs} ms`, measured: formatMs(ms), holds: ms <= boundMs }],
  ),
)
