// How well and how fast memory finds things. With the path of LoCoMo's locomo10.json: evidence recall over its dialogs,
// each stored as Markdown files and searched through the real interface, compared with plain FTS5, and how often
// questions about another conversation recall nothing. Conversations 0 to 2 are for tuning (--tune), 3 to 9 are
// reported. Without a path, only speed is measured. The data is CC BY-NC and never stored here.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type Memory, openMemory } from "../src/memory/memory.ts"
import { STOP_WORDS } from "../src/memory/rank/terms.ts"
import type { Hit } from "../src/memory/search.ts"
import { openWorkspace } from "../src/sources/workspace.ts"
import { workspaceGate } from "../src/sources/workspace-gate.ts"
import { o200k } from "../src/tokens/o200k.ts"
import {
  checkTargets,
  digits,
  formatMs,
  machine,
  median,
  printTable,
  type Target,
} from "./measure/measure.ts"

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface Conversation {
  readonly qa: readonly {
    readonly question: string
    readonly evidence: readonly string[]
    readonly category: number
  }[]
  readonly conversation: Readonly<Record<string, unknown>>
}

interface Line {
  readonly path: string
  readonly line: number
  readonly text: string
}

interface Asked {
  readonly question: string
  readonly category: number
  readonly evidence: readonly Line[]
}

const BUDGETS = [250, 500, 1_000]
const CATEGORIES = ["all", "1 multi-hop", "2 temporal", "3 inference", "4 single-hop", "5 adversarial"]
const scratch = mkdtempSync(join(tmpdir(), "incipit-memory-"))
const targets: Target[] = []

try {
  const path = process.argv.slice(2).find((argument) => !argument.startsWith("--"))
  console.log(`# Memory: ${machine()}\n`)
  if (path === undefined) console.log("LoCoMo: skipped (give the path of locomo10.json)\n")
  else await quality(path, process.argv.includes("--tune") ? [0, 1, 2] : [3, 4, 5, 6, 7, 8, 9])
  if (!process.argv.includes("--tune")) await speed()
  checkTargets(targets)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

interface Sums {
  n: number
  at5: number
  at10: number
  plain5: number
  plain10: number
  readonly within: number[]
  readonly recalled: number[]
}

async function quality(path: string, chosen: readonly number[]): Promise<void> {
  const data = JSON.parse(readFileSync(path, "utf8")) as readonly Conversation[]
  const sums = CATEGORIES.map(
    (): Sums => ({ n: 0, at5: 0, at10: 0, plain5: 0, plain10: 0, within: [0, 0, 0], recalled: [0, 0, 0] }),
  )
  const foreign: number[] = []
  for (const id of chosen) {
    const { memory, asked, lines } = await keep(data[id]!, id)
    const plain = plainIndex(lines)
    for (const question of asked) addTo([sums[0]!, sums[question.category]!], { memory, plain, question })
    for (const other of chosen) if (other !== id) foreign.push(...recalledOf(memory, data[other]!))
    await memory.close()
  }
  const mean = (sum: number, { n }: Sums) => (sum / n).toFixed(3)
  console.log(
    `## LoCoMo, conversations ${chosen[0]} to ${chosen.at(-1)}: share of the evidence that is found\n`,
  )
  printTable(
    [
      "category",
      "n",
      "@5",
      "@10",
      "plain FTS5 @5",
      "@10",
      ...BUDGETS.map((budget) => `${budget} tok`),
      ...BUDGETS.map((budget) => `recall ${budget}`),
    ],
    sums.map((sum, at) => [
      ...[
        CATEGORIES[at]!,
        String(sum.n),
        mean(sum.at5, sum),
        mean(sum.at10, sum),
        mean(sum.plain5, sum),
        mean(sum.plain10, sum),
      ],
      ...sum.within.map((value) => mean(value, sum)),
      ...sum.recalled.map((value) => mean(value, sum)),
    ]),
  )
  const all = sums[0]!
  const goals = [
    [all.at5, 0.62, "evidence in the first 5"],
    [all.at10, 0.72, "evidence in the first 10"],
  ] as const
  for (const [sum, least, what] of goals) priority(what, sum / all.n, least)
  for (const [at, least] of [0.6, 0.71, 0.78].entries())
    priority(`evidence within ${BUDGETS[at]} tokens`, all.within[at]! / all.n, least)
  for (const [at, least] of [0.66, 0.757, 0.828].entries())
    priority(`evidence recalled in ${BUDGETS[at]} tokens`, all.recalled[at]! / all.n, least)
  const nothing = foreign.filter((tokens) => tokens === 0).length / foreign.length
  const tokens = foreign.reduce((sum, each) => sum + each, 0) / foreign.length
  console.log(
    `${foreign.length} questions about another conversation: ${digits(nothing * 100)} % recall nothing, ${digits(tokens)} tokens on average\n`,
  )
  priority("questions about another conversation that recall nothing", nothing, 0.8)
}

/** The tokens recalled for each of 20 questions about another conversation. */
function recalledOf(memory: Memory, { qa }: Conversation): readonly number[] {
  const step = Math.max(1, Math.floor(qa.length / 20))
  return qa
    .filter((_, at) => at % step === 0)
    .map(({ question }) => memory.recall(question, { trust: "full", budget: 300 }).tokens)
}

function priority(what: string, value: number, least: number): void {
  targets.push({ what, bound: `at least ${least}`, measured: value.toFixed(3), holds: value >= least })
}

function addTo(
  sums: readonly Sums[],
  {
    memory,
    plain,
    question,
  }: { memory: Memory; plain: (question: string) => readonly Line[]; question: Asked },
) {
  const { evidence } = question
  const share = (isShown: (line: Line) => boolean) => evidence.filter(isShown).length / evidence.length
  const hits = memory.search(question.question, { trust: "full", limit: 10, budget: 100_000 }).hits
  const among = (found: readonly Hit[]) => (line: Line) => found.some((hit) => shows(hit, line))
  const baseline = plain(question.question)
  const within = BUDGETS.map((budget) =>
    share(among(memory.search(question.question, { trust: "full", limit: 50, budget }).hits)),
  )
  const recalled = BUDGETS.map((budget) =>
    share(among(memory.recall(question.question, { trust: "full", budget }).hits)),
  )
  for (const sum of sums) {
    sum.n += 1
    sum.at5 += share(among(hits.slice(0, 5)))
    sum.at10 += share(among(hits))
    sum.plain5 += share((line) => baseline.slice(0, 5).includes(line))
    sum.plain10 += share((line) => baseline.slice(0, 10).includes(line))
    for (const [at, value] of within.entries()) sum.within[at]! += value
    for (const [at, value] of recalled.entries()) sum.recalled[at]! += value
  }
}

/** The whole line, or at least half of it in a window. */
function shows({ path, lines: [first, last], text }: Hit, line: Line): boolean {
  if (path !== line.path || line.line < first || line.line > last) return false
  return text.includes(line.text) || (first === last && text.length * 2 > line.text.length)
}

/** One file per session, a dated heading, one bullet per turn. */
async function keep({ qa, conversation }: Conversation, id: number) {
  const folder = join(scratch, `conversation-${id}`)
  mkdirSync(folder, { recursive: true })
  const lines = new Map<string, Line>()
  for (let session = 1; conversation[`session_${session}_date_time`] !== undefined; session += 1) {
    const turns = (conversation[`session_${session}`] ?? []) as readonly Turn[]
    const path = `private/session-${String(session).padStart(2, "0")}.md`
    const texts = turns.map((turn, at) => {
      const caption = turn.blip_caption === undefined ? "" : ` [photo: ${turn.blip_caption}]`
      const text = `- ${turn.speaker}: ${turn.text}${caption}`.replaceAll(/\s*\n\s*/g, " ")
      lines.set(turn.dia_id, { path, line: at + 3, text })
      return text
    })
    writeFileSync(
      join(folder, path.split("/")[1]!),
      `# ${conversation[`session_${session}_date_time`]}\n\n${texts.join("\n")}\n`,
    )
  }
  const asked = qa.flatMap(({ question, category, evidence }) => {
    const ids = new Set(
      evidence.flatMap((text) => [...text.matchAll(/D:?(\d+):0*(\d+)/g)].map(([, a, b]) => `D${a}:${b}`)),
    )
    const found = [...ids].flatMap((key) => lines.get(key) ?? [])
    return found.length === 0 ? [] : [{ question, category, evidence: found }]
  })
  const memory = openMemory({
    stores: [{ name: "private", folder, trust: "full" }],
    index: join(scratch, `${id}.sqlite`),
    counter: o200k,
  })
  await memory.refresh()
  return { memory, asked, lines: [...lines.values()] }
}

/** One row per turn, Porter's stems, words without stop words joined by OR, SQLite's own bm25. */
function plainIndex(lines: readonly Line[]): (question: string) => readonly Line[] {
  const database = new DatabaseSync(":memory:")
  database.exec("CREATE VIRTUAL TABLE turn USING fts5(text, tokenize='porter unicode61 remove_diacritics 2')")
  const insert = database.prepare("INSERT INTO turn (rowid, text) VALUES (?, ?)")
  for (const [at, { text }] of lines.entries()) insert.run(at + 1, text.slice(2))
  const select = database.prepare("SELECT rowid FROM turn WHERE turn MATCH ? ORDER BY bm25(turn) LIMIT 10")
  return (question) => {
    const words = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
      (word) => !STOP_WORDS.has(word),
    )
    if (words.length === 0) return []
    return select
      .all(words.map((word) => `"${word}"`).join(" OR "))
      .map(({ rowid }) => lines[Number(rowid) - 1]!)
  }
}

async function speed(): Promise<void> {
  const words = vocabulary()
  const folder = join(scratch, "large")
  fillFolder(folder, { files: 1_000, bullets: 100, words })
  const memory = openMemory({
    stores: [{ name: "private", folder, trust: "full" }],
    index: join(scratch, "large.sqlite"),
    counter: o200k,
  })
  const built = await timed(() => memory.refresh())
  const times: number[] = []
  for (let at = 0; at < 400; at += 1) {
    const question = `What did ${words(at)} say about the ${words(at * 7)} ${words(at * 13)} and ${words(at * 31)}?`
    times.push(await timed(() => memory.search(question, { trust: "full" })))
  }
  times.sort((a, b) => a - b)
  const changes: number[] = []
  for (let at = 0; at < 20; at += 1) {
    writeFileSync(
      join(folder, "00", "500.md"),
      `${fileText(500, 100, words)}- new line ${at} about heliotropes\n`,
    )
    changes.push(await timed(() => memory.search("heliotropes", { trust: "full" })))
  }
  const { bytes = 0 } = memory.status()
  await memory.close()
  const many = join(scratch, "many", "memory", "private")
  fillFolder(many, { files: 10_000, bullets: 10, words })
  const cold = openMemory({
    stores: [{ name: "private", folder: many, trust: "full" }],
    index: join(scratch, "many.sqlite"),
    counter: o200k,
  })
  let reports = 0
  const coldMs = await timed(() =>
    cold.refresh({
      onProgress: () => {
        reports += 1
      },
    }),
  )
  await cold.close()
  const inMany = await manyFiles(words)
  const [p50, p99] = [times[200]!, times[396]!]
  console.log("## Speed\n")
  printTable(
    ["what", "measured"],
    [
      ["100,000 units in 1,000 files: index", formatMs(built)],
      ["its size", `${digits(bytes / 1e6)} MB`],
      ["search, p50 and p99 of 400", `${formatMs(p50)}, ${formatMs(p99)}`],
      ["search after one file of 100 units changed", formatMs(median(changes))],
      [`cold index of 10,000 files (${reports} reports)`, formatMs(coldMs)],
      ...inMany.map(({ what, ms }) => [what, formatMs(ms)]),
    ],
  )
  const most = (what: string, ms: number, limit: number) =>
    targets.push({ what, bound: `below ${limit} ms`, measured: formatMs(ms), holds: ms < limit })
  most("search, p50", p50, 25)
  most("search, p99", p99, 80)
  most("search with one changed file", median(changes), 50)
  for (const { what, ms, limit } of inMany) if (limit !== undefined) most(what, ms, limit)
}

/** In the folder that `speed` has filled: alone and as a workspace, watched and with a full scan. */
async function manyFiles(words: (at: number) => string) {
  const root = join(scratch, "many")
  const index = join(scratch, "many.sqlite")
  const stores = [{ name: "private", folder: join(root, "memory", "private"), trust: "full" as const }]
  const workspace = openWorkspace(root)
  const gate = () => workspaceGate(workspace)
  const file = join(root, "memory", "private", "05", "5000.md")
  const found: { what: string; ms: number; limit?: number }[] = []
  for (const [kind, more] of [
    ["plain", {}],
    ["as a workspace", { root, gate }],
  ] as const)
    for (const watchFrom of [1, Number.POSITIVE_INFINITY]) {
      const memory = openMemory({ stores, index, counter: o200k, watchFrom, ...more })
      const search = (at: number) => memory.search(`${words(at)} ${words(at * 17)}`, { trust: "full" })
      for (let at = 0; at < 4; at += 1) {
        search(at)
        await memory.refresh()
      }
      const [still, changed]: [number[], number[]] = [[], []]
      for (let at = 0; at < 50; at += 1) still.push(await timed(() => search(at)))
      for (let at = 0; at < 20; at += 1) {
        writeFileSync(file, fileText(at, 10, words))
        changed.push(await timed(() => search(at)))
      }
      await memory.close()
      const how = watchFrom === 1 ? "watched" : "looking at each"
      const what = `search in 10,000 files, ${kind}, ${how}, p50`
      found.push({ what, ms: median(still), ...(watchFrom === 1 && { limit: 15 }) })
      found.push({ what: `${what}, one changed`, ms: median(changed) })
    }
  return found
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** 20,000 words of which few are frequent, as in any language. The same in every run. */
function vocabulary(): (at: number) => string {
  const syllables = [
    "ka",
    "lo",
    "mi",
    "ren",
    "tu",
    "so",
    "pel",
    "dra",
    "vin",
    "gu",
    "sha",
    "no",
    "be",
    "ri",
    "fo",
  ]
  return (at) => {
    let rest = Math.floor(((Math.imul(at + 1, 2654435761) >>> 0) / 2 ** 32) ** 3 * 20_000) + 15
    let word = ""
    for (; rest > 0; rest = Math.floor(rest / 15)) word += syllables[rest % 15]
    return word
  }
}

function fillFolder(
  folder: string,
  { files, bullets, words }: { files: number; bullets: number; words: (at: number) => string },
): void {
  for (let at = 0; at < files; at += 1) {
    const path = join(folder, String(Math.floor(at / 1_000)).padStart(2, "0"), `${at}.md`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, fileText(at, bullets, words))
  }
}

function fileText(at: number, bullets: number, words: (at: number) => string): string {
  const lines = Array.from(
    { length: bullets },
    (_, bullet) =>
      `- ${Array.from({ length: 16 }, (_, word) => words(at * 7_919 + bullet * 104_729 + word * 31)).join(" ")}`,
  )
  return `# Notes ${at}\n\n${lines.join("\n")}\n`
}
