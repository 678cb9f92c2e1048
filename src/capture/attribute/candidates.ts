// Which files each client reads into its requests by itself, in the order in which it reads them: instructions, rules,
// and the skills, agents and commands that it lists. A table, and what turns it into paths.
import { dirname, join } from "node:path"
import { filesBelow, pathBelow } from "../../files/files-below.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { Client } from "../call.ts"

export type CandidateKind = "instructions" | "skill" | "agent" | "command"

export interface Candidate {
  readonly path: string
  readonly kind: CandidateKind
}

interface Folder {
  readonly path: string
  readonly kind: CandidateKind
}

interface Reads {
  /** In the home folder. */
  readonly home: readonly string[]
  /** In the project and in each folder above it, outermost first. */
  readonly up: readonly string[]
  /** Below the project and below the home folder, with everything in them. */
  readonly project: readonly Folder[]
  readonly own: readonly Folder[]
}

const skills = (path: string): Folder => ({ path, kind: "skill" })
const agents = (path: string): Folder => ({ path, kind: "agent" })
const commands = (path: string): Folder => ({ path, kind: "command" })
const rules = (path: string): Folder => ({ path, kind: "instructions" })
const listed = (folder: string): readonly Folder[] => [
  skills(`${folder}/skills`),
  agents(`${folder}/agents`),
  commands(`${folder}/commands`),
]

const CLAUDE: Reads = {
  home: [".claude/CLAUDE.md"],
  up: ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"],
  project: [rules(".claude/rules"), ...listed(".claude")],
  own: [
    rules(".claude/rules"),
    ...listed(".claude"),
    ...[skills, commands].map((kind) => kind(".claude/plugins")),
  ],
}
const CODEX: Reads = {
  home: [".codex/AGENTS.override.md", ".codex/AGENTS.md"],
  up: ["AGENTS.override.md", "AGENTS.md"],
  project: [skills(".agents/skills"), skills(".codex/skills")],
  own: [skills(".codex/skills"), skills(".agents/skills"), commands(".codex/prompts")],
}
const PI: Reads = {
  home: [".pi/agent/AGENTS.md", ".pi/agent/CLAUDE.md", ".pi/agent/SYSTEM.md", ".pi/agent/APPEND_SYSTEM.md"],
  up: ["AGENTS.md", "CLAUDE.md", ".pi/SYSTEM.md", ".pi/APPEND_SYSTEM.md"],
  project: [
    skills(".pi/skills"),
    skills(".agents/skills"),
    skills(".claude/skills"),
    commands(".pi/prompts"),
  ],
  own: [
    skills(".pi/agent/skills"),
    skills(".agents/skills"),
    skills(".claude/skills"),
    commands(".pi/agent/prompts"),
  ],
}
const OPENCODE: Reads = {
  home: [".config/opencode/AGENTS.md", ".claude/CLAUDE.md"],
  up: ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"],
  project: [
    ...listed(".opencode"),
    ...[skills(".opencode/skill"), agents(".opencode/agent"), commands(".opencode/command")],
    ...[skills(".claude/skills"), skills(".agents/skills")],
  ],
  own: [...listed(".config/opencode"), skills(".claude/skills"), skills(".agents/skills")],
}
const GEMINI: Reads = {
  home: [".gemini/GEMINI.md"],
  up: ["GEMINI.md", "AGENTS.md"],
  project: [...listed(".gemini"), skills(".agents/skills")],
  own: [...listed(".gemini"), skills(".agents/skills")],
}
const WORKSPACE_FILES = ["AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT", "BOOTSTRAP", "MEMORY"]
const OPENCLAW: Reads = {
  home: [],
  up: WORKSPACE_FILES.map((name) => `${name}.md`),
  project: [skills("skills"), skills(".agents/skills")],
  own: [skills(".openclaw/skills"), skills(".agents/skills")],
}
const EDITORS: Reads = {
  home: [],
  up: [".cursorrules", ".windsurfrules", ".github/copilot-instructions.md"],
  project: [rules(".cursor/rules"), rules(".github/instructions")],
  own: [],
}
const ANY: readonly Reads[] = [CLAUDE, CODEX, PI, OPENCODE, GEMINI, OPENCLAW, EDITORS]

const READS: Readonly<Record<Client, readonly Reads[]>> = {
  "claude-code": [CLAUDE],
  "agent-sdk": [CLAUDE],
  codex: [CODEX],
  pi: [PI],
  opencode: [OPENCODE],
  "gemini-cli": [GEMINI],
  openclaw: [OPENCLAW],
  incipit: ANY,
  other: ANY,
}

export interface CandidateOptions {
  readonly client: Client
  readonly home: string
  readonly project: string | undefined
}

/** Paths of files that may or may not exist, each once; of folders, the files that they have. */
export function candidatesOf({ client, home, project }: CandidateOptions): readonly Candidate[] {
  const found = new Map<string, Candidate>()
  const add = (path: string, kind: CandidateKind) => {
    if (!found.has(path)) found.set(path, { path, kind })
  }
  const roots = [home, ...(project === undefined ? [] : [project])].flatMap(
    (path) => existingPathOf(path) ?? [],
  )
  const above = project === undefined ? [] : foldersAbove(project)
  for (const { home: inHome, up, project: inProject, own } of READS[client]) {
    for (const name of inHome) add(join(home, name), "instructions")
    for (const folder of above) for (const name of up) add(join(folder, name), "instructions")
    const below = [
      ...(project === undefined
        ? []
        : inProject.map((folder) => ({ ...folder, path: join(project, folder.path) }))),
      ...own.map((folder) => ({ ...folder, path: join(home, folder.path) })),
    ]
    for (const { path: folder, kind } of below)
      for (const path of filesIn(folder, kind, roots)) add(path, kind)
  }
  return [...found.values()]
}

/** Settings that name MCP servers, for clients that call their tools by nothing but the server's name. */
const SETTINGS: Partial<
  Readonly<Record<Client, { readonly names: readonly string[]; readonly field: string }>>
> = {
  opencode: {
    names: ["opencode.json", ".opencode/opencode.json", ".config/opencode/opencode.json"],
    field: "mcp",
  },
  "gemini-cli": { names: [".gemini/settings.json"], field: "mcpServers" },
}

export function settingsOf({
  client,
  home,
  project,
}: CandidateOptions): readonly { readonly path: string; readonly field: string }[] {
  const { names = [], field = "" } = SETTINGS[client] ?? {}
  const folders = project === undefined ? [home] : [project, home]
  return folders.flatMap((folder) => names.map((name) => ({ path: join(folder, name), field })))
}

/** Outermost first. */
function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...foldersAbove(parent), folder]
}

const MOST_FILES = 2000
const DEEPEST = 8

/** Follows links, as clients do, but not out of the project and the home folder. */
function filesIn(folder: string, kind: CandidateKind, roots: readonly string[]): readonly string[] {
  const { paths } = filesBelow(folder, {
    roots,
    depth: DEEPEST,
    skips: (name) => name === "node_modules" || name === ".git",
  })
  const isOne = (path: string) => (kind === "skill" ? /(?:^|\/)SKILL\.md$/ : /\.mdc?$/).test(path)
  return paths
    .filter(isOne)
    .slice(0, MOST_FILES)
    .map((path) => pathBelow(folder, path))
}
