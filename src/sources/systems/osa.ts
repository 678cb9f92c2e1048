// Where OSA keeps its files: everything in `~/.osa`, plus a base and rules in the workspace's `priv`. Files from before
// SYSTEM.md existed count only if there is no SYSTEM.md; the layout of that time reads them alone.
import { join } from "node:path"
import type { SourceFile } from "../../core/model/source.ts"
import { type Convention, type FileReader, fileReader } from "../file-reader.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import { noneIn } from "./absent-files.ts"
import { addendumFiles } from "./addendums.ts"
import { wholeFile } from "./editable-places.ts"
import { markdownBelow } from "./incipit-agent.ts"
import type { SessionFacts } from "./session-facts.ts"
import type { AgentSources, SessionSources, System } from "./system.ts"

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

const READS: Readonly<Record<Era, string>> = {
  before: "IDENTITY.md, SOUL.md, USER.md and MEMORY.md in ~/.osa",
  after:
    "prompts/SYSTEM.md in ~/.osa or priv (without one, IDENTITY.md and SOUL.md in ~/.osa), USER.md and MEMORY.md in ~/.osa",
}

/** Where OSA keeps its files. */
export const osaSystem: System = systemOf("after")
/** Where OSA kept its files before its restructuring. */
export const osaBeforeSystem: System = systemOf("before")

function systemOf(era: Era): System {
  return {
    reads: `${READS[era]}, rules in ~/.osa/rules and priv/rules, and addendums for this machine`,
    inSession: true,
    homes: [HOME],
    agent: (workspace) => gather(workspace, era),
    session,
    // Rules are read with any SYSTEM.md.
    places: ({ folder }) => ({ instructions: wholeFile(join(folder, "priv", "rules", "instructions.md")) }),
    withoutTools: ["responsibility_remove"],
  }
}

function gather(workspace: Workspace, era: Era): Gathered<AgentSources> {
  const read = fileReader(workspace)
  const own = workspace.home === undefined ? undefined : join(workspace.home, HOME)
  const bases = era === "after" ? baseFiles(workspace, own, read) : []
  const files = [
    ...bases,
    ...(own === undefined ? [] : homeFiles(own, { era, isMigrated: bases.length > 0 }, read)),
    ...rulePaths(workspace, own).map((path) => read(path, RULES)),
  ].filter((file) => file !== undefined)
  const patterns = [...(own === undefined ? [] : [`~/${HOME}/rules/*.md`]), "priv/rules/*.md"]
  const absent = [...read.absent, ...noneIn("rules", patterns, files)]
  return { value: { files, skills: [], absent }, diagnostics: read.diagnostics }
}

/** Only the addendums for the current machine belong to the conversation. */
function session(workspace: Workspace, { env }: SessionFacts): Gathered<SessionSources> {
  const read = fileReader(workspace)
  const files = env === undefined ? [] : addendumFiles(workspace, read)
  // Addendums have a section for each kind.
  const absent = read.absent.map((file) => ({
    ...file,
    role: `addendum-${file.path.includes("addendums/os/") ? "os" : "machine"}`,
  }))
  return { value: { files, skills: [], absent }, diagnostics: read.diagnostics }
}

/** The home folder's, then the workspace's. Empty files are skipped. */
function baseFiles({ folder }: Workspace, own: string | undefined, read: FileReader): readonly SourceFile[] {
  return [...(own === undefined ? [] : [own]), join(folder, "priv")]
    .map((at) => read(join(at, BASE), { role: "base", trust: "public" }))
    .filter((file) => file !== undefined)
    .filter(({ text, unavailable }) => text.trim() !== "" || unavailable !== undefined)
}

function homeFiles(
  own: string,
  { era, isMigrated }: { readonly era: Era; readonly isMigrated: boolean },
  read: FileReader,
): readonly (SourceFile | undefined)[] {
  const all = (files: Readonly<Record<string, Convention>>) =>
    Object.entries(files).map(([name, convention]) => read(join(own, name), convention))
  const legacy = isMigrated ? [] : all(LEGACY_FILES)
  if (era === "after") for (const file of legacy) if (file !== undefined) noteLegacy(file, read)
  return [...legacy, ...all(FILES)]
}

function noteLegacy({ path, trust }: SourceFile, { diagnostics }: FileReader): void {
  diagnostics.push({ code: "legacy-files", path, target: `~/${HOME}/${BASE}`, needs: trust })
}

function rulePaths(workspace: Workspace, own: string | undefined): readonly string[] {
  const { folder } = workspace
  const below = own === undefined ? [] : markdownBelow(join(own, "rules"), workspace)
  return [...below, ...markdownBelow(join(folder, "priv", "rules"), workspace)]
}
