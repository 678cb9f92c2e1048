// The view: what one audience may see. It is made before precedence, collisions and limits are resolved, so that hidden
// things cannot affect visible ones. The plan checks again, by file identity.
import { byCodePoint } from "../../base/order.ts"
import { atLeast, mostOf, type Trust } from "../../base/trust.ts"
import type { Agent, Audience, Extension, MemoryFile, Session, Skill, Tool, Turn } from "../model/inputs.ts"
import type { AgentView, SessionView } from "../model/section-scope.ts"
import type { AbsentFile, SourceFile } from "../model/source.ts"

/** A source that this audience may not see; only the operator sees this list. */
export interface Hidden {
  readonly role: string
  readonly path: string
  readonly identity: string
  readonly why: "trust" | "situation" | "mode"
  readonly needs: Trust
  /** The situations or modes that it is for. */
  readonly only?: readonly string[]
}

/** What one audience may see of an agent and a session, and what was hidden from it. */
export interface View {
  readonly agent: AgentView
  readonly session: SessionView
  readonly hidden: readonly Hidden[]
  /** Sources that the audience may see but that cannot be read now. */
  readonly unavailable: readonly SourceFile[]
  /** What was looked for and not found. Sections don't see it: a name beside it may belong to a hidden file. */
  readonly absent: readonly AbsentFile[]
}

/** A history mentions files that lower levels may not see, and a commit subject doesn't show which. */
export const GIT_TRUST: Trust = "full"

/** The turn as an audience may know it, so that no section or hook can reveal more. */
export function turnFor({ trust }: Audience, turn: Turn): Turn {
  if (turn.git === undefined || atLeast(trust, GIT_TRUST)) return turn
  const { git: _hidden, ...rest } = turn
  return rest
}

export function view(agent: Agent, session: Session, toolOrder: "sorted" | "given" = "sorted"): View {
  const audience = session.audience
  const trusts = strictestByIdentity([...agent.files, ...session.files])
  const hidden: Hidden[] = []
  const visible = (file: SourceFile) => {
    const needs = trusts.get(file.identity) ?? file.trust
    const why = whyHidden(file, needs, audience)
    if (why === undefined) return true
    hidden.push({
      role: file.role,
      path: file.path,
      identity: file.identity,
      why,
      needs,
      ...onlyFor(file, why),
    })
    return false
  }
  const seen = (role: string, item: Skill | MemoryFile) => {
    const { path, identity, trust } = item
    const needs = mostOf(trust, trusts.get(identity) ?? "public")
    const limits = "situations" in item || "modes" in item ? item : {}
    const why = whyHidden(limits, needs, audience)
    if (why === undefined) return true
    hidden.push({ role, path, identity, why, needs, ...onlyFor(limits, why) })
    return false
  }
  const shown = (role: string, skills: readonly Skill[] = [], taken: ReadonlySet<string> = new Set()) =>
    firstOfName(
      skills.filter((skill) => seen(role, skill)),
      taken,
    )
  const allowed = (item: Tool | Extension) => atLeast(audience.trust, item.trust ?? "public")
  const files = agent.files.filter(visible)
  const sessionFiles = session.files.filter(visible)
  const skills = shown("skill", agent.skills)
  const { absent: ofAgent = [], ...agentFacts } = agent
  const { absent: ofSession = [], ...sessionFacts } = session
  return {
    agent: {
      ...agentFacts,
      mode: audience.mode,
      files,
      skills,
      memory: (agent.memory ?? []).filter((file) => seen("memory", file)),
      // Sorted, so that a list of tools in the text does not depend on the order of registration.
      tools: inToolOrder(agent.tools.filter(allowed), toolOrder),
      extensions: agent.extensions.filter(allowed),
    },
    session: {
      ...sessionFacts,
      files: sessionFiles,
      skills: shown("project-skill", session.skills, new Set(skills.map(({ name }) => name))),
    },
    hidden,
    unavailable: [...files, ...sessionFiles].filter((file) => file.unavailable !== undefined),
    absent: [...ofAgent, ...ofSession],
  }
}

export function inToolOrder(tools: readonly Tool[], order: "sorted" | "given"): readonly Tool[] {
  return order === "given" ? tools : tools.toSorted((a, b) => byCodePoint(a.name, b.name))
}

/** Resolves collisions among visible skills only, so that a hidden skill cannot replace a visible one. */
function firstOfName(skills: readonly Skill[], taken: ReadonlySet<string>): readonly Skill[] {
  const names = new Set(taken)
  const own = new Set<string>()
  return skills.filter(({ name, isPersonal }) => {
    const known = isPersonal === true ? own : names
    if (known.has(name)) return false
    known.add(name)
    names.add(name)
    return true
  })
}

/** Each hidden source once, however often it was found. */
export function uniqueHidden(hidden: readonly Hidden[]): readonly Hidden[] {
  return [...new Map(hidden.map((item) => [`${item.role} ${item.identity}`, item])).values()]
}

/** A file listed under two names has the stricter trust of the two under both. */
function strictestByIdentity(files: readonly SourceFile[]): ReadonlyMap<string, Trust> {
  const trusts = new Map<string, Trust>()
  for (const file of files)
    trusts.set(file.identity, mostOf(file.trust, trusts.get(file.identity) ?? "public"))
  return trusts
}

type Limits = Pick<SourceFile, "situations" | "modes">

function onlyFor({ situations, modes }: Limits, why: Hidden["why"]): Pick<Hidden, "only"> {
  const only = why === "situation" ? situations : why === "mode" ? modes : undefined
  return only === undefined ? {} : { only }
}

function whyHidden(file: Limits, needs: Trust, audience: Audience): Hidden["why"] | undefined {
  if (!atLeast(audience.trust, needs)) return "trust"
  if (file.situations !== undefined && !file.situations.includes(audience.situation)) return "situation"
  if (file.modes !== undefined && !file.modes.includes(audience.mode)) return "mode"
  return undefined
}
