// The package's types in the strictest project that may use it: every entry, with `skipLibCheck: false`, and with no
// other package installed.
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import packageJson from "../../package.json" with { type: "json" }

/** Their types are those of a host, which whoever uses the adapter has installed. */
const OF_A_HOST = ["incipit/langchain"]

const ENTRIES = Object.entries(packageJson.exports)
  .filter(([, target]) => typeof target === "object")
  .map(([name]) => name.replace(/^\./, "incipit"))
  .filter((name) => !OF_A_HOST.includes(name))

/** These run in a browser, so their types must not need those of Node. */
const BROWSER = [
  "incipit",
  "incipit/cache",
  "incipit/profiles",
  "incipit/render",
  "incipit/signal",
  "incipit/tokens",
]

const project = mkdtempSync(join(tmpdir(), "incipit-consumer-"))

beforeAll(() => {
  const own = join(project, "node_modules", "incipit")
  mkdirSync(own, { recursive: true })
  cpSync("package.json", join(own, "package.json"))
  cpSync("dist", join(own, "dist"), { recursive: true, filter: (path) => !/dist\/(?:lib|bin)\//.test(path) })
  install("@types/node")
  writeFileSync(join(project, "package.json"), '{ "type": "module" }')
})

function install(name: string): void {
  const link = join(project, "node_modules", name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(resolve("node_modules", name), link)
}

afterAll(() => rmSync(project, { recursive: true }))

/** What the compiler says about these programs. */
function errorsIn(programs: Readonly<Record<string, string>>, types: readonly string[]) {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text)
  const lib = ["es2024", ...(types.length === 0 ? ["dom"] : [])]
  const compilerOptions = {
    ...{ target: "es2024", lib, module: "nodenext", types, skipLibCheck: false, noEmit: true },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ noImplicitOverride: true, noPropertyAccessFromIndexSignature: true, verbatimModuleSyntax: true },
  }
  const config = { compilerOptions, files: Object.keys(programs) }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config))
  const { stdout } = spawnSync(resolve("node_modules/.bin/tsc"), ["-p", project], { encoding: "utf8" })
  return stdout.split("\n").flatMap((line) => /[^/]+: error TS.*$/.exec(line)?.[0] ?? [])
}

/** A program that imports these entries whole. */
function importing(entries: readonly string[]): string {
  const imports = entries.map((entry, at) => `import * as e${at} from "${entry}"`)
  const used = `export const used: readonly object[] = [${entries.map((_, at) => `e${at}`).join(", ")}]`
  return [...imports, used, ""].join("\n")
}

test("every entry compiles with skipLibCheck: false", () => {
  expect(errorsIn({ "entries.ts": importing(ENTRIES) }, ["node"])).toEqual([])
})

test("a program with a Zod of its own compiles, and a mistake is found", () => {
  install("zod")
  const wrong = `import type { Approve } from "incipit/agent"\nexport const approve: Approve = async () => true\n`
  expect(errorsIn({ "agent.ts": PROGRAM, "wrong.ts": wrong }, ["node"])).toEqual([
    "wrong.ts(2,45): error TS2322: Type 'Promise<boolean>' is not assignable to type 'Promise<Approval>'.",
  ])
})

test("the entries for a browser compile without the types of Node", () => {
  expect(errorsIn({ "entries.ts": importing(BROWSER) }, [])).toEqual([])
})

/** What an agent of your own needs. */
const PROGRAM = `
import { openAgent, offlineModel, type Approve, type LiveEvent, type SdkLanguageModel } from "incipit/agent"
import { section, tags, textContent, type Profile } from "incipit"
import { defineTool } from "incipit/tools"
import { z } from "zod"

const profile: Profile = {
  name: "support",
  order: "paced",
  markup: tags,
  sections: [
    section({ id: "base", pace: "stable", priority: "required", trust: "public", cut: "whole", build: () => textContent("Hi.") }),
  ],
}
const refund = defineTool({
  name: "refund",
  description: "Pays money back.",
  input: z.strictObject({ euros: z.number() }),
  approve: ({ euros }) => euros > 10,
  run: ({ euros }) => String(euros),
})
const approve: Approve = async (request, { signal, session, from, id }) =>
  request.kind === "tool" && !signal.aborted && session !== id && from.as !== "mallory" ? "yes" : "no"
const model = offlineModel({ script: ({ message }) => message })
export const language: SdkLanguageModel = model.language()
export const agent = await openAgent({ profile, approve, model, tools: [refund], record: false, store: "memory" })
const stream = agent.stream("Where is A17?")
export const events: LiveEvent[] = []
for await (const event of stream) events.push(event)
export const text: string = (await stream.reply).text
`
