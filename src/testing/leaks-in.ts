// Lines that an audience may not see, in what it gets all the same: a secret that also stands in a public section, such as
// a file that quotes another. The gate cannot know that two texts say the same.
import type { Trust } from "../base/trust.ts"
import type { Prompt } from "../core/model/prompt.ts"
import type { ChatAudience } from "../prompt/prompt-inputs.ts"
import { compileFor, type PromptCase } from "./compile-for.ts"

export interface Leak {
  readonly line: string
  /** The section that keeps the line from the audience, and the trust that it needs. */
  readonly from: string
  readonly needs: Trust
  /** The section that shows it. */
  readonly in: string
}

/** Shorter lines are the same by chance. */
const LETTERS = 8

/** Cuts would hide what is shown only when there is room. */
const UNLIMITED = { window: 40_000_000 }

export function leaksIn(asked: PromptCase, audience: ChatAudience): readonly Leak[] {
  const whole = compileFor({ ...asked, session: { ...asked.session, trust: "full" } }, UNLIMITED)
  const seen = compileFor({ ...asked, session: { ...asked.session, ...audience } }, UNLIMITED)
  const shown = linesIn(seen)
  return keptBack(whole, seen, shown).flatMap(({ line, from, needs }): Leak[] => {
    const place = shown.find((one) => one.line.includes(line))
    return place === undefined ? [] : [{ line, from, needs, in: place.section }]
  })
}

interface Line {
  readonly section: string
  readonly line: string
}

function linesIn({ plan }: Prompt): readonly Line[] {
  return plan.entries.flatMap(({ kind, id, spans }) =>
    kind !== "section"
      ? []
      : spans.flatMap(({ block, start, end }) =>
          (plan.blocks[block]?.text.slice(start, end) ?? "")
            .split("\n")
            .map((line) => ({ section: id, line: line.trim() })),
        ),
  )
}

/** Lines of sections that this audience gets not at all, or only in part. */
function keptBack(whole: Prompt, seen: Prompt, shown: readonly Line[]) {
  const needs = new Map<string, Trust>()
  for (const { role, needs: trust } of seen.plan.hidden) needs.set(role, trust)
  for (const { id, outcome } of seen.plan.entries)
    if (outcome.kind === "withheld") needs.set(id, outcome.needs)
  return linesIn(whole).flatMap(({ section, line }) => {
    const trust = needs.get(section)
    const isOwn = shown.some((one) => one.section === section && one.line === line)
    if (trust === undefined || isOwn || letters(line) < LETTERS || isTag(line)) return []
    return [{ line, from: section, needs: trust }]
  })
}

function letters(line: string): number {
  return line.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** The compiler's own frame around a section. */
function isTag(line: string): boolean {
  return /^<\/?[\w-]+[^>]*>$/.test(line)
}
