// Why a section without content is out: what its build says, and otherwise what became of the files that it reads.
import { leastOf, type Trust } from "../../base/trust.ts"
import type { Audience } from "../model/inputs.ts"
import type { Outcome } from "../model/plan.ts"
import type { Section } from "../model/section.ts"
import type { AbsentFile, SourceFile } from "../model/source.ts"
import type { UnusedReason } from "./unused.ts"
import type { Hidden, View } from "./view.ts"

/** More paths than these don't make a reason clearer. */
const MAX_PATHS = 6

/** What the build says counts first: it holds whatever files there are. */
export function whyUnused(section: Section, view: View): Outcome {
  const said = section.unused
  if (said !== undefined && said.kind !== "no-file") return { kind: "unused", why: said }
  const roles = new Set([...(section.reads ?? []), ...(said === undefined ? [] : [said.role])])
  if (roles.size === 0) return { kind: "unused", why: { kind: "built-nothing" } }
  const { audience } = view.session
  const hidden = view.hidden.filter(({ role }) => roles.has(role))
  const absent = view.absent.filter(({ role }) => roles.has(role))
  const needed = [...hidden.filter(({ why }) => why === "trust"), ...absent].flatMap(
    ({ needs }) => needs ?? [],
  )
  if (needed.length > 0) return withheld(needed, audience)
  const [elsewhere] = hidden
  if (elsewhere !== undefined) return { kind: "unused", why: otherAudience(elsewhere, audience) }
  return { kind: "unused", why: whyNoText(roles, view, said) }
}

/** A source of the section that exists but cannot be read now. */
export function unavailableSource(section: Section, view: View): SourceFile | undefined {
  // A section that is out for another reason needs no source.
  if (section.unused !== undefined && section.unused.kind !== "no-file") return undefined
  return view.unavailable.find(({ role }) => section.reads?.includes(role))
}

function withheld(needs: readonly Trust[], { trust }: Audience): Outcome {
  return { kind: "withheld", needs: needs.reduce<Trust>(leastOf, "full"), has: trust }
}

function otherAudience({ path, why, only = [] }: Hidden, audience: Audience): UnusedReason {
  const of = why === "situation" ? "situation" : "mode"
  return { kind: "other-audience", path, of, is: audience[of], only }
}

function whyNoText(
  roles: ReadonlySet<string>,
  { agent, session, unavailable, absent: all }: View,
  said: Extract<UnusedReason, { kind: "no-file" }> | undefined,
): UnusedReason {
  const broken = unavailable.find(({ role }) => roles.has(role))
  if (broken !== undefined)
    return { kind: "unavailable", path: broken.path, problem: broken.unavailable ?? "" }
  const files = [...agent.files, ...session.files].filter(({ role }) => roles.has(role))
  if (files.length > 0 && files.every(({ text }) => text.trim() === ""))
    return { kind: "empty", paths: files.map(({ path }) => path) }
  // The files have text, but the build found nothing for this prompt in it.
  if (files.length > 0 && said === undefined) return { kind: "built-nothing" }
  const absent = all.filter(({ role }) => roles.has(role))
  const taken = absent.find(({ usedAs }) => usedAs !== undefined)
  if (taken?.usedAs !== undefined) return { kind: "in-another", path: taken.path, section: taken.usedAs }
  const [role = ""] = roles
  return { kind: "no-file", role, ...said, ...lookedFor(absent) }
}

function lookedFor(
  absent: readonly AbsentFile[],
): Pick<Extract<UnusedReason, { kind: "no-file" }>, "looked" | "nearest" | "upFrom"> {
  const up = absent.find(({ upFrom }) => upFrom !== undefined)?.upFrom
  const near = absent.find(({ nearest }) => nearest !== undefined)?.nearest
  const looked = [...new Set(absent.map(({ path }) => path))].slice(0, MAX_PATHS)
  return { looked, ...(up !== undefined && { upFrom: up }), ...(near !== undefined && { nearest: near }) }
}
