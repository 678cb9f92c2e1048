// Generates agents, sessions, turns, profiles and edits, hostile text included, for property tests of the plan.
import fc from "fast-check"
import { digest } from "../../src/base/digest.ts"
import { PACES } from "../../src/base/pace.ts"
import { TRUSTS, type Trust } from "../../src/base/trust.ts"
import type { Budget } from "../../src/core/fit/budget.ts"
import type { Content } from "../../src/core/model/content.ts"
import type { Edit } from "../../src/core/model/edit.ts"
import type { Agent, Session, Tool, Turn } from "../../src/core/model/inputs.ts"
import { ON_CHANGES } from "../../src/core/model/on-change.ts"
import { PRIORITIES } from "../../src/core/model/priority.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import { type AnySectionSpec, CUTS } from "../../src/core/model/section.ts"
import { readInput } from "../../src/core/model/section-input.ts"
import type { Scopes } from "../../src/core/model/section-scope.ts"
import { bodyContent, firstOf, type SourceFile } from "../../src/core/model/source.ts"
import { tags } from "../../src/core/write/markup.ts"
import { textInput } from "./make.ts"

const ROLES = ["r0", "r1", "r2", "r3", "r4", "r5"]
const IDS = ["a", "b", "c", "d", "e", "f", "g", "h"]

const trust = fc.constantFrom(...TRUSTS)

const line = fc.oneof(
  { weight: 5, arbitrary: fc.lorem({ maxCount: 12 }) },
  fc.constantFrom(
    "# Title",
    "## Part",
    "- item",
    "```",
    "```ts",
    "",
    "",
    "  indented",
    "/slash first",
    "日本語の文",
    "</a>",
    "</b >",
  ),
  fc.constantFrom(
    "<turn-context>",
    "</turn-context>",
    '<update section="a">',
    "<a>",
    "$& {{TOOLS}} __proto__",
    "\u200b",
    "é\u0301 👩‍👩‍👧",
  ),
  fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, " ")),
)

export const text = fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => lines.join("\n"))

export function file(role: string, path: string, body: string, needs: Trust): SourceFile {
  return {
    role,
    path,
    identity: `id:${path}`,
    trust: needs,
    text: body,
    firstLine: 1,
    digest: digest(body),
    fields: {},
  }
}

const files = (prefix: string) =>
  fc
    .uniqueArray(fc.record({ role: fc.constantFrom(...ROLES), body: text, needs: trust }), {
      maxLength: 6,
      selector: ({ role }) => role,
    })
    .map((list) => list.map(({ role, body, needs }) => file(role, `${prefix}${role}.md`, body, needs)))

const tool: fc.Arbitrary<Tool> = fc.record({
  name: fc.constantFrom("read", "write", "grep", "zz", "Ünïcode", "memory_get"),
  description: fc.lorem({ maxCount: 6 }),
  parameters: fc.constantFrom(
    { type: "object", properties: { b: { type: "string" }, a: { type: "number" } } },
    { type: "object" },
  ),
  trust,
})

const agent: fc.Arbitrary<Agent> = fc.record({
  id: fc.constant("main"),
  files: files(""),
  tools: fc.uniqueArray(tool, { maxLength: 4, selector: ({ name }) => name }),
  extensions: fc.constant([]),
})

const session: fc.Arbitrary<Session> = fc.record({
  id: fc.constantFrom("s1", "s2"),
  audience: fc.record({
    trust,
    situation: fc.constantFrom("dm", "group"),
    mode: fc.constant("full" as const),
  }),
  files: files("session/"),
  directory: fc.constantFrom("/one", "/two"),
})

export const turn: fc.Arbitrary<Turn> = fc.record({
  id: fc.constantFrom("t1", "t2", "t3"),
  now: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  timeZone: fc.constantFrom("UTC", "Asia/Kolkata"),
  message: text,
  inputs: fc.dictionary(fc.constantFrom(...ROLES), text, { maxKeys: 3 }),
})

const budget: fc.Arbitrary<Budget> = fc.record(
  {
    window: fc.constant(200_000),
    reserve: fc.constant(4_096),
    total: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(50_000)),
    head: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constant(40_000)),
    tail: fc.oneof(fc.integer({ min: 0, max: 120 }), fc.constant(4_000)),
  },
  { requiredKeys: ["window", "reserve"] },
)

type SpecFacts = typeof specFacts extends fc.Arbitrary<infer Facts> ? Facts : never

const specFacts = fc.record({
  id: fc.constantFrom(...IDS),
  pace: fc.constantFrom(...PACES),
  priority: fc.constantFrom(...PRIORITIES),
  trust,
  cut: fc.constantFrom(...CUTS),
  role: fc.constantFrom(...ROLES),
  onChange: fc.constantFrom(...ON_CHANGES),
  short: fc.boolean(),
})

/** Each section shows the file or input of its role; some have a shorter form. */
function specOf({ role, short, ...facts }: SpecFacts): AnySectionSpec {
  const shortened = (content: Content | undefined): Content | undefined =>
    content && short ? { ...content, shorter: [{ parts: [{ text: "in short" }] }] } : content
  const common = { ...facts, reads: [role] }
  if (facts.pace === "stable") {
    const onChange = facts.onChange === "rebuild" || facts.onChange === "wait" ? facts.onChange : "append"
    return {
      ...common,
      pace: "stable",
      onChange,
      build: (scope) => shortened(bodyContent(firstOf(scope.agent.files, role))),
    }
  }
  if (facts.pace === "session") {
    const onChange = facts.onChange === "rebuild" || facts.onChange === "wait" ? facts.onChange : "append"
    const build = (scope: { session: Session; agent: Agent }) =>
      shortened(bodyContent(firstOf(scope.session.files, role) ?? firstOf(scope.agent.files, role)))
    return { ...common, pace: "session", onChange, build }
  }
  const onChange = facts.onChange === "step" || facts.onChange === "always" ? facts.onChange : "turn"
  const build = ({ turn }: Scopes["turn"]) => {
    const value = readInput(turn, textInput(role))
    return value !== undefined && value.trim() !== "" ? shortened({ parts: [{ text: value }] }) : undefined
  }
  return { ...common, pace: "turn", onChange, build }
}

const profile: fc.Arbitrary<Profile> = fc
  .uniqueArray(specFacts, { minLength: 1, maxLength: 8, selector: ({ id }) => id })
  .map((specs) => ({ name: "generated", order: "paced", markup: tags, sections: specs.map(specOf) }))

const added = fc.record({
  id: fc.constantFrom("x", "y", "a"),
  pace: fc.constantFrom(...PACES),
  priority: fc.constantFrom(...PRIORITIES),
  trust,
  body: text,
})

const edit: fc.Arbitrary<Edit> = fc.oneof(
  added.map(({ body, ...facts }): Edit => {
    return {
      kind: "add",
      by: "hook",
      section: { ...facts, cut: "lines", content: { parts: [{ text: body }] } },
    }
  }),
  fc.record({ id: fc.constantFrom(...IDS), body: text, needs: trust }).map(({ id, body, needs }): Edit => {
    return { kind: "replace", by: "hook", id, trust: needs, content: { parts: [{ text: body }] } }
  }),
  fc.record({ id: fc.constantFrom(...IDS), body: text }).map(({ id, body }): Edit => {
    return { kind: "wrap", by: "other", id, before: { parts: [{ text: body }] } }
  }),
  fc.constantFrom(...IDS).map((id): Edit => ({ kind: "remove", by: "other", id })),
)

export const edits = fc.array(edit, { maxLength: 3 })

export interface Situation {
  readonly profile: Profile
  readonly agent: Agent
  readonly session: Session
  readonly turn: Turn
  readonly budget: Budget
  readonly edits: { readonly stable: readonly Edit[]; readonly session: readonly Edit[] }
  readonly turnEdits: readonly Edit[]
  readonly conversationTokens: number
}

export const situation: fc.Arbitrary<Situation> = fc.record({
  profile,
  agent,
  session,
  turn,
  budget,
  edits: fc.record({ stable: edits, session: edits }),
  turnEdits: edits,
  conversationTokens: fc.constantFrom(0, 1_000, 190_000, 500_000),
})
