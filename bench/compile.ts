// Measures building a prompt: the compiler against what people use today, in one run, on the same sections, with the
// same budget (half of all text) and the same tokenizer. Markdown on stdout; exits with 1 if a target is missed. "Cold"
// is a fresh compiler or renderer on new texts, in warm code.
import { digest } from "../src/base/digest.ts"
import { createCompiler } from "../src/core/compile/compiler.ts"
import type { StepOptions } from "../src/core/epoch/step.ts"
import type { Agent, Session, Turn } from "../src/core/model/inputs.ts"
import type { Profile } from "../src/core/model/profile.ts"
import type { Prompt } from "../src/core/model/prompt.ts"
import { section } from "../src/core/model/section.ts"
import { bodyContent, type SourceFile } from "../src/core/model/source.ts"
import { tags } from "../src/core/write/markup.ts"
import { o200k } from "../src/tokens/o200k.ts"
import {
  AS_PEOPLE_USE_IT,
  type Build,
  type Built,
  type Contender,
  GaveUp,
  GIVE_UP_MS,
  PEERS,
  readText,
  type Workload,
  type WorkSection,
} from "./inputs/compile-peers.ts"
import { checkTargets, digits, formatMs, machine, measure, printTable } from "./measure/measure.ts"

interface Size {
  readonly sections: number
  readonly tokens: number
  /** The number of different workloads for cold builds. */
  readonly fresh: number
}

const SIZES: readonly Size[] = [
  { sections: 15, tokens: 17_000, fresh: 40 },
  { sections: 200, tokens: 19_000, fresh: 40 },
  { sections: 5_000, tokens: 240_000, fresh: 8 },
]

const INCIPIT: Contender = { name: "**Incipit**, with plan and text", fits: true, prepare: prepareIncipit }
const CONTENDERS: readonly Contender[] = [INCIPIT, ...PEERS]

/** Milliseconds; Infinity if it was aborted. */
interface Times {
  readonly cold: number
  readonly same: number
  readonly turn: number
}

interface SizeResult {
  readonly size: Size
  readonly tokens: number
  readonly times: ReadonlyMap<string, Times>
  readonly kept: ReadonlyMap<string, number>
  readonly stableChanged: number
}

async function measureSize(size: Size): Promise<SizeResult> {
  const workloads = Array.from({ length: size.fresh }, (_, seed) => makeWorkload(size, seed + 1))
  const main = workloads[0]!
  const times = new Map<string, Times>()
  const kept = new Map<string, number>()
  for (const contender of CONTENDERS) {
    try {
      times.set(contender.name, await measureContender(contender, workloads))
      kept.set(contender.name, await countKept(contender, main))
    } catch (error) {
      if (!(error instanceof GaveUp)) throw error
      const never = Number.POSITIVE_INFINITY
      times.set(contender.name, { cold: never, same: never, turn: never })
    }
  }
  return { size, tokens: main.budget * 2, times, kept, stableChanged: await measureStableChange(main) }
}

async function measureContender(
  { name, prepare }: Contender,
  workloads: readonly Workload[],
): Promise<Times> {
  progress(name)
  let at = 0
  let turns = 0
  const first = turnOf(turns)
  let build: Build = () => Promise.reject(new Error("nothing was built"))
  const cold = await measure({
    limit: workloads.length,
    next: () => prepare(workloads[at++]!),
    run: (open) => {
      build = open()
      return build(first)
    },
  })
  const same = await measure({ next: () => first, run: build })
  const turn = await measure({ next: () => turnOf(++turns), run: build })
  return { cold, same, turn }
}

async function countKept({ name, fits, prepare }: Contender, workload: Workload): Promise<number> {
  // Looking for every text in the result of prompt-tsx would take long.
  if (!fits || workload.sections.length > 1_000) return Number.NaN
  const { kept } = await prepare(workload)()(turnOf(0))
  if (kept() > workload.sections.length) throw new Error(`${name} left nothing out`)
  return kept()
}

/** Another agent with one changed file: the head is rebuilt from cached counts. */
async function measureStableChange(workload: Workload): Promise<number> {
  const { profile, agent, budget } = inputsOf(workload)
  const compiler = createCompiler({ profile, counter: o200k })
  const options = { budget }
  const turn = turnOf(0)
  const at = agent.files.length >> 1
  let revision = 0
  const next = (): Agent => {
    const text = `${workload.sections[at]?.text}\n\nRevision ${++revision}.`
    return { ...agent, files: agent.files.with(at, { ...agent.files[at]!, text, digest: digest(text) }) }
  }
  return measure({ next, run: (changed) => read(compiler.head(changed, SESSION, options).step(turn)) })
}

const SESSION: Session = {
  id: "bench",
  audience: { trust: "full", situation: "dm", mode: "full" },
  files: [],
}

/** Like a host's loop: requests the head at every step, and passes what was told on to the next turn. */
function prepareIncipit(workload: Workload): () => Build {
  const { profile, agent, budget } = inputsOf(workload)
  return () => {
    const compiler = createCompiler({ profile, counter: o200k })
    const headOptions = { budget }
    let stepOptions: StepOptions = {}
    let last: { readonly turn: Turn; readonly prompt: Prompt } | undefined
    return (turn) => {
      if (last !== undefined && last.turn !== turn) stepOptions = { sent: last.prompt.sent }
      const prompt = compiler.head(agent, SESSION, headOptions).step(turn, stepOptions)
      last = { turn, prompt }
      return read(prompt)
    }
  }
}

function read(prompt: Prompt): Built {
  const { entries } = prompt.plan
  return {
    size: readText(prompt.text) + entries.length,
    kept: () =>
      entries.filter(({ kind, outcome }) => kind === "section" && outcome.kind === "included").length,
  }
}

function inputsOf({ sections, budget }: Workload) {
  const files = sections.map(fileOf)
  const profile: Profile = {
    name: "bench",
    order: "paced",
    markup: tags,
    sections: [
      ...sections.map(({ id, need }, at) =>
        section({
          id,
          priority: need,
          pace: "stable",
          trust: "public",
          cut: "whole",
          reads: [id],
          build: ({ agent }) => bodyContent(agent.files[at]),
        }),
      ),
      section({
        id: "now",
        priority: "required",
        pace: "turn",
        trust: "public",
        cut: "whole",
        build: ({ turn }) => ({ parts: [{ text: turn.message ?? "" }] }),
      }),
    ],
  }
  const agent: Agent = { id: "bench", files, tools: [], extensions: [] }
  return { profile, agent, budget: { window: budget + 8_000, reserve: 4_000, head: budget } }
}

function fileOf({ id, text }: WorkSection): SourceFile {
  const path = `${id}.md`
  return {
    role: id,
    path,
    identity: path,
    trust: "public",
    text,
    firstLine: 1,
    digest: digest(text),
    fields: {},
  }
}

function turnOf(at: number): Turn {
  const now = Date.UTC(2026, 0, 1) + at * 61_000
  const time = new Date(now).toISOString()
  const message = `It is ${time}. The branch is \`main\` with ${at % 17} changed files; ${at} tasks are done and ${at % 5} remain. The user writes from a terminal of 120 columns.`
  return { id: `turn-${at}`, now, timeZone: "UTC", message }
}

const NEEDS = ["high", "medium", "low"] as const

/** One section belongs to the turn. Ids are unique to this workload, so that nothing about it is cached. */
function makeWorkload({ sections: count, tokens }: Size, seed: number): Workload {
  const random = seeded(seed)
  const mean = tokens / (count - 1)
  const drafts = Array.from({ length: count - 1 }, (_, at) => {
    const text = sectionText(random, mean * (0.5 + random(1_000) / 1_000))
    return { id: `bench-${seed}/part-${at}`, text, need: NEEDS[at % NEEDS.length]! }
  })
  const ranked = drafts.toSorted((a, b) => NEEDS.indexOf(b.need) - NEEDS.indexOf(a.need))
  const priorities = new Map(ranked.map((draft, at) => [draft, at + 1]))
  const sections = drafts.map((draft) => ({ ...draft, priority: priorities.get(draft)! }))
  const total = sections.reduce((sum, { text }) => sum + o200k.count(text), 0)
  return { sections, budget: total >> 1 }
}

type Random = (below: number) => number

/** xorshift, from a seed spread over all bits. */
function seeded(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1)
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** A text ends where one more piece would overshoot by more than it is short now. */
const HALF_A_PIECE = 26

/** Markdown of about `tokens` tokens: a heading, then prose, lists and code at random. */
function sectionText(random: Random, tokens: number): string {
  let text = `## ${sentence(random, 3)}`
  let count = 4
  while (count + HALF_A_PIECE < tokens) {
    const kind = random(6)
    const next = kind < 3 ? prose(random, tokens - count) : kind < 5 ? list(random) : code(random)
    text += `\n\n${next}`
    count += o200k.count(next) + 1
  }
  return text
}

const WORDS =
  "agent answer before branch build cache change check clear command commit config count default delete describe directory document edit empty error every example explain explicit file first follow format function handle ignore import include instead interface keep large language later limit line list local memory message method model module name never only option order output owner package parse path pattern person plan prefer prompt quick read reason record release remove repeat report request require result return review rule safe search section session short simple small source state step store string style summary system task test text their token tool trust turn under update use value version when which without workspace write".split(
    " ",
  )

function word(random: Random): string {
  return WORDS[random(WORDS.length)]!
}

function sentence(random: Random, words: number): string {
  const text = Array.from({ length: words }, () => word(random)).join(" ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function identifier(random: Random): string {
  return `${word(random)}${sentence(random, 1)}`
}

function path(random: Random): string {
  return `src/${word(random)}/${word(random)}-${word(random)}.ts:${random(400)}`
}

function prose(random: Random, tokens: number): string {
  const sentences = Math.max(1, Math.min(5, Math.floor(tokens / 16)))
  const one = () => `${sentence(random, 5 + random(6))} (see \`${path(random)}\`), ${word(random)}.`
  return Array.from({ length: sentences }, one).join(" ")
}

function list(random: Random): string {
  const one = () => `- \`${identifier(random)}\`: ${sentence(random, 4)}, ${random(90)}%`
  return Array.from({ length: 2 + random(3) }, one).join("\n")
}

function code(random: Random): string {
  const [name, argument] = [identifier(random), word(random)]
  const body = `if (${argument}.size > ${random(99)}) return ${argument}.${word(random)} ?? "${word(random)}"`
  return `\`\`\`ts\nexport function ${name}(${argument}: Map<string, number>) {\n  ${body}\n}\n\`\`\``
}

function printTimes(results: readonly SizeResult[]): void {
  for (const { size, tokens, times, kept } of results) {
    console.log(`### ${name(size)} (${digits(tokens)} tokens, budget ${digits(tokens / 2)})\n`)
    const rows = CONTENDERS.map((contender) => {
      const { cold, same, turn } = times.get(contender.name)!
      const count = kept.get(contender.name) ?? Number.NaN
      return [contender.name, cell(cold), cell(same), cell(turn), Number.isNaN(count) ? "" : String(count)]
    })
    printTable(["build", "cold", "nothing changed", "only the turn changed", "sections kept"], rows)
  }
  const heads = ["Incipit, with plan and text", ...results.map(({ size }) => name(size))]
  const row = results.map(({ stableChanged }) => cell(stableChanged))
  printTable(heads, [["one stable section changed", ...row]])
}

function printRatios(results: readonly SizeResult[]): void {
  console.log("### Only the turn changed: times Incipit's\n")
  const rows = PEERS.map((peer) => [
    peer.name,
    ...results.map((result) => ratioCell(ratioOf(result, peer.name))),
  ])
  printTable(["build", ...results.map(({ size }) => name(size))], rows)
}

function ratioOf({ times }: SizeResult, peer: string): number {
  return times.get(peer)!.turn / times.get(INCIPIT.name)!.turn
}

function ratioCell(ratio: number): string {
  return Number.isFinite(ratio) ? `${digits(ratio)} ×` : "–"
}

function cell(ms: number): string {
  return Number.isFinite(ms) ? formatMs(ms) : `> ${GIVE_UP_MS / 1_000} s`
}

function name({ sections, tokens }: Size): string {
  return `${sections.toLocaleString("en-US")} sections, ${tokens / 1_000}k tokens`
}

function progress(what: string): void {
  console.error(`${(performance.now() / 1_000).toFixed(0).padStart(4)} s  ${what}`)
}

const results: SizeResult[] = []
for (const size of SIZES) results.push(await measureSize(size))
const [small, , large] = results
const own = (result: SizeResult) => result.times.get(INCIPIT.name)!
console.log(`## Building a prompt: ${machine()}\n`)
printTimes(results)
printRatios(results)
console.log("Medians of rounds; a build of more than a second was timed once.\n")
checkTargets([
  atMost("15 sections, nothing changed", own(small!).same, 0.002),
  atMost("15 sections, only the turn changed", own(small!).turn, 0.05),
  atMost("5,000 sections, only the turn changed", own(large!).turn, 2),
  {
    what: "15 sections, only the turn changed, against prompt-tsx as people use it",
    bound: "at least 300 ×",
    measured: ratioCell(ratioOf(small!, AS_PEOPLE_USE_IT)),
    holds: ratioOf(small!, AS_PEOPLE_USE_IT) >= 300,
  },
])

function atMost(what: string, ms: number, bound: number) {
  return { what, bound: `at most ${formatMs(bound)}`, measured: formatMs(ms), holds: ms <= bound }
}
