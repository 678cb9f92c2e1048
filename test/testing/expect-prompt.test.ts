// What `incipit/testing` says, in words, when a prompt isn't as expected.
import { expect, test } from "vitest"
import { definePrompt } from "../../src/prompt/define-with-o200k.ts"
import { perSession, perTurn, text } from "../../src/prompt/defined-section.ts"
import { expectPrompt } from "../../src/testing/expect-prompt.ts"

interface Note {
  readonly text: string
  readonly trust?: "full"
}

const support = definePrompt({
  budget: 400,
  sections: {
    base: text("You are the support agent of Acme.", { priority: "required" }),
    notes: perSession((session: { notes: Note[] }) => session.notes, { priority: "high" }),
    margins: text("We earn 40 crowns with each order.", { trust: "full" }),
    manual: text("Press the button. Wait.\n".repeat(20), { priority: "low" }),
    clock: perTurn((turn: { now: string }) => `It is ${turn.now}.`),
  },
})
const NOTES: Note[] = [{ text: "Prefers short answers." }, { text: "Owes us 300 crowns.", trust: "full" }]
const ada = { id: "ada", trust: "familiar", notes: NOTES } as const
const turn = { turn: { now: "noon" } }

test("what is as expected passes, in one chain", () => {
  expectPrompt(support, ada, turn)
    .toInclude("base", "notes", "clock")
    .toWithhold("margins")
    .toFit(200)
    .toLeakNothingTo("group")
    .toLeakNothingTo("public")
    .toLeakNothingTo({ trust: "familiar", situation: "dm" })
})

test("the sections are texts by name, for a snapshot", () => {
  const { manual, ...sections } = expectPrompt(support, ada, turn).sections
  expect(manual).toContain("Press the button.")
  expect(sections).toMatchInlineSnapshot(`
    {
      "base": "<base>
    You are the support agent of Acme.
    </base>

    ",
      "clock": "<clock>
    It is noon.
    </clock>

    ",
      "notes": "<notes>
    Prefers short answers.
    </notes>

    ",
    }
  `)
})

const large = definePrompt({
  budget: 200,
  sections: {
    base: text("You are the support agent of Acme.", { priority: "required" }),
    manual: text("Press the button. Wait.\n".repeat(200), { priority: "low" }),
  },
})
const leaky = definePrompt({
  sections: {
    rules: text("Be kind.\nNever say: We earn 40 crowns with each order."),
    margins: text("We earn 40 crowns with each order.\nWe pay late.", { trust: "full" }),
  },
})

const UNEXPECTED = [
  () => expectPrompt(support, ada, turn).toInclude("margins"),
  () => expectPrompt(support, ada, turn).toInclude("manuel"),
  () => expectPrompt(support, ada, turn).toWithhold("base"),
  () => expectPrompt(large, { id: "a" }).toInclude("manual"),
  () => expectPrompt(large, { id: "a" }).toFit(),
  () => expectPrompt(support, ada, turn).toFit(50),
  () => expectPrompt(leaky, { id: "a", trust: "full" }).toLeakNothingTo("group"),
]

test("what is not as expected fails with a reason", () => {
  const messages = UNEXPECTED.map((assertion) => {
    try {
      assertion()
      return "passed"
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : error
    }
  })
  expect(messages).toMatchInlineSnapshot(`
    [
      "AssertionError: the section "margins" isn't in the prompt as a whole: it needs full, and the audience has familiar",
      "AssertionError: there is no section "manuel"; the sections are "base", "margins", "manual", "notes", "clock"",
      "AssertionError: the section "base" isn't withheld from this audience (trust familiar): it is included",
      "AssertionError: the section "manual" isn't in the prompt as a whole: cut from 1206 to 135 tokens",
      "AssertionError: the prompt doesn't fit its budget: "manual" cut from 1206 to 135 tokens",
      "AssertionError: the prompt takes 170 tokens, 120 more than 50; the largest sections: "manual" 126, "base" 15, "notes" 11",
      "AssertionError: someone in the situation group (trust public) can read a line of "margins", which needs full: "We earn 40 crowns with each order.", in the section "rules". Give that section the same trust, or leave the line out.",
    ]
  `)
})
