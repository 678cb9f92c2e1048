// Runs the four programs against a local server and prints what can be measured about them as a Markdown table, or as
// JSON with `--json`. `node examples/compare/run.ts` needs no key and no network; docs/guide/compare.md has its output.
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { transformSync } from "rolldown/utils"
import { type Lines, linesOf, measure, type Sent } from "./measure.ts"
import { startServer } from "./server.ts"
import type { Answers } from "./task.ts"

const PROGRAMS = {
  Incipit: "incipit.ts",
  "prompt-tsx": "prompt-tsx.tsx",
  "AI SDK": "ai-sdk.ts",
  LangChain: "langchain.ts",
} as const

interface Result {
  readonly name: string
  readonly file: string
  readonly lines: Lines
  readonly sent: Sent
  readonly answers: Answers
}

/** As the documentation of prompt-tsx says. */
const JSX = { runtime: "classic", pragma: "vscpp", pragmaFrag: "vscppf" } as const

// Node runs TypeScript as it is, but not TSX.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".tsx")) return next(url, context)
    const path = fileURLToPath(url)
    const { code } = transformSync(path, readFileSync(path, "utf8"), { jsx: JSX })
    return { format: "module", shortCircuit: true, source: code }
  },
})

const results: Result[] = []
for (const [name, file] of Object.entries(PROGRAMS)) {
  const server = await startServer()
  const program = (await import(`./${file}`)) as { run(url: string): Promise<Answers> }
  const answers = await program.run(server.url)
  const lines = linesOf(new URL(file, import.meta.url))
  results.push({ name, file, lines, sent: measure(server.requests), answers })
  await server.close()
}
console.log(process.argv.includes("--json") ? JSON.stringify(results, undefined, 2) : table(results))

function table(rows: readonly Result[]): string {
  const line = (label: string, cell: (row: Result) => string) =>
    `| ${[label, ...rows.map(cell)].join(" | ")} |`
  const answer = (key: keyof Answers) => (row: Result) => row.answers[key] ?? "–"
  return [
    line("", ({ name, file }) => `[${name}](../../examples/compare/${file})`),
    line("---", () => "---"),
    line("lines for the task", ({ lines }) => `${lines.task}`),
    line("more lines for the answers below", ({ lines }) => `${lines.answers}`),
    line("calls", ({ sent }) => `${sent.calls}`),
    line("calls with the note that Mallory may not see", ({ sent }) => `${sent.leaks}`),
    line("most tokens of context", ({ sent }) => grouped(sent.largestContext)),
    line("bytes that all ten calls begin with", ({ sent }) => grouped(sent.sharedByAll)),
    line("bytes sent in ten calls", ({ sent }) => grouped(sent.bytes)),
    line("of these, not a repeat of the call before", ({ sent }) => grouped(sent.newBytes)),
    line("what was left out of the third message's prompt?", answer("leftOut")),
    line("how much, and why?", answer("why")),
    line("what was withheld from Mallory?", answer("withheld")),
    line("where does the text about refunds come from?", answer("source")),
  ].join("\n")
}

/** 12,345 */
function grouped(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ",")
}
