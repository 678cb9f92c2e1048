// 500 sessions, 25 turns a second for ten minutes, with a provider that takes 2 s: what `incipit serve` adds to an answer,
// compared with one turn a second in the same run; whether its memory stays flat; and at how many turns a second it
// saturates. Server, provider and generator are processes of their own, counted separately; --servers 2 shares the
// people between two servers on one state directory. Needs Linux and a machine with nothing else to do: about 16
// minutes, or one with --short. `npm run -s build` first. Exits with 1 if a target is missed.
import process from "node:process"
import { scriptOptions } from "../scripts/script-options.ts"
import { checkTargets, formatMs, machine, median, printTable } from "./measure/measure.ts"
import { gatherPeople, type Phase } from "./serve/people.ts"
import { cpuMs, memoryMb, startProcesses } from "./serve/processes.ts"

const PEOPLE = 50
const THINKING_MS = 2_000
const MOST_TIMES = 3
const MOST_GROWTH = 1.2
const STEPS = [50, 75, 100, 125, 150, 200, 250] as const

const USAGE =
  "node bench/serve.ts [--short] [--servers N] [--sessions N] [--rate PER_SECOND] [--base S] [--load S] [--step S]"
const values = scriptOptions(USAGE, {
  short: { type: "boolean", default: false },
  sessions: { type: "string" },
  servers: { type: "string", default: "1" },
  rate: { type: "string", default: "25" },
  base: { type: "string" },
  load: { type: "string" },
  step: { type: "string" },
})
const seconds = (given: string | undefined, usual: number, short: number) =>
  Number(given ?? (values.short ? short : usual))
const plan = {
  sessions: seconds(values.sessions, 500, 100),
  rate: Number(values.rate),
  base: seconds(values.base, 180, 10),
  load: seconds(values.load, 600, 20),
  step: seconds(values.step, 30, 5),
}

interface Measured extends Phase {
  readonly name: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Cores in use, by process. */
  readonly cores: Readonly<Record<"server" | "provider" | "generator", number>>
  /** Of the server, every five seconds. */
  readonly memory: readonly number[]
}

const processes = await startProcesses({
  people: PEOPLE,
  servers: Number(values.servers),
  thinkingMs: THINKING_MS,
})
const people = gatherPeople(plan.sessions, processes)
try {
  await run()
} finally {
  people.close()
  await processes.stop()
}

async function run(): Promise<void> {
  const opened = await phase("opening the sessions", plan.rate, plan.sessions / plan.rate)
  const base = await phase("base", 1, plan.base)
  const load = await phase("load", plan.rate, plan.load)
  const steps = await untilSaturated(base)
  console.log(
    `## Serving ${plan.sessions} sessions, ${values.servers} process${values.servers === "1" ? "" : "es"}: ${machine()}\n`,
  )
  printPhases([opened, base, load, ...steps])
  printMemory(load)
  const last = steps.at(-1)
  if (last !== undefined)
    console.log(
      isSaturated(last, base)
        ? `Saturated at ${last.perSecond} turns a second: ${reasonOf(last, base)}.\n`
        : `Not saturated at ${last.perSecond} turns a second.\n`,
    )
  check(base, load)
}

async function phase(name: string, perSecond: number, duration: number): Promise<Measured> {
  const before = used()
  const start = performance.now()
  const memory = [serverMb()]
  const timer = setInterval(() => memory.push(serverMb()), 5_000)
  const found = await people.talk({ perSecond, turns: Math.max(1, Math.round(perSecond * duration)) })
  clearInterval(timer)
  memory.push(serverMb())
  const after = used()
  const took = performance.now() - start
  const share = (who: keyof typeof after) => (after[who] - before[who]) / took
  const cores = { server: share("server"), provider: share("provider"), generator: share("generator") }
  const [error] = found.errors
  const first = error === undefined ? "" : `, the first: ${error}`
  process.stderr.write(`${name}: ${found.addedMs.length} turns, ${found.errors.length} errors${first}\n`)
  const { addedMs } = found
  return { ...found, name, perSecond, p50: at(addedMs, 0.5), p99: at(addedMs, 0.99), cores, memory }
}

/** CPU time so far. */
function used() {
  const server = sum(processes.servers.map(cpuMs))
  return { server, provider: cpuMs(processes.provider), generator: cpuMs(process.pid) }
}

function serverMb(): number {
  return sum(processes.servers.map(memoryMb))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function at(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN
}

/** Each step with more turns a second, until one is too slow or fails. */
async function untilSaturated(base: Measured): Promise<readonly Measured[]> {
  const steps: Measured[] = []
  for (const perSecond of STEPS.filter((one) => plan.step > 0 && one > plan.rate)) {
    const step = await phase("step", perSecond, plan.step)
    steps.push(step)
    if (isSaturated(step, base)) break
  }
  return steps
}

function isSaturated(step: Measured, base: Measured): boolean {
  return step.errors.length > 0 || step.p99 > MOST_TIMES * base.p99
}

function reasonOf(step: Measured, base: Measured): string {
  const [error] = step.errors
  const times = `its p99 is ${(step.p99 / base.p99).toFixed(1)} × that of one turn a second`
  return error === undefined ? times : `${step.errors.length} errors, the first: ${error}`
}

function printPhases(phases: readonly Measured[]): void {
  printTable(
    [
      ...["phase", "turns a second", "turns", "errors", "added p50", "added p99", "p99 against 1 a second"],
      ...["server, cores", "provider, cores", "generator, cores", "generator late, at most"],
    ],
    phases.map(({ name, perSecond, addedMs, errors, p50, p99, cores, lateMs }) => [
      ...[name, String(perSecond), String(addedMs.length), String(errors.length)],
      ...[formatMs(p50), formatMs(p99), `${(p99 / (phases[1]?.p99 ?? Number.NaN)).toFixed(2)} ×`],
      ...[cores.server.toFixed(2), cores.provider.toFixed(2), cores.generator.toFixed(2), formatMs(lateMs)],
    ]),
  )
}

function printMemory({ memory }: Measured): void {
  const every = Math.max(1, Math.round(memory.length / 10))
  const shown = memory.filter((_, index) => index % every === 0)
  console.log(
    `Memory of the server${values.servers === "1" ? "" : "s"} during the load, MB: ${shown.map((mb) => mb.toFixed(0)).join(", ")}. Provider ${memoryMb(processes.provider).toFixed(0)}, generator ${memoryMb(process.pid).toFixed(0)} at the end.\n`,
  )
}

function check(base: Measured, load: Measured): void {
  const times = load.p99 / base.p99
  const fifth = Math.ceil(load.memory.length / 5)
  // The first fifth fills caches.
  const early = median(load.memory.slice(fifth, 2 * fifth))
  const late = median(load.memory.slice(-fifth))
  checkTargets([
    {
      what: "errors at one turn a second and under load",
      ...{ bound: "none", measured: String(base.errors.length + load.errors.length) },
      holds: base.errors.length + load.errors.length === 0,
    },
    {
      what: `added p99 at ${plan.rate} turns a second against 1 a second`,
      ...{ bound: `at most ${MOST_TIMES} ×`, measured: `${times.toFixed(2)} ×`, holds: times <= MOST_TIMES },
    },
    {
      what: "memory of the server, the last fifth of the load against the second",
      bound: `at most ${MOST_GROWTH} ×`,
      ...{ measured: `${(late / early).toFixed(2)} ×`, holds: late / early <= MOST_GROWTH },
    },
  ])
}
