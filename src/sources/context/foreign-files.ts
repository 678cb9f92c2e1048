// Instruction files and settings of other programs that people have in their folders: which program reads a file, and
// which of them say something that no prompt here has. Reads names of files, and the text of few.
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { globOf } from "../../base/text/glob.ts"
import type { ForeignPurpose } from "../../core/read/explain.ts"

export interface ForeignFile {
  readonly program: string
  readonly purpose: ForeignPurpose
}

type Known = readonly [glob: string, program: string, purpose: ForeignPurpose]

/**
 * Relative to a folder in which the program runs, which may be any in the workspace. The first match counts. In lower
 * case: some systems don't tell names by case.
 */
const KNOWN: readonly Known[] = [
  ["gemini.md", "Gemini CLI", "instructions"],
  [".gemini/settings.json", "Gemini CLI", "settings"],
  [".gemini/commands/**/*.toml", "Gemini CLI", "command"],
  [".gemini/skills/**", "Gemini CLI", "skill"],
  [".github/copilot-instructions.md", "GitHub Copilot", "instructions"],
  [".github/instructions/**/*.md", "GitHub Copilot", "rules"],
  [".github/prompts/**/*.md", "GitHub Copilot", "command"],
  [".github/skills/**", "GitHub Copilot", "skill"],
  [".github/{agents,chatmodes}/*.md", "GitHub Copilot", "subagent"],
  [".cursor/rules/**/*.{md,mdc}", "Cursor", "rules"],
  [".cursor/commands/**/*.md", "Cursor", "command"],
  [".cursor/skills/**", "Cursor", "skill"],
  [".cursor/mcp.json", "Cursor", "servers"],
  [".cursor/hooks.json", "Cursor", "settings"],
  [".cursorrules", "Cursor", "instructions"],
  [".windsurfrules", "Windsurf", "instructions"],
  [".windsurf/rules/**/*.md", "Windsurf", "rules"],
  [".windsurf/workflows/**/*.md", "Windsurf", "command"],
  [".clinerules", "Cline", "instructions"],
  [".clinerules/**/*.md", "Cline", "rules"],
  [".claude/agents/**/*.md", "Claude Code", "subagent"],
  [".claude/settings.json", "Claude Code", "settings"],
  [".claude/settings.local.json", "Claude Code", "settings"],
  [".mcp.json", "Claude Code", "servers"],
  [".vscode/mcp.json", "VS Code", "servers"],
  [".codex/{config.toml,hooks.json}", "Codex", "settings"],
  [".codex/skills/**", "Codex", "skill"],
  [".opencode/{agent,agents}/**/*.md", "OpenCode", "subagent"],
  [".opencode/{command,commands}/**/*.md", "OpenCode", "command"],
  [".opencode/{skill,skills}/**", "OpenCode", "skill"],
  ["opencode.{json,jsonc}", "OpenCode", "settings"],
  [".pi/{system,append_system}.md", "pi", "profile"],
  [".pi/skills/**", "pi", "skill"],
  [".pi/prompts/**/*.md", "pi", "command"],
  [".claude-plugin/**", "Claude Code", "plugin"],
  ["plugins/*/{agents,commands,hooks,skills}/**", "Claude Code", "plugin"],
]

const MATCHERS = KNOWN.flatMap(([glob, program, purpose]) => {
  const matches = globOf(`**/${glob}`)
  return matches === undefined ? [] : [{ matches, file: { program, purpose } }]
})

/** `path`: relative to the workspace, with slashes. */
export function foreignFileAt(path: string): ForeignFile | undefined {
  const name = path.toLowerCase()
  return MATCHERS.find(({ matches }) => matches(name))?.file
}

interface Place {
  readonly path: string
  /** How the names of its files end; a place without it is a file. */
  readonly extension?: string
}

/** The places of instructions; each holds the text of one program. */
const PLACES: readonly Place[] = [
  { path: "GEMINI.md" },
  { path: ".github/copilot-instructions.md" },
  { path: ".github/instructions", extension: ".md" },
  { path: ".cursor/rules", extension: ".mdc" },
  { path: ".cursorrules" },
  { path: ".windsurfrules" },
  { path: ".windsurf/rules", extension: ".md" },
  { path: ".clinerules", extension: ".md" },
]

/** The places of skills, and the file that makes a folder one. */
const SKILL_PLACES: readonly Place[] = [
  ...[".codex", ".cursor", ".gemini", ".github", ".opencode", ".pi"].map((name) => `${name}/skills`),
  ".opencode/skill",
].map((path) => ({ path, extension: "/SKILL.md" }))

/** A place in a folder that holds instructions or skills for another program, with its files. */
export interface ForeignPlace {
  /** Relative to the folder; a folder ends with a slash. */
  readonly path: string
  readonly files: readonly string[]
}

/** The places of instructions that exist. Opens no file. */
export function foreignPlaces(folder: string): readonly ForeignPlace[] {
  return placesIn(folder, PLACES)
}

/** The places of skills that exist. Opens no file. */
export function foreignSkillPlaces(folder: string): readonly ForeignPlace[] {
  return placesIn(folder, SKILL_PLACES)
}

function placesIn(folder: string, places: readonly Place[]): readonly ForeignPlace[] {
  const inFolder = new Set(namesIn(folder))
  return places.flatMap(({ path, extension }): readonly ForeignPlace[] => {
    if (!inFolder.has(path.split("/")[0] ?? "")) return []
    const names = extension === undefined ? [] : namesBelow(join(folder, path))
    const files = names.filter((name) => `/${name}`.endsWith(extension ?? ""))
    if (files.length > 0) return [{ path: `${path}/`, files: files.map((name) => `${path}/${name}`) }]
    const isFile = namesIn(join(folder, path, "..")).includes(basename(path)) && names.length === 0
    return isFile && (extension === undefined || path === ".clinerules") ? [{ path, files: [path] }] : []
  })
}

/** Programs keep rules in folders of folders, but not in deep ones. */
const MAX_DEPTH = 3
/** A folder with more names is nobody's folder of instructions. */
const MAX_NAMES = 500

/** The paths of everything in a folder, relative to it. */
function namesBelow(folder: string, depth = 1): readonly string[] {
  const names = namesIn(folder).slice(0, MAX_NAMES)
  const below = names.flatMap((name) =>
    depth < MAX_DEPTH ? namesBelow(join(folder, name), depth + 1).map((inside) => `${name}/${inside}`) : [],
  )
  return [...names, ...below].sort(byCodePoint)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
