// Layouts of the same sections, for comparison: where turn text goes, and which breakpoints are set. The first is
// Incipit's; the others are observed in harnesses.
import { PACES } from "../../base/pace.ts"
import type { Message } from "../../core/model/message.ts"
import type { Profile } from "../../core/model/profile.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { type Breakpoint, planBreakpoints } from "./breakpoints.ts"
import type { CacheLayoutName } from "./cache-layout-name.ts"
import { type CacheRule, ttlOf } from "./cache-rule.ts"

/** A way to arrange a prompt and to mark it for the cache. */
export interface CacheLayout {
  readonly name: CacheLayoutName
  readonly help: string
  readonly arrange: (profile: Profile) => Profile
  readonly mark: (prompt: Prompt, messages: readonly Message[], rule: CacheRule) => readonly Breakpoint[]
}

/** Incipit's own layout. */
export const PLANNED_LAYOUT: CacheLayout = {
  name: "planned",
  help: "as the profile says; breakpoints after the head and in the conversation",
  arrange: (profile) => profile,
  mark: (prompt, messages, rule) => planBreakpoints(prompt, messages, { rule }),
}

/** The layouts to compare: Incipit's own, and those in common use. */
export const CACHE_LAYOUTS: readonly CacheLayout[] = [
  PLANNED_LAYOUT,
  {
    name: "system-end",
    help: "turn text at the end of the system text; the same breakpoints",
    arrange: slowFirst,
    mark: (prompt, messages, rule) => planBreakpoints(prompt, messages, { rule }),
  },
  {
    name: "two-tier",
    help: "turn text at the end of the system text; one breakpoint, before it",
    arrange: slowFirst,
    mark: (prompt, _messages, rule) =>
      planBreakpoints(prompt, [], { rule }).filter(({ after }) => after.kind === "head"),
  },
  {
    name: "one-block",
    help: "all text in the declared order as one system text; one breakpoint, after it",
    arrange: inDeclaredOrder,
    mark: ({ head }, _messages, rule) =>
      rule.lookup !== "breakpoint" || head.length === 0
        ? []
        : [
            {
              after: { kind: "head", block: head.length - 1 },
              ttl: ttlOf(rule, undefined).name,
              why: "session",
            },
          ],
  },
  {
    name: "unmarked",
    help: "all text in the declared order as one system text; no breakpoint",
    arrange: inDeclaredOrder,
    mark: () => [],
  },
]

function inDeclaredOrder(profile: Profile): Profile {
  return { ...profile, order: "declared" }
}

function slowFirst(profile: Profile): Profile {
  const sections = PACES.flatMap((pace) => profile.sections.filter((section) => section.pace === pace))
  return { ...profile, order: "declared", sections }
}
