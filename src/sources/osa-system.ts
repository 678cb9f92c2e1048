// Where OSA keeps its files: everything in `~/.osa`, and rules in the workspace's `priv/rules` besides.
// Files from before there was a SYSTEM.md count only where there is none; the layout of that time reads them alone.
import { join } from "node:path"
import type { SourceFile } from "../core/source.ts"
import { markdownBelow } from "./incipit-agent.ts"
import type { AgentSources, System } from "./system.ts"
import { type Convention, type FileReader, fileReader, type Gathered, type Workspace } from "./workspace.ts"

const HOME = ".osa"
const BASE = "prompts/SYSTEM.md"
const FILES: Readonly<Record<string, Convention>> = {
  "USER.md": { role: "user", trust: "inner" },
  "MEMORY.md": { role: "memory", trust: "full" },
}
const LEGACY_FILES: Readonly<Record<string, Convention>> = {
  "IDENTITY.md": { role: "identity", trust: "familiar" },
  "SOUL.md": { role: "soul", trust: "familiar" },
}
const RULES: Convention = { role: "rules", trust: "familiar" }

type Era = "before" | "after"

export const osaSystem: System = systemOf("after")
export const osaBeforeSystem: System = systemOf("before")

function systemOf(era: Era): System {
  return {
    inSession: true,
    homes: [HOME],
    agent: (workspace) => gather(workspace, era),
    // Nothing belongs to a conversation alone.
    session: () => ({ value: { files: [], skills: [] }, diagnostics: [] }),
  }
}

function gather(workspace: Workspace, era: Era): Gathered<AgentSources> {
  const read = fileReader(workspace)
  const own = workspace.home === undefined ? undefined : join(workspace.home, HOME)
  const files = [
    ...(own === undefined ? [] : homeFiles(own, era, read)),
    ...rulePaths(workspace, own).map((path) => read(path, RULES)),
  ].filter((file) => file !== undefined)
  return { value: { files, skills: [], memory: [] }, diagnostics: read.diagnostics }
}

function homeFiles(own: string, era: Era, read: FileReader): readonly (SourceFile | undefined)[] {
  const all = (files: Readonly<Record<string, Convention>>) =>
    Object.entries(files).map(([name, convention]) => read(join(own, name), convention))
  const base = era === "after" ? read(join(own, BASE), { role: "base", trust: "public" }) : undefined
  const isMigrated = base !== undefined && (base.text.trim() !== "" || base.unavailable !== undefined)
  const legacy = isMigrated ? [] : all(LEGACY_FILES)
  if (era === "after") for (const file of legacy) if (file !== undefined) noteLegacy(file, read)
  return [base, ...legacy, ...all(FILES)]
}

function noteLegacy({ path, trust }: SourceFile, { diagnostics }: FileReader): void {
  diagnostics.push({ code: "legacy-files", path, target: `~/${HOME}/${BASE}`, needs: trust })
}

function rulePaths(workspace: Workspace, own: string | undefined): readonly string[] {
  const { folder } = workspace
  const below = own === undefined ? [] : markdownBelow(join(own, "rules"), workspace)
  return [...below, ...markdownBelow(join(folder, "priv", "rules"), workspace)]
}
