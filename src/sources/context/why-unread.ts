// Explains why a file on disk is not in the prompt, for the person who runs the agent. Takes one real path at a time.
// Uses the same gate and the same walks as the prompt, so that the answer matches.
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { type Diagnostic, sentence } from "../../base/diagnostic.ts"
import type { Agent, Session } from "../../core/model/inputs.ts"
import type { FileFate, Unread } from "../../core/read/explain.ts"
import { asTrust, meets } from "../../files/gate/requirement.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { listedPath, shownPath } from "../config/configured-trust.ts"
import { contextPolicy } from "../config/defaults.ts"
import { whyNoSkill } from "../skills/why-no-skill.ts"
import type { Workspace } from "../workspace.ts"
import { workspaceGate } from "../workspace-gate.ts"
import type { ContextOptions } from "./context.ts"
import { contextTop } from "./context-top.ts"
import { foreignFileAt } from "./foreign-files.ts"
import { nameInOtherCase } from "./misspelt-context.ts"
import { whyContext } from "./why-context.ts"

export interface WhyOptions {
  readonly workspace: Workspace
  readonly agent: Agent
  readonly session: Session
  readonly directory: string
  readonly profile: string
  /** Whether the profile reads files where Incipit keeps them; other systems have their own places. */
  readonly isOwnSystem: boolean
  /** What another system reads, in words. */
  readonly reads?: string | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** `path` is real. The caller has checked that no gathered file is this one. */
export function whyUnread(path: string, options: WhyOptions): FileFate {
  const { workspace, session, directory, profile, isOwnSystem } = options
  const { audience, person } = session
  const gate = workspaceGate(workspace, [directory])
  const refused = refusal(path, options)
  if (refused !== undefined) return unread(refused)
  const guard = gate.guardUnder(path, person)
  if (guard?.trust !== undefined && guard.trust !== "never" && !meets(audience, guard, "public"))
    return { kind: "withheld", needs: asTrust(guard), has: audience.trust, why: "trust" }
  if (path === join(workspace.root, "incipit.yaml")) return unread({ kind: "configuration" })
  const name = slashed(relative(workspace.folder, path))
  const meant = [...(options.agent.absent ?? []), ...(session.absent ?? [])].find(
    ({ nearest }) => nearest === name,
  )
  if (meant !== undefined) return unread({ kind: "misspelt", as: meant.path })
  const foreign = foreignFileAt(name)
  if (!isOwnSystem) return unread({ kind: "not-read", profile, reads: options.reads })
  const context: ContextOptions = {
    directory,
    top: contextTop(workspace, directory),
    policy: contextPolicy(workspace.config),
    known: new Set(),
    access: { gate, audience, person },
    trust: "familiar",
    ...(workspace.home !== undefined && { home: workspace.home }),
  }
  if (foreign?.purpose === "plugin" || foreign?.purpose === "skill")
    return unread({ kind: "other-program", ...foreign })
  const why = ofConvention(path, workspace) ?? whyContext(path, context) ?? whyNoSkill(path, options)
  if (why !== undefined) return unread(why)
  const isClosed = gate.guardOf(path, person)?.isClosed === true
  if (isClosed) return unread({ kind: "closed" })
  const inOtherCase = foreign === undefined ? nameInOtherCase(path) : undefined
  if (inOtherCase !== undefined) return unread({ kind: "misspelt", as: inOtherCase })
  return unread(foreign === undefined ? { kind: "not-read", profile } : { kind: "other-program", ...foreign })
}

function unread(why: Unread): FileFate {
  return { kind: "unread", why }
}

/** Codes of diagnostics that explain why a file was left out. */
const REFUSALS: readonly string[] = [
  ...["file-too-large", "not-a-regular-file", "foreign-file", "memory-link", "outside-roots"],
  ...["source-unavailable", "skill-name-taken", "not-text"],
]

function refusal(path: string, { diagnostics, workspace }: WhyOptions): Unread | undefined {
  const names = [path, shownPath(path, workspace)]
  const found = diagnostics.find(
    (diagnostic) =>
      REFUSALS.includes(diagnostic.code) && "path" in diagnostic && names.includes(diagnostic.path),
  )
  if (found === undefined || !("path" in found)) return refusedImport(path, { diagnostics, workspace })
  return {
    kind: "refused",
    reason: sentence(found)
      .slice(found.path.length)
      .replace(/^(?::\d+)?: /, "It "),
  }
}

/** A file that another file imports but that was left out anyway. */
function refusedImport(
  path: string,
  { diagnostics, workspace: { home } }: Pick<WhyOptions, "diagnostics" | "workspace">,
): Unread | undefined {
  const place = (named: string, from: string) =>
    named.startsWith("~/") && home !== undefined ? join(home, named.slice(2)) : resolve(from, named)
  const found = diagnostics.find(
    (diagnostic) =>
      (diagnostic.code === "import-outside" || diagnostic.code === "import-too-deep") &&
      realPath(place(diagnostic.target, dirname(realPath(place(diagnostic.path, "/"))))) === path,
  )
  return found === undefined ? undefined : { kind: "refused", reason: `It was left out. ${sentence(found)}` }
}

/** Files whose place determines for whom or when they are read. */
function ofConvention(path: string, { folder, root, config }: Workspace): Unread | undefined {
  const own = slashed(relative(folder, path))
  const [first = "", second = ""] = own.split("/")
  const situation = Object.entries(config.situations ?? {}).find(
    ([, { prompt_overlay }]) =>
      prompt_overlay !== undefined && listedPath(prompt_overlay) === slashed(relative(root, path)),
  )
  if (situation !== undefined) return { kind: "other", what: "situation", name: situation[0] }
  if (!isInside(path, folder)) return otherAgent(path, root)
  if (own === "HEARTBEAT.md") return { kind: "other", what: "situation", name: "system" }
  if (first === "users" && second !== "") return { kind: "other", what: "user", name: second }
  if (first === "channels" && dirname(own) === "channels")
    return { kind: "other", what: "channel", name: basename(own, ".md") }
  if (first === "addendums")
    return { kind: "other", what: "machine", name: slashed(relative("addendums", own)) }
  if (first === "workflows") return { kind: "workflow" }
  return otherAgent(path, root)
}

function otherAgent(path: string, root: string): Unread | undefined {
  const [first, id] = slashed(relative(root, path)).split("/")
  return first === "agents" && id !== undefined ? { kind: "other", what: "agent", name: id } : undefined
}

function slashed(path: string): string {
  return path.split(sep).join("/")
}
