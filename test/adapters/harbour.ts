// The prompt, the tool and the conversation that every host has in the contract suite.
import { definePrompt } from "../../src/prompt/define-with-o200k.ts"
import { perSession, perTurn, text } from "../../src/prompt/defined-section.ts"

const RULES = Array.from(
  { length: 110 },
  (_, at) =>
    `Rule ${at + 1}: boats of berth ${at + 1} leave before those that came later, unless the tide says otherwise.`,
).join("\n")

const TEXT = `You are the harbour master.\n\n${RULES}\n\nYou talk with Ada.`

export const harbour = definePrompt({
  name: "harbour",
  budget: 8000,
  sections: {
    base: text("You are the harbour master.", { priority: "required" }),
    rules: text(RULES, { priority: "high" }),
    secret: text("The key is under the third bollard.", { trust: "full" }),
    person: perSession((session: { name: string }) => `You talk with ${session.name}.`),
    clock: perTurn((turn: { now: string }) => `It is ${turn.now}.`),
    tide: perTurn((turn: { now: string; tide?: string }) => turn.tide && `The tide is ${turn.tide}.`, {
      onChange: "step",
    }),
  },
})

export const ADA = { id: "ada", trust: "familiar", name: "Ada" } as const

export const TOOL = {
  name: "read",
  description: "Reads a file of the harbour.",
  schema: {
    type: "object",
    properties: { path: { type: "string", description: "Its path." } },
    required: ["path"],
    additionalProperties: false,
  },
  run: (path: string) => `${path}: high water at nine, low water at three.`,
} as const

/** Ten turns; every second one runs a tool. */
export const WORDS = Array.from({ length: 10 }, (_, at) =>
  at % 2 === 0 ? `Please read: tides-${at}.csv` : `Please answer: question ${at}`,
)

/** The same as most programs have it: one string, made anew for each turn. */
export const STRINGS = {
  "one string, the time first": (now: string) => `It is ${now}.\n\n${TEXT}`,
  "one string, the time last": (now: string) => `${TEXT}\n\nIt is ${now}.`,
} as const

export function minute(turn: number): string {
  return `8:${String(turn).padStart(2, "0")}`
}
