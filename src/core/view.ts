// The view: what one audience may see. It is made before precedence, collisions and limits are resolved,
// so that what is hidden can not change what is seen. The plan checks again, by file identity.

import { byCodePoint } from "./order.ts"
import type { Agent, Audience, Extension, Mode, Session, Tool } from "./scope.ts"
import type { SourceFile } from "./source.ts"
import { atLeast, mostOf, type Trust } from "./trust.ts"

/** Besides the sources, the mode: a view is made for one, so it changes no faster than the view. */
export interface AgentView extends Agent {
  readonly mode: Mode
}
export type SessionView = Session

/** A source that this audience may not see, for the operator's eyes. */
export interface Hidden {
  readonly role: string
  readonly path: string
  readonly identity: string
  readonly why: "trust" | "situation" | "mode"
  readonly needs: Trust
}

export interface View {
  readonly agent: AgentView
  readonly session: SessionView
  readonly hidden: readonly Hidden[]
  /** What the audience may see, but can not be read now. */
  readonly unavailable: readonly SourceFile[]
}

export function view(agent: Agent, session: Session): View {
  const audience = session.audience
  const trusts = strictestByIdentity([...agent.files, ...session.files])
  const hidden: Hidden[] = []
  const visible = (file: SourceFile) => {
    const needs = trusts.get(file.identity) ?? file.trust
    const why = whyHidden(file, needs, audience)
    if (why === undefined) return true
    hidden.push({ role: file.role, path: file.path, identity: file.identity, why, needs })
    return false
  }
  const allowed = (item: Tool | Extension) => atLeast(audience.trust, item.trust ?? "public")
  const files = agent.files.filter(visible)
  const sessionFiles = session.files.filter(visible)
  return {
    agent: {
      ...agent,
      mode: audience.mode,
      files,
      // Sorted, so that a list of tools in the text does not depend on the order of registration.
      tools: agent.tools.filter(allowed).sort((a, b) => byCodePoint(a.name, b.name)),
      extensions: agent.extensions.filter(allowed),
    },
    session: { ...session, files: sessionFiles },
    hidden,
    unavailable: [...files, ...sessionFiles].filter((file) => file.unavailable !== undefined),
  }
}

/** Each hidden source once, however often it was met. */
export function uniqueHidden(hidden: readonly Hidden[]): readonly Hidden[] {
  return [...new Map(hidden.map((item) => [`${item.role} ${item.identity}`, item])).values()]
}

/** One file listed twice under two names has the stricter trust of the two under both. */
function strictestByIdentity(files: readonly SourceFile[]): ReadonlyMap<string, Trust> {
  const trusts = new Map<string, Trust>()
  for (const file of files)
    trusts.set(file.identity, mostOf(file.trust, trusts.get(file.identity) ?? "public"))
  return trusts
}

function whyHidden(file: SourceFile, needs: Trust, audience: Audience): Hidden["why"] | undefined {
  if (!atLeast(audience.trust, needs)) return "trust"
  if (file.situations !== undefined && !file.situations.includes(audience.situation)) return "situation"
  if (file.modes !== undefined && !file.modes.includes(audience.mode)) return "mode"
  return undefined
}
