// Assertions about a prompt, for the tests of whoever builds an agent. They work in every test runner, because a failed
// one throws. Each message says what is in the prompt instead, and why.
import { isTrust, type Trust } from "../base/trust.ts"
import { inModelTokens } from "../core/fit/budget.ts"
import type { Entry } from "../core/model/plan.ts"
import { isSeen } from "../core/model/plan.ts"
import type { Prompt } from "../core/model/prompt.ts"
import { unusedText } from "../core/read/unused-text.ts"
import type { DefinedPrompt } from "../prompt/define-prompt.ts"
import type { ChatAudience, ChatOptions } from "../prompt/prompt-inputs.ts"
import { compileFor, type PromptCase } from "./compile-for.ts"
import { leaksIn } from "./leaks-in.ts"

/** What can be asserted about a prompt. Each assertion returns the same object, so they can be chained. */
export interface PromptExpectation {
  /** The sections are in the prompt, whole. */
  toInclude(...sections: readonly string[]): PromptExpectation
  /** The sections are kept from this audience. */
  toWithhold(...sections: readonly string[]): PromptExpectation
  /** Nothing was cut or dropped, and all sections together take at most this many tokens of the model. */
  toFit(tokens?: number): PromptExpectation
  /**
   * No line that this audience may not see is in what it gets. A trust, or a situation in which anyone may read along, or
   * both.
   */
  toLeakNothingTo(audience: string | ChatAudience): PromptExpectation
  /** The texts of the sections by name, for a snapshot: a change shows which section it is in. */
  readonly sections: Readonly<Record<string, string>>
}

/** What the turn sections need, and for which model to compile. */
type ExpectOptions<Turn extends object> = {
  readonly model?: string | undefined
} & (object extends Turn ? { readonly turn?: Turn | undefined } : { readonly turn: Turn })

type ExpectArguments<Turn extends object> = object extends Turn
  ? [options?: ExpectOptions<Turn>]
  : [options: ExpectOptions<Turn>]

/** Compiles a prompt as `open` and a first message would, and asserts things about it. */
export function expectPrompt<Session extends object, Turn extends object>(
  prompt: DefinedPrompt<Session, Turn>,
  session: ChatOptions & NoInfer<Session>,
  ...[options]: ExpectArguments<NoInfer<Turn>>
): PromptExpectation {
  const given: { readonly model?: string | undefined; readonly turn?: object | undefined } = options ?? {}
  const asked: PromptCase = {
    definition: prompt.definition,
    session,
    turn: given.turn ?? {},
    model: given.model ?? "gpt-5.2",
  }
  const made = compileFor(asked)
  const expectation: PromptExpectation = {
    toInclude(...sections) {
      for (const id of sections) {
        const { outcome } = entryOf(made, id)
        if (outcome.kind !== "included")
          throw failed(
            `the section "${id}" isn't in the prompt as a whole: ${whyOf(outcome)}`,
            outcome.kind,
            "included",
          )
      }
      return expectation
    },
    toWithhold(...sections) {
      for (const id of sections) {
        const { outcome } = entryOf(made, id)
        if (outcome.kind === "withheld") continue
        const { trust } = made.plan.audience
        throw failed(
          `the section "${id}" isn't withheld from this audience (trust ${trust}): ${whyOf(outcome)}`,
          outcome.kind,
          "withheld",
        )
      }
      return expectation
    },
    toFit(tokens) {
      checkFit(made, tokens)
      return expectation
    },
    toLeakNothingTo(audience) {
      const to = audienceOf(audience)
      const [leak, ...others] = leaksIn(asked, to)
      if (leak !== undefined) {
        const more = others.length === 0 ? "" : ` There are ${others.length} more such lines.`
        throw failed(
          `${nameOf(to)} can read a line of "${leak.from}", which needs ${leak.needs}: ${JSON.stringify(leak.line)}, in the section "${leak.in}".${more} Give that section the same trust, or leave the line out.`,
          leak.line,
          undefined,
        )
      }
      return expectation
    },
    get sections() {
      return textsOf(made)
    },
  }
  return expectation
}

function checkFit(made: Prompt, tokens: number | undefined): void {
  const short = sectionsIn(made).filter(
    ({ outcome }) => outcome.kind === "truncated" || outcome.kind === "dropped",
  )
  if (short.length > 0)
    throw failed(
      `the prompt doesn't fit its budget: ${short.map(({ id, outcome }) => `"${id}" ${whyOf(outcome)}`).join("; ")}`,
      short.map(({ id }) => id),
      [],
    )
  const { head, tail } = made.plan.budget
  const used = head.used + tail.used
  if (tokens !== undefined && used > tokens)
    throw failed(
      `the prompt takes ${used} tokens, ${used - tokens} more than ${tokens}; the largest sections: ${largest(made)}`,
      used,
      tokens,
    )
}

function sectionsIn({ plan }: Prompt): readonly Entry[] {
  return plan.entries.filter(({ kind }) => kind === "section")
}

function entryOf(made: Prompt, id: string): Entry {
  const entry = sectionsIn(made).find((one) => one.id === id)
  if (entry !== undefined) return entry
  const known = sectionsIn(made).map((one) => `"${one.id}"`)
  throw failed(`there is no section "${id}"; the sections are ${known.join(", ")}`, undefined, id)
}

function whyOf(outcome: Entry["outcome"]): string {
  if (outcome.kind === "included") return "it is included"
  if (outcome.kind === "truncated") return `cut from ${outcome.from} to ${outcome.to} tokens`
  if (outcome.kind === "withheld") return `it needs ${outcome.needs}, and the audience has ${outcome.has}`
  if (outcome.kind === "dropped") return `dropped, because ${outcome.overBy} tokens were missing`
  if (outcome.kind === "unused") return unusedText(outcome.why)
  return `it is ${outcome.kind}`
}

function largest({ plan }: Prompt): string {
  const rows = plan.entries
    .filter((entry) => entry.kind === "section" && isSeen(entry))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, 3)
  return rows.map(({ id, tokens }) => `"${id}" ${inModelTokens(tokens, plan.budget)}`).join(", ")
}

/** Words in the prompt, section by section. */
function textsOf(made: Prompt): Readonly<Record<string, string>> {
  const { blocks } = made.plan
  const texts = sectionsIn(made).flatMap(({ id, spans }) =>
    spans.length === 0
      ? []
      : [
          [
            id,
            spans.map(({ block, start, end }) => blocks[block]?.text.slice(start, end) ?? "").join(""),
          ] as const,
        ],
  )
  return Object.fromEntries(texts)
}

/** In a situation that is only named, anyone may read along. */
function audienceOf(audience: string | ChatAudience): ChatAudience & { readonly trust: Trust } {
  if (typeof audience !== "string") return { ...audience, trust: audience.trust ?? "public" }
  return isTrust(audience) ? { trust: audience } : { trust: "public", situation: audience }
}

function nameOf({ trust, situation }: ChatAudience): string {
  return situation === undefined
    ? `someone with the trust ${trust}`
    : `someone in the situation ${situation} (trust ${trust})`
}

/** Test runners show the difference between `actual` and `expected`. */
class PromptAssertion extends Error {
  override readonly name = "AssertionError"
  readonly actual: unknown
  readonly expected: unknown

  constructor(message: string, actual: unknown, expected: unknown) {
    super(message)
    this.actual = actual
    this.expected = expected
  }
}

function failed(message: string, actual: unknown, expected: unknown): PromptAssertion {
  return new PromptAssertion(message, actual, expected)
}
