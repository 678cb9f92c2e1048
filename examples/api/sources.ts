// Every name of `incipit/sources` in use: agents and sessions from folders on disk.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compile, sentence } from "incipit"
import { incipit, pi } from "incipit/profiles"
import {
  type ContextOptions,
  contextFor,
  coopSystem,
  detectEnvironment,
  files,
  gatherAgent,
  gatherContext,
  gatherSession,
  gitState,
  incipitSystem,
  moltisSystem,
  novaSystem,
  openWorkspace,
  osaBeforeSystem,
  osaSystem,
  piSystem,
  type ReadFilesOptions,
  readFiles,
  reload,
  resolveAudience,
  type Workspace,
} from "incipit/sources"

const workspace: Workspace = openWorkspace(join(import.meta.dirname, "..", "lighthouse"))
const agent = gatherAgent(workspace)
const session = gatherSession(workspace, { as: "mirela" })
for (const diagnostic of [...agent.diagnostics, ...session.diagnostics]) console.log(sentence(diagnostic))

const turn = { id: "turn-1", now: 0, timeZone: "UTC" }
const { plan } = compile(incipit, { agent: agent.value, session: session.value, turn })
console.log(plan.audience, plan.hidden.length > 0)

// Before every turn: reads only what has changed, and is a new object then.
console.log(reload(workspace).config.model === workspace.config.model)

// With which trust somebody talks, and why.
const { audience, own, ceiling } = resolveAudience(
  workspace.config,
  { as: "mirela", situation: "group" },
  "incipit.yaml",
)
console.log(audience.trust, own, ceiling)

// Files of a folder or a glob, with their frontmatter: for an agent that you put together yourself.
const lighthouse = join(import.meta.dirname, "..", "lighthouse")
const asRules: ReadFilesOptions = { role: "rule", trust: "familiar" }
const rules = readFiles(join(lighthouse, "rules"), asRules)
console.log(
  rules.value.map(({ role, trust }) => `${role}, ${trust}`),
  rules.diagnostics.map(sentence),
)

// The same as a section of `definePrompt({ sections: { rules: files("rules") } })`.
console.log(files(join(lighthouse, "rules"), { priority: "high" }).pace)

// The folder of another system, with that system's layout.
const folder = mkdtempSync(join(tmpdir(), "incipit-"))
writeFileSync(join(folder, "AGENTS.md"), "Speak softly.\n")
const other = openWorkspace(folder, { homes: piSystem.homes })
const input = {
  agent: gatherAgent(other, { system: piSystem }).value,
  session: gatherSession(other).value,
  turn,
}
console.log(compile(pi, input).text.length > 0)

// Where each system keeps its files below the home folder.
const systems = { incipitSystem, piSystem, novaSystem, moltisSystem, osaSystem, osaBeforeSystem, coopSystem }
for (const [name, { homes }] of Object.entries(systems)) console.log(name, homes)

// AGENTS.md and CLAUDE.md, from the root of the disk down to the working directory.
const context: ContextOptions = { directory: folder, policy: "first", known: new Set(), trust: "full" }
console.log(
  gatherContext(context)
    .files.filter(({ path }) => path.startsWith(folder))
    .map(({ text }) => text),
)

// What applies once a file is touched, further down.
console.log(contextFor("docks/crane.ts", context).files.length)

// The machine, in words for the prompt. Facts come from the caller; settings may switch each one off.
const facts = { model: "offline", session: "s1", timeZone: "UTC", env: {} }
console.log(detectEnvironment(facts, { os: "an island", host: "off" }).os)

// Branch, changed files and last commits, for `Turn.git`.
execFileSync("git", ["init", "-q", "-b", "main", folder])
console.log((await gitState(folder)).state)

rmSync(folder, { recursive: true })
