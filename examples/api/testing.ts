// Every name of `incipit/testing` in use. In vitest and `node:test`, each of these chains is the body of a test.
import { definePrompt, perSession, perTurn, text } from "incipit"
import { expectPrompt, type PromptExpectation } from "incipit/testing"

const harbour = definePrompt({
  budget: 500,
  sections: {
    soul: text("You are the harbour master. Be brief.", { priority: "required" }),
    boats: perSession((s: { boats: string[] }) => s.boats, { priority: "high" }),
    debts: text("The Otter owes us 300 crowns.", { trust: "full" }),
    clock: perTurn((t: { now: string }) => `It is ${t.now}.`),
  },
})

const prompt: PromptExpectation = expectPrompt(
  harbour,
  { id: "ada", trust: "familiar", boats: ["Margareta", "Otter"] },
  { turn: { now: "noon" } },
)
prompt.toInclude("soul", "boats").toWithhold("debts").toFit(100).toLeakNothingTo("group")

// For a snapshot: a change shows which section it is in.
console.log(prompt.sections)

// A failed assertion throws, and says why.
try {
  prompt.toInclude("debts")
} catch (error) {
  if (error instanceof Error) console.log(error.message)
}
