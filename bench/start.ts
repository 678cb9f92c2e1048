// Measures cold starts, each in its own process: the library up to its first count, and the command line. Medians,
// Markdown on stdout; exits with 1 if a target is missed. CPU time is measured too, because others use the machine, and
// because it has what is done on other threads. On Linux, `chrt -f 10 node bench/start.ts` as root keeps others away.
// Uses the existing `dist/`, and builds it if there is none.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { checkTargets, digits, formatMs, machine, median, printTable } from "./measure/measure.ts"

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const LIBRARY = new URL("../dist/lib/incipit.js", import.meta.url)
const RUNS = 15

interface Start {
  readonly what: string
  readonly args: readonly string[]
  /** The process prints its own time in ms; otherwise the whole process is timed from outside. */
  readonly inside?: true
  readonly boundMs?: number
  /** The longest time, as a multiple of what `node -e 0` takes. */
  readonly boundRatio?: number
}

/** A copy of the sample, because a running agent writes into its workspace. */
const COPY = mkdtempSync(join(tmpdir(), "incipit-bench-"))
cpSync(join(ROOT, "examples/lighthouse"), COPY, { recursive: true })
/** Prints the CPU time of the process at its end, on a stream of its own. */
const CPU = join(mkdtempSync(join(tmpdir(), "incipit-bench-")), "cpu.cjs")
writeFileSync(
  CPU,
  `process.on("exit", () => {
  const { user, system } = process.cpuUsage()
  require("node:fs").writeSync(3, String((user + system) / 1000))
})`,
)
process.once("exit", () => {
  rmSync(COPY, { recursive: true })
  rmSync(dirname(CPU), { recursive: true })
})

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
    boundMs: 200,
    boundRatio: 6,
  },
  { what: "`incipit bill` with nothing to read", args: ["bin/incipit.js", "bill", COPY] },
  {
    what: "`incipit run` with the offline model, from the start to the end of the process",
    args: ["bin/incipit.js", "run", "--model", "offline", "--workspace", COPY, "who are you?"],
  },
]

interface Taken {
  readonly ms: number
  readonly cpuMs: number
}

function run(args: readonly string[]): Taken & { readonly printed: string } {
  const start = performance.now()
  const { status, stdout, stderr, output } = spawnSync(process.execPath, ["--require", CPU, ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  })
  const ms = performance.now() - start
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`)
  return { ms, cpuMs: Number(output[3]), printed: stdout }
}

function taken({ args, inside }: Start): Taken {
  const { ms, cpuMs, printed } = run(args)
  return { ms: inside ? Number(printed) : ms, cpuMs }
}

if (!existsSync(LIBRARY)) run(["scripts/build.ts"])
for (const start of STARTS) taken(start)
// Interleaved, so that a slow moment of the machine does not affect only one of them.
const rounds = Array.from({ length: RUNS }, () => STARTS.map(taken))
const timed = STARTS.map((start, at) => {
  const all = rounds.flatMap((round) => round[at] ?? [])
  const times = all.map(({ ms }) => ms)
  return {
    ...start,
    ms: median(times),
    fastest: Math.min(...times),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  }
})
const [node] = timed
const measured = timed.map((start) => ({
  ...start,
  ratio: start.ms / (node?.ms ?? Number.NaN),
  cpuRatio: start.cpuMs / (node?.cpuMs ?? Number.NaN),
}))

console.log(`## Cold start: ${machine()}, medians of ${RUNS}\n`)
printTable(
  [
    ...["start", "median ms", "fastest ms", "target ms", "× `node -e 0`", "target ×"],
    "CPU ms",
    "× `node -e 0`",
  ],
  measured.map(({ what, inside, ms, fastest, boundMs, ratio, boundRatio, cpuMs, cpuRatio }) => [
    what,
    digits(ms),
    digits(fastest),
    boundMs === undefined ? "" : `≤ ${boundMs}`,
    inside ? "" : ratio.toFixed(1),
    boundRatio === undefined ? "" : `≤ ${boundRatio}`,
    digits(cpuMs),
    cpuRatio.toFixed(1),
  ]),
)
checkTargets(
  measured.flatMap(({ what, ms, boundMs, ratio, boundRatio }) => [
    ...(boundMs === undefined
      ? []
      : [{ what, bound: `at most ${boundMs} ms`, measured: formatMs(ms), holds: ms <= boundMs }]),
    ...(boundRatio === undefined ? [] : [timesNode(what, ratio, boundRatio)]),
  ]),
)

function timesNode(what: string, ratio: number, bound: number) {
  return {
    what,
    bound: `at most ${bound} × that of node -e 0`,
    measured: `${ratio.toFixed(1)} ×`,
    holds: ratio <= bound,
  }
}
