// Every parser of text that somebody else wrote, by name, as a function of one text. The tests of fuzzing and of growth
// walk this table, so a new parser is tested once it stands here. Each may throw an `IncipitError`, a `ToolFailure` or an
// error of SQLite (see `refuses`), and nothing else.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fallbackCalls } from "../../src/agent/fallback/calls.ts"
import { streamGate } from "../../src/agent/fallback/gate.ts"
import { parsePlan, planFrom, planName } from "../../src/agent/feeds/plan-text.ts"
import { definitionsOf } from "../../src/agent/mcp/definitions.ts"
import { resultText } from "../../src/agent/mcp/result.ts"
import { promptText } from "../../src/agent/mcp/text.ts"
import { sdkModel } from "../../src/agent/models/sdk-model.ts"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { parseBytes } from "../../src/base/data-size.ts"
import { digest } from "../../src/base/digest.ts"
import { parseDuration } from "../../src/base/duration.ts"
import { nearest } from "../../src/base/nearest.ts"
import { markdownLines } from "../../src/cli/chat/markdown/markdown.ts"
import { exact, visible, visibleView } from "../../src/cli/chat/screen/visible.ts"
import { readScope } from "../../src/cli/command-line/inputs.ts"
import { readTools } from "../../src/cli/command-line/tools-file.ts"
import { CLIENT_SETTINGS } from "../../src/cli/commands/mcp/install/client-settings.ts"
import { withoutServer, withServer } from "../../src/cli/commands/mcp/install/server-entry.ts"
import type { McpClientName } from "../../src/cli/commands/mcp/mcp-clients.ts"
import { readTrace } from "../../src/cli/commands/prompt/trace-file.ts"
import { annotatedView } from "../../src/cli/views/annotated-view.ts"
import { wrap } from "../../src/cli/views/widths.ts"
import { createCompiler } from "../../src/core/compile/compiler.ts"
import { type TextPart, textOf } from "../../src/core/model/content.ts"
import type { Cut } from "../../src/core/model/section.ts"
import type { SourceFile } from "../../src/core/model/source.ts"
import { provenanceOf } from "../../src/core/view/authorship.ts"
import { cutParts } from "../../src/core/write/cut.ts"
import type { CutOptions } from "../../src/core/write/cut-options.ts"
import { element, guard, headings, neutralise, tags } from "../../src/core/write/markup.ts"
import { expandTemplate } from "../../src/core/write/template.ts"
import { createWriter } from "../../src/core/write/write.ts"
import { lint } from "../../src/lint/lint.ts"
import { grownBlocks, markdownBlocks } from "../../src/markdown/growing.ts"
import { askedDate, asksWhen, dateIn, leadingDate, saysWhen } from "../../src/memory/rank/dates.ts"
import { snippetOf } from "../../src/memory/rank/snippet.ts"
import { questionTerms, termsOf } from "../../src/memory/rank/terms.ts"
import { unitsOf } from "../../src/memory/shelf/units.ts"
import { textRefusal } from "../../src/memory/write.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { escapeHidden } from "../../src/record/ask/log.ts"
import { parseSince } from "../../src/record/ask/since.ts"
import { classifyWithReasons } from "../../src/signal/classify.ts"
import { noiseVerdict } from "../../src/signal/noise.ts"
import { loadConfig } from "../../src/sources/config/config.ts"
import { cronProblem } from "../../src/sources/config/cron.ts"
import { gatherContext } from "../../src/sources/context/context.ts"
import { splitFrontMatter } from "../../src/sources/read/frontmatter.ts"
import { ignoredBelow, NOTHING_IGNORED } from "../../src/sources/read/ignored.ts"
import { inspectText } from "../../src/sources/read/inspect.ts"
import { readJson } from "../../src/sources/read/json-text.ts"
import { readSourceFile } from "../../src/sources/read/source-file.ts"
import { gatherSkills } from "../../src/sources/skills/skills.ts"
import { gatherAgent } from "../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../src/sources/systems/gather-session.ts"
import { withoutResponsibility } from "../../src/sources/systems/responsibilities.ts"
import { gatherWorkflows } from "../../src/sources/workflow-files.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { isUnreadable } from "../../src/tools/answer.ts"
import { globMatcher } from "../../src/tools/files/glob.ts"
import { ToolFailure } from "../../src/tools/host.ts"
import { markedLines } from "../../src/tools/memory/memory-lines.ts"
import { memoryFolder } from "../memory/folder.ts"
import { CAPTURED } from "./captured.ts"
import { damagedMemory, damagedRecord, damagedStore } from "./damaged-databases.ts"

export type Parser = (text: string) => unknown

/** Whether a parser may end in this way. */
export function refuses(error: unknown): boolean {
  return error instanceof ToolFailure || isUnreadable(error)
}

const NAMES = {
  sections: new Map([["SOUL", "soul"]]),
  turn: new Set(["DATE"]),
  lists: new Map([["SKILLS", [new Map([["name", { text: "a" }]]), new Map([["name", { text: "b" }]])]]]),
}

function partOf(text: string): TextPart {
  const last = Math.max(1, text.split("\n").length - (text.endsWith("\n") ? 1 : 0))
  return {
    text,
    from: { kind: "file", path: "a.md", identity: "1:1", lines: [1, last], digest: digest("a") },
  }
}

function cut(how: Cut): Parser {
  return (text) => {
    const parts = [partOf(text)]
    const writer = createWriter(tags, o200k)
    const write = (kept: readonly TextPart[]) => writer({ id: "soul" }, kept)
    const limit = Math.floor(o200k.count(textOf(parts)) / 2)
    const options: CutOptions = { limit, counter: o200k, reader: { tool: "read", folders: [] }, write }
    return cutParts(parts, how, options)
  }
}

function fileOf(text: string): SourceFile {
  return {
    ...{ role: "soul", path: "SOUL.md", identity: "1:1", trust: "full", text, firstLine: 1 },
    ...{ digest: digest("a"), fields: {} },
  } as const
}

function lintText(text: string): unknown {
  const [files, count] = [[fileOf(text)], o200k.count]
  return lint({ files, tools: [], knownTools: ["read"], hasAllTools: true, chainLimit: 10_000, count })
}

/** Files in a folder of their own, by path; what they are read with gets the folder. */
function withFiles(files: Readonly<Record<string, string>>, read: (folder: string) => unknown): unknown {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-fuzz-")))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return read(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readAs(isOwn: boolean): Parser {
  return (text) =>
    withFiles({ "SOUL.md": text }, (folder) =>
      readSourceFile(join(folder, "SOUL.md"), {
        ...{ role: "soul", trust: "full", shown: "SOUL.md", roots: [folder], isOwn, stripComments: true },
      }),
    )
}

/** The whole way from a workspace's files to the prompt, with the text in one of them. */
function promptWith(path: string): Parser {
  return (text) =>
    withFiles({ [path]: text }, (folder) => {
      const workspace = openWorkspace(folder)
      const agent = gatherAgent(workspace, {})
      const session = gatherSession(workspace, { known: agent.value.files, directory: folder })
      const diagnostics = [...agent.diagnostics, ...session.diagnostics]
      const budget = { window: 40_000, reserve: 4_000 }
      const head = createCompiler({ profile: incipit, counter: o200k }).head(agent.value, session.value, {
        diagnostics,
        budget,
      })
      const turn = { id: "turn-1", now: 0, timeZone: "UTC", message: text.slice(0, 1_000) }
      const prompt = head.step(turn, {})
      return [prompt.text, annotatedView(prompt, { columns: 80, colour: false })]
    })
}

/** A client's own settings, in which the server is added. */
function settingsOf(client: McpClientName): Parser {
  const settings = CLIENT_SETTINGS[client]
  return (text) => {
    const file = { path: "a", real: "a", bytes: Buffer.from(text), text }
    const change = withServer(file, settings, settings.entry(["incipit", "mcp"], []))
    return change.kind === "same" ? change : withoutServer({ ...file, text: change.text }, settings)
  }
}

async function memory(text: string): Promise<unknown> {
  const folder = memoryFolder({ "private/notes.md": text })
  try {
    await folder.memory.refresh()
    return folder.memory.search(text.slice(0, 2_000), { trust: "full" })
  } finally {
    await folder.remove()
  }
}

async function askOffline(text: string): Promise<unknown> {
  const model = sdkModel(offlineModel())
  const system = `<soul>\n${guard(text)}\n</soul>\n\n`
  return model.doGenerate({
    prompt: [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text }] },
    ],
  } as never)
}

function mcpResult(text: string): unknown {
  const options = { server: "a", tool: "b", counter: o200k, mostTokens: 2_000 }
  return resultText({ content: [{ type: "text", text }] }, options)
}

// The rest of a server is for its start.
const SERVER = { name: "server", rule: () => "ask", named: [] } as never

function mcpTool(text: string): unknown {
  const inputSchema = { type: "object", properties: { [text.slice(0, 300)]: { description: text } } }
  return definitionsOf([{ name: text.slice(0, 100) || "a", description: text, inputSchema }], SERVER)
}

/** Anything that JSON can say, as a server's schema. */
function mcpSchema(text: string): unknown {
  let schema: unknown
  try {
    schema = JSON.parse(text)
  } catch {
    return undefined
  }
  return definitionsOf([schema, { name: "a", description: "", inputSchema: schema }], SERVER)
}

const PAGE = { columns: 80, colour: true } as const

export const PARSERS: Readonly<Record<string, Parser>> = {
  // core
  template: (text) => expandTemplate(partOf(text), NAMES),
  guard: (text) => guard(text, ["soul", "acme/rules"]),
  "escape tags": (text) => neutralise(tags, text, { id: "soul" }),
  "escape headings": (text) => neutralise(headings(2), text, { id: "soul" }),
  element: (text) => element("file", { path: text.slice(0, 200) }, [partOf(text)]),
  "cut lines": cut("lines"),
  "cut headings": cut("headings"),
  "cut ends": cut("ends"),
  "cut menu": cut("menu"),
  "json text": (text) => readJson(text),
  nearest: (text) => nearest(text, [text.slice(1), "prompt", "context"]),
  duration: (text) => [parseDuration(text), parseBytes(text), parseSince(text, 0, "UTC")],
  lint: lintText,
  // sources
  "inspect own": (text) => inspectText(text, { path: "a", firstLine: 1, isOwn: true }),
  "inspect foreign": (text) => inspectText(text, { path: "a", firstLine: 1, isOwn: false }),
  frontmatter: (text) => splitFrontMatter(text, "a.md"),
  "frontmatter inside": (text) => splitFrontMatter(`---\n${text}\n---\nbody\n`, "a.md"),
  "own file": readAs(true),
  "foreign file": readAs(false),
  config: (text) =>
    withFiles({ "incipit.yaml": text }, (folder) => loadConfig(join(folder, "incipit.yaml"), "incipit.yaml")),
  "responsibilities in YAML": (text) => withoutResponsibility(text, "a"),
  context: (text) =>
    withFiles({ "AGENTS.md": text }, (directory) =>
      gatherContext({
        ...{ policy: "first", known: new Set<string>(), trust: "familiar", directory, home: directory },
      }),
    ),
  skill: (text) =>
    withFiles({ "skills/a/SKILL.md": text }, (folder) =>
      gatherSkills([{ path: join(folder, "skills"), shown: "skills", roots: [folder], isOwn: true }]),
    ),
  workflow: (text) =>
    withFiles({ "workflows/a.md": text, "workflows/b.yaml": text }, (folder) =>
      gatherWorkflows(openWorkspace(folder)),
    ),
  "git ignore": (text) => {
    const rules = ignoredBelow(NOTHING_IGNORED, "skills", text.slice(0, 8_000))
    return rules.isIgnored(`skills/${"a/".repeat(30)}b`)
  },
  cron: (text) => cronProblem(text),
  "prompt from AGENTS.md": promptWith("AGENTS.md"),
  "prompt from SOUL.md": promptWith("SOUL.md"),
  "prompt from SYSTEM.md": promptWith(".incipit/SYSTEM.md"),
  // memory
  units: (text) => unitsOf(text, "notes/2024-01-01.md"),
  terms: (text) => [termsOf(text), questionTerms(text)],
  dates: (text) => [dateIn, leadingDate, askedDate, asksWhen, saysWhen].map((read) => read(text)),
  snippet: (text) => snippetOf(text, { terms: new Set(["a", "lamp"]), most: 50, counter: o200k }),
  provenance: (text) => [provenanceOf(text), textRefusal(text, "ada")],
  memory,
  // signal
  signal: (text) => [classifyWithReasons(text), noiseVerdict(text, { afterQuestion: false })],
  // agent
  "fallback calls": (text) => [
    fallbackCalls(text, { id: (at) => `call_${at}`, isCut: true }),
    fallbackCalls(`\`\`\`tool_call\n${text}\n\`\`\``, { id: String }),
  ],
  "fallback stream": (text) => {
    const gate = streamGate()
    for (let at = 0; at < text.length; at += 7) gate.push(text.slice(at, at + 7))
    return gate.end()
  },
  plan: (text) => [planFrom(text), planFrom(`# Plan: a\n## Steps\n1. b\n${text}`), parsePlan(text, "a")],
  "plan name": (text) => planName(text, 0),
  "mcp result": mcpResult,
  "mcp tool": mcpTool,
  "mcp schema": mcpSchema,
  "mcp text": (text) => promptText(text, "a", 100_000),
  "offline model": askOffline,
  // tools
  glob: (text) => globMatcher(text.slice(0, 500))(text.slice(0, 2_000)),
  "marked lines": (text) => markedLines(text, { first: "- ", next: "  " }),
  // capture
  ...CAPTURED,
  // cli
  markdown: (text) => [markdownLines(text, PAGE), markdownBlocks(text), grownBlocks([], text)],
  visible: (text) => [visible(text), visibleView(text), exact(text), escapeHidden(text)],
  wrap: (text) => wrap(text, 80),
  "tools file": (text) =>
    withFiles({ "tools.json": text }, (folder) => readTools(join(folder, "tools.json"), incipit)),
  "scope file": (text) =>
    withFiles({ "scope.json": text }, (folder) => readScope(join(folder, "scope.json"))),
  "settings in JSON": settingsOf("cursor"),
  "settings in TOML": settingsOf("codex"),
  "damaged store": damagedStore,
  "damaged record": damagedRecord,
  "damaged memory": damagedMemory,
  "trace file": (text) =>
    withFiles({ "trace.jsonl": text, "trace.yaml": text }, (folder) => {
      const problems: unknown[] = []
      for (const name of ["trace.jsonl", "trace.yaml"])
        try {
          readTrace(join(folder, name))
        } catch (error) {
          if (!refuses(error)) throw error
          problems.push(error)
        }
      return problems
    }),
}
