// The gate: which parts of a built section this audience may see. It runs after edits and checks by file identity, so
// neither text added by a hook nor an alias of a file can bypass the view.
import { atLeast, leastOf, type Trust } from "../../base/trust.ts"
import { type Content, isSlot, type TextPart } from "../model/content.ts"
import type { Outcome } from "../model/plan.ts"
import type { Section } from "../model/section.ts"
import type { Hidden, View } from "./view.ts"
import { whyUnused } from "./why-unused.ts"

export interface Gated {
  /** Set if the whole section is out. */
  readonly out?: Outcome
  readonly content?: Content
  /** Parts that the gate removed. */
  readonly hidden: readonly Hidden[]
}

export function gate(section: Section, view: View): Gated {
  const audience = view.session.audience
  const { trust } = audience
  if (!atLeast(trust, section.trust))
    return { out: { kind: "withheld", needs: section.trust, has: trust }, hidden: [] }
  if (section.content === undefined) return { out: whyUnused(section, view), hidden: [] }
  const hidden: Hidden[] = []
  const content = gateContent(section.content, (part) => {
    const found = hiddenPart(part, section, view)
    if (found !== undefined) hidden.push(found)
    return found === undefined
  })
  const isLeft = content.parts.some((part) => isSlot(part) || part.text.trim() !== "")
  if (isLeft || hidden.length === 0) return { content, hidden }
  const needs = hidden.reduce<Trust>((least, { needs }) => leastOf(least, needs), "full")
  return { out: { kind: "withheld", needs, has: trust }, hidden }
}

function gateContent(content: Content, keep: (part: TextPart) => boolean): Content {
  const parts = content.parts.filter((part) => isSlot(part) || keep(part))
  if (content.shorter === undefined) return { ...content, parts }
  return { ...content, parts, shorter: content.shorter.map((form) => gateContent(form, keep)) }
}

function hiddenPart(part: TextPart, section: Section, { session, hidden }: View): Hidden | undefined {
  const from = part.from
  const file =
    from?.kind === "file"
      ? hidden.find(({ identity, why }) => why === "trust" && identity === from.identity)
      : undefined
  if (file !== undefined) return file
  const needs = part.trust ?? "public"
  if (atLeast(session.audience.trust, needs)) return undefined
  const path = from?.kind === "file" ? from.path : from?.kind === "edit" ? from.by : section.id
  return {
    role: section.id,
    path,
    identity: from?.kind === "file" ? from.identity : path,
    why: "trust",
    needs,
  }
}
