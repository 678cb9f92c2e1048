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

/** Relative to the folder in which the program runs. The first match counts. */
const KNOWN: readonly Known[] = [
  ["**/GEMINI.md", "Gemini CLI", "instructions"],
  [".gemini/settings.json", "Gemini CLI", "settings"],
  [".github/copilot-instructions.md", "GitHub Copilot", "instructions"],
  [".github/instructions/**/*.md", "GitHub Copilot", "rules"],
  [".github/{agents,chatmodes}/*.md", "GitHub Copilot", "subagent"],
  [".cursor/rules/**/*.mdc", "Cursor", "rules"],
  [".cursor/mcp.json", "Cursor", "servers"],
  [".cursorrules", "Cursor", "instructions"],
  [".windsurfrules", "Windsurf", "instructions"],
  [".windsurf/rules/**/*.md", "Windsurf", "rules"],
  [".clinerules", "Cline", "instructions"],
  [".clinerules/**/*.md", "Cline", "rules"],
  [".claude/agents/**/*.md", "Claude Code", "subagent"],
  [".claude/settings.json", "Claude Code", "settings"],
  [".claude/settings.local.json", "Claude Code", "settings"],
  [".mcp.json", "Claude Code", "servers"],
  [".vscode/mcp.json", "VS Code", "servers"],
  [".codex/config.toml", "Codex", "settings"],
  ["**/.claude-plugin/**", "Claude Code", "plugin"],
  ["**/plugins/*/{agents,commands,hooks,skills}/**", "Claude Code", "plugin"],
]

const MATCHERS = KNOWN.flatMap(([glob, program, purpose]) => {
  const matches = globOf(glob)
  return matches === undefined ? [] : [{ matches, file: { program, purpose } }]
})

/** `path`: relative to the workspace, with slashes. */
export function foreignFileAt(path: string): ForeignFile | undefined {
  return MATCHERS.find(({ matches }) => matches(path))?.file
}

/** The places of instructions; each holds the text of one program. */
const PLACES: readonly { readonly path: string; readonly extension?: string }[] = [
  { path: "GEMINI.md" },
  { path: ".github/copilot-instructions.md" },
  { path: ".github/instructions", extension: ".md" },
  { path: ".cursor/rules", extension: ".mdc" },
  { path: ".cursorrules" },
  { path: ".windsurfrules" },
  { path: ".windsurf/rules", extension: ".md" },
  { path: ".clinerules", extension: ".md" },
]

/** A place in a folder that holds instructions for another program, with its files. */
export interface ForeignPlace {
  /** Relative to the folder; a folder ends with a slash. */
  readonly path: string
  readonly files: readonly string[]
}

/** The places that exist. Opens no file. */
export function foreignPlaces(folder: string): readonly ForeignPlace[] {
  const inFolder = new Set(namesIn(folder))
  return PLACES.flatMap(({ path, extension }): readonly ForeignPlace[] => {
    if (!inFolder.has(path.split("/")[0] ?? "")) return []
    const names = extension === undefined ? [] : namesIn(join(folder, path))
    const files = names.filter((name) => name.endsWith(extension ?? "")).toSorted(byCodePoint)
    if (files.length > 0) return [{ path: `${path}/`, files: files.map((name) => `${path}/${name}`) }]
    const isFile = namesIn(join(folder, path, "..")).includes(basename(path)) && names.length === 0
    return isFile && (extension === undefined || path === ".clinerules") ? [{ path, files: [path] }] : []
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
