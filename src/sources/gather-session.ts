// Gathers what is fixed for one conversation: who is talking and where, the person's files, the situation's overlay,
// the channel's formatting, the working directory's context and skills, and facts about the machine.
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Diagnostic } from "../core/diagnostic.ts"
import type { Session } from "../core/scope.ts"
import type { SourceFile } from "../core/source.ts"
import type { Trust } from "../core/trust.ts"
import { gatherContext } from "./context.ts"
import { detectEnvironment } from "./environment.ts"
import { type Resolved, resolveAudience, type Sender } from "./policy.ts"
import { gatherSkills, type SkillFolder } from "./skills.ts"
import { type FileReader, fileReader, type Gathered, segment, type Workspace } from "./workspace.ts"

/** What has a trust of its own in a workspace: project context may not bring it in by an import. */
const CLOSED = ["USER.md", "MEMORY.md", "HEARTBEAT.md", "users", "memory", "agents", ".incipit"]

export interface SessionOptions extends Sender {
  readonly id?: string
  readonly model?: string
  /** The working directory; without it there is no project context. */
  readonly directory?: string
  readonly task?: string
  readonly background?: boolean
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly timeZone?: string
  /** Variables of the machine, such as SHELL. Without them, nothing is said of the machine. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Files that stand in the prompt already, so that project context does not repeat them. */
  readonly known?: readonly SourceFile[]
}

export function gatherSession(workspace: Workspace, options: SessionOptions = {}): Gathered<Session> {
  const { config, home } = workspace
  const resolved = resolveAudience(config, options, "incipit.yaml")
  const { audience, person, room } = resolved
  const read = fileReader(workspace)
  const files = ownFiles(workspace, resolved, options, read)
  const context =
    options.directory === undefined
      ? undefined
      : gatherContext({
          directory: options.directory,
          policy: config.prompt?.context ?? "first",
          known: new Set([...(options.known ?? []), ...files].map(({ identity }) => identity)),
          closed: CLOSED.map((name) => join(workspace.root, name)),
          trust: "familiar",
          ...(home !== undefined && { home }),
        })
  const skills = gatherSkills(projectSkillFolders(workspace, options.directory), workspace.cache.skills)
  const model = options.model ?? config.model
  const { id = "main", directory, task, background, inputs, channel } = options
  const isOwner = resolved.isOwner
  const facts = {
    isOwner,
    person,
    room,
    channel,
    model,
    directory,
    task,
    background,
    inputs,
    ...environmentOf(workspace, options, model),
  }
  const known = Object.fromEntries(Object.entries(facts).filter(([, item]) => item !== undefined))
  return {
    value: { id, audience, files: [...files, ...(context?.files ?? [])], skills: skills.skills, ...known },
    diagnostics: [
      ...resolved.diagnostics,
      ...read.diagnostics,
      ...(context?.diagnostics ?? []),
      ...skills.diagnostics,
    ],
  }
}

function ownFiles(
  { folder, root, config }: Workspace,
  resolved: Resolved,
  options: SessionOptions,
  read: FileReader,
): readonly SourceFile[] {
  const { person, overlay, audience } = resolved
  const from = (path: string | undefined, role: string, trust: Trust) =>
    path === undefined ? undefined : read(join(folder, path), { role, trust })
  const family = segment(options.channel?.split(":", 1)[0])
  const own = segment(person)
  // A path in the configuration starts where the configuration is.
  const overlayFile =
    overlay === undefined ? undefined : read(join(root, overlay), { role: "situation", trust: "public" })
  if (overlay !== undefined && overlayFile === undefined)
    read.diagnostics.push(missingOverlay(overlay, audience.situation))
  const perUser =
    config.prompt?.files?.filter((file) => file.per_user === true && file.path !== "USER.md") ?? []
  return [
    from(own && `users/${own}/USER.md`, "user", "inner"),
    ...perUser.map(({ path }) => from(own && `users/${own}/${path}`, "user-files", "inner")),
    overlayFile,
    from(family && `channels/${family}.md`, "channel", "public"),
    audience.situation === "system" ? from("HEARTBEAT.md", "heartbeat", "full") : undefined,
  ].filter((file) => file !== undefined)
}

/** Skills of the working directory and of the folders above it; the workspace's own are its own. */
function projectSkillFolders({ folder }: Workspace, directory: string | undefined): readonly SkillFolder[] {
  const above = directory === undefined ? [] : upToRepository(directory).filter((path) => path !== folder)
  return above.flatMap((at) =>
    [".agents/skills", ".claude/skills"].map((name) => {
      const path = join(at, name)
      return { path, shown: path, roots: [at], isOwn: false }
    }),
  )
}

/** The folder and those above it, up to the root of its repository; outside of one, the folder alone. */
function upToRepository(directory: string): readonly string[] {
  const chain: string[] = []
  for (let at = directory; ; at = dirname(at)) {
    chain.push(at)
    if (existsSync(join(at, ".git"))) return chain
    if (at === dirname(at)) return [directory]
  }
}

function missingOverlay(path: string, situation: string): Diagnostic {
  return { code: "overlay-missing", path, situation }
}

function environmentOf({ config }: Workspace, options: SessionOptions, model: string | undefined) {
  if (options.env === undefined) return {}
  const facts = { model, session: options.id, timeZone: options.timeZone, env: options.env }
  const { host, sandbox } = detectEnvironment(facts, config.environment)
  return { environment: host, ...(Object.keys(sandbox).length > 0 && { sandbox }) }
}
