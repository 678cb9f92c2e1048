// Where Incipit keeps what is fixed for one conversation: the person's files, the situation's overlay, the channel's
// formatting, the working directory's context and skills.
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Trust } from "../../base/trust.ts"
import type { SourceFile } from "../../core/model/source.ts"
import { identityAt } from "../../files/identity.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { listedPath } from "../config/configured-trust.ts"
import { contextPolicy } from "../config/defaults.ts"
import type { Resolved } from "../config/policy.ts"
import { type Context, type ContextOptions, gatherContext, importsOf } from "../context/context.ts"
import { contextTop } from "../context/context-top.ts"
import { brokenContext, misspeltContext } from "../context/misspelt-context.ts"
import { type FileReader, fileReader } from "../file-reader.ts"
import { COMMANDS_FOLDER, gatherSkills, type SkillFolder } from "../skills/skills.ts"
import { type Gathered, segment, type Workspace } from "../workspace.ts"
import { workspaceGate } from "../workspace-gate.ts"
import { noContext, noSkills } from "./absent-files.ts"
import { addendumFiles } from "./addendums.ts"
import type { SessionFacts } from "./session-facts.ts"
import type { SessionSources } from "./system.ts"

export function incipitSession(
  workspace: Workspace,
  options: SessionFacts,
  resolved: Resolved,
): Gathered<SessionSources> {
  const { person, audience } = resolved
  const read = fileReader(workspace, person)
  const gate = workspaceGate(workspace, options.directory === undefined ? [] : [options.directory])
  const files = [
    ...ownFiles(workspace, resolved, options, read),
    ...(options.env === undefined ? [] : addendumFiles(workspace, read)),
  ]
  const known = new Set([...(options.known ?? []), ...files].map(({ identity }) => identity))
  // The agent has looked at it: whatever is wrong with it is said once.
  const own = identityAt(join(workspace.folder, "AGENTS.md"))
  if (own !== undefined) known.add(own)
  const context = contextOf(workspace, options.directory, { known, access: { gate, audience, person } })
  const folders = projectSkillFolders(workspace, options.directory)
  const skills = gatherSkills(folders, workspace.cache.skills, gate)
  const all = [...files, ...context.flatMap((found) => found.files)]
  const absent = [
    ...read.absent,
    ...noSkills("project-skill", skills, folders),
    ...noContext(all, {
      ...{ folder: workspace.folder, directory: options.directory, known: options.known },
      held: context.flatMap((found) => found.held),
    }),
    ...misspeltContext(workspace, options.directory, [...(options.known ?? []), ...all]),
  ]
  return {
    value: { files: all, skills: skills.skills, absent },
    diagnostics: [
      ...read.diagnostics,
      ...context.flatMap((found) => found.diagnostics),
      ...brokenContext(workspace, options.directory),
      ...skills.diagnostics,
    ],
  }
}

/** Project context. The workspace's AGENTS.md may import files, too, even if the working directory is elsewhere. */
function contextOf(
  workspace: Workspace,
  directory: string | undefined,
  { known, access }: Required<Pick<ContextOptions, "known" | "access">>,
): readonly Context[] {
  const { root, folder, home, config } = workspace
  const isOnTheWay = directory !== undefined && isInside(realPath(resolve(directory)), folder)
  const options: Omit<ContextOptions, "directory"> = {
    ...{ policy: contextPolicy(config), known, access, trust: "familiar" },
    ...(home !== undefined && { home }),
  }
  const own = isOnTheWay
    ? []
    : [importsOf(join(folder, "AGENTS.md"), [root], { ...options, directory: folder })]
  if (directory === undefined) return own
  const imported = own.flatMap(({ files }) => files.map(({ identity }) => identity))
  const top = contextTop(workspace, directory)
  return [...own, gatherContext({ ...options, directory, top, known: new Set([...known, ...imported]) })]
}

function ownFiles(
  { folder, root, config }: Workspace,
  resolved: Resolved,
  options: SessionFacts,
  read: FileReader,
): readonly SourceFile[] {
  const { person, overlay, audience } = resolved
  const from = (path: string | undefined, role: string, trust: Trust) =>
    path === undefined ? undefined : read(join(folder, path), { role, trust })
  const family = segment(options.channel?.split(":", 1)[0])
  const own = segment(person)
  // A path in the configuration is relative to the configuration's folder.
  const overlayFile =
    overlay === undefined ? undefined : read(join(root, overlay), { role: "situation", trust: "public" })
  if (overlay !== undefined && overlayFile === undefined)
    read.diagnostics.push(missingOverlay(overlay, audience.situation))
  const perUser =
    config.prompt?.files?.filter((file) => file.per_user === true && listedPath(file.path) !== "USER.md") ??
    []
  return [
    from(own && `users/${own}/USER.md`, "user", "inner"),
    ...perUser.map(({ path }) => from(own && `users/${own}/${path}`, "user-files", "inner")),
    overlayFile,
    from(family && `channels/${family}.md`, "channel", "public"),
    audience.situation === "system" ? from("HEARTBEAT.md", "heartbeat", "full") : undefined,
  ].filter((file) => file !== undefined)
}

/** Skills of the working directory and its parent folders, without those of the workspace. */
export function projectSkillFolders(
  workspace: Workspace,
  directory: string | undefined,
): readonly SkillFolder[] {
  const above = directory === undefined ? [] : skillPlaces(workspace, directory)
  return above.flatMap((at) =>
    [".agents/skills", ".claude/skills", COMMANDS_FOLDER].map((name): SkillFolder => {
      const path = join(at, name)
      const isCommands = name === COMMANDS_FOLDER
      return { path, shown: path, roots: [at], isOwn: false, ...(isCommands && { isCommands }) }
    }),
  )
}

function skillPlaces(workspace: Workspace, directory: string): readonly string[] {
  const top = contextTop(workspace, directory)
  return upToRepository(directory).filter(
    (path) => path !== workspace.folder && (top === undefined || isInside(realPath(path), top)),
  )
}

/** The folder and its parents up to the root of its repository; outside a repository, the folder alone. */
function upToRepository(directory: string): readonly string[] {
  const chain: string[] = []
  for (let at = directory; ; at = dirname(at)) {
    chain.push(at)
    if (existsSync(join(at, ".git"))) return chain
    if (at === dirname(at)) return [directory]
  }
}

function missingOverlay(path: string, situation: string): Diagnostic {
  // Whether the overlay exists must stay hidden from audiences that may not see it.
  return { code: "overlay-missing", path, situation, needs: "full" }
}
