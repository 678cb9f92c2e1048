// Custom tools that ask before they run: who is asked, what they are asked, and what happens if there is nobody to ask.
import { expect, test } from "vitest"
import { z } from "zod"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import { defineTool } from "../../../../src/tools/define-tool.ts"
import type { Approval } from "../../../../src/tools/host.ts"
import { call, open, say, server, workspace } from "../../world/agent-world.ts"

function refund(approve: boolean | ((input: { readonly euros: number }) => boolean)) {
  const paid: number[] = []
  const tool = defineTool({
    name: "refund",
    description: "Pays money back.",
    input: z.strictObject({ euros: z.number() }),
    approve,
    run: ({ euros }) => {
      paid.push(euros)
      return `Paid ${euros}.`
    },
  })
  return { tool, paid }
}

/** One call for each amount, in a step each. */
async function refunding(amounts: readonly unknown[]) {
  return server([...amounts.map((euros) => call(["refund", { euros }])), say("Done.")])
}

test("the question names the tool, its input, the sender, the session and the id of its events", async () => {
  const { tool, paid } = refund(true)
  const asked: unknown[] = []
  const events: LiveEvent[] = []
  const { agent } = await open(workspace(), await refunding([5]), {
    tools: [tool],
    approve: async (request, { signal, ...asker }) => {
      asked.push({ request, asker, isStopped: signal.aborted })
      return "yes"
    },
  })
  const from = { as: "ada", channel: "telegram:4711" }
  const { session } = await agent.send("Pay it back.", { ...from, observe: (event) => events.push(event) })
  const questions = events.filter(({ kind }) => kind.startsWith("approval-"))
  const [first] = questions
  const id = first?.kind === "approval-requested" ? first.id : ""
  const started = events.find((event) => event.kind === "tool-started")
  const request = { kind: "tool", name: "refund", input: { euros: 5 } }
  expect(id).not.toBe("")
  expect({ asked, questions, paid }).toEqual({
    asked: [{ request, asker: { session, from, id }, isStopped: false }],
    questions: [
      { kind: "approval-requested", id, call: started?.call, request },
      { kind: "approval-finished", id, answer: "yes" },
    ],
    paid: [5],
  })
})

test.each<[string, readonly Approval[], readonly number[], readonly string[]]>([
  ["yes", ["yes", "yes"], [5, 6], ["Paid 5.", "Paid 6."]],
  ["always", ["always"], [5, 6], ["Paid 5.", "Paid 6."]],
  ["no", ["no", "no"], [], ["The call of refund was not approved.", "The call of refund was not approved."]],
])("after %s", async (_name, answers, paidAfter, results) => {
  const { tool, paid } = refund(true)
  const left = [...answers]
  const root = workspace()
  const { agent } = await open(root, await refunding([5, 6]), {
    tools: [tool],
    approve: async () => left.shift() ?? "no",
  })
  const { shown, tell } = toolResults()
  await agent.send("Pay it back.", { tell })
  expect({ paid, left, shown }).toEqual({ paid: paidAfter, left: [], shown: results })
})

test("always for one tool says nothing about another", async () => {
  const { tool, paid } = refund(true)
  const other = { ...refund(true).tool, name: "charge" }
  const asked: string[] = []
  const from = await server([
    call(["refund", { euros: 1 }], ["charge", { euros: 2 }]),
    call(["refund", { euros: 3 }], ["charge", { euros: 4 }]),
    say("Done."),
  ])
  const { agent } = await open(workspace(), from, {
    tools: [tool, other],
    approve: async (request) => {
      asked.push(request.kind === "tool" ? request.name : request.kind)
      return request.kind === "tool" && request.name === "refund" ? "always" : "yes"
    },
  })
  await agent.send("Go on.")
  expect({ asked: asked.toSorted(), paid }).toEqual({ asked: ["charge", "charge", "refund"], paid: [1, 3] })
})

test("without somebody to ask, the tool is not run and the model reads why", async () => {
  const { tool, paid } = refund(true)
  const { agent } = await open(workspace(), await refunding([5]), { tools: [tool], without: ["approve"] })
  const { shown, tell, kinds } = toolResults()
  await agent.send("Pay it back.", { tell })
  expect({ paid, shown, asked: kinds.filter((kind) => kind.startsWith("approval-")) }).toEqual({
    paid: [],
    shown: ["refund was not run: it needs approval, and nobody can be asked here."],
    asked: [],
  })
})

test("a function asks only about the inputs that it does not return false for", async () => {
  const { tool, paid } = refund(({ euros }) => euros > 10)
  const asked: unknown[] = []
  const { agent } = await open(workspace(), await refunding([5, 50]), {
    tools: [tool],
    approve: async (request) => {
      asked.push(request)
      return "no"
    },
  })
  await agent.send("Pay it back.")
  expect({ asked, paid }).toEqual({
    asked: [{ kind: "tool", name: "refund", input: { euros: 50 } }],
    paid: [5],
  })
})

test("nobody is asked about an input that the tool refuses anyway", async () => {
  const { tool, paid } = refund(true)
  const asked: unknown[] = []
  const { agent } = await open(workspace(), await refunding(["five"]), {
    tools: [tool],
    approve: async (request) => {
      asked.push(request)
      return "yes"
    },
  })
  const { shown, tell } = toolResults()
  await agent.send("Pay it back.", { tell })
  expect({ asked, paid, shown }).toEqual({
    asked: [],
    paid: [],
    shown: ["The input is not valid: euros: Invalid input: expected number, received string."],
  })
})

test("a plain object asks as well", async () => {
  let runs = 0
  const tool = {
    name: "refund",
    description: "Pays money back.",
    parameters: { type: "object" },
    approve: true,
    run: async () => `run ${++runs}`,
  }
  const { agent } = await open(workspace(), await refunding([5]), {
    tools: [tool],
    approve: async () => "no",
  })
  await agent.send("Pay it back.")
  expect(runs).toBe(0)
})

test.each([
  ["false", false],
  ["true", true],
  ["nothing", undefined],
])("an answer of %s, from a program without types, allows nothing", async (shownAs, answer) => {
  const { tool, paid } = refund(true)
  const { agent } = await open(workspace(), await refunding([5]), {
    tools: [tool],
    approve: async () => answer as unknown as Approval, // as JavaScript may return it
  })
  const { shown, tell } = toolResults()
  await agent.send("Pay it back.", { tell })
  const said = shownAs === "nothing" ? "undefined" : shownAs
  expect({ paid, shown }).toEqual({
    paid: [],
    shown: [`Not run: the program's approve returned ${said}; it must return "yes", "always" or "no".`],
  })
})

test("somebody without full trust sees that a question is open, but not what it is about", async () => {
  const { tool } = refund(true)
  const root = workspace({ "incipit.yaml": "users: { ada: { trust: familiar } }\n" })
  const { agent } = await open(root, await refunding([5]), { tools: [tool] })
  const told: LiveEvent[] = []
  await agent.send("Pay it back.", { as: "ada", tell: (event) => told.push(event) })
  expect(told.flatMap((event) => (event.kind === "approval-requested" ? [event.request] : []))).toEqual([
    undefined,
  ])
  expect(told.map(({ kind }) => kind).filter((kind) => kind.startsWith("approval-"))).toEqual([
    "approval-requested",
    "approval-finished",
  ])
})

test("a question of a delegated part is an event of the turn that waits for it", async () => {
  const from = await server([
    call(["delegate", { task: "Have it written." }]),
    call(["write", { path: "a.md", text: "b\n" }]),
    say("Written."),
    say("Done."),
  ])
  const { agent } = await open(workspace(), from)
  const { kinds, tell } = toolResults()
  await agent.send("Have it written.", { tell })
  expect(kinds.filter((kind) => kind.startsWith("approval-") || kind.startsWith("tool-"))).toEqual([
    "tool-started",
    "approval-requested",
    "approval-finished",
    "tool-finished",
  ])
})

test("a question that the turn's end interrupts is over, too", async () => {
  const { tool, paid } = refund(true)
  const stop = new AbortController()
  const { agent } = await open(workspace(), await refunding([5]), {
    tools: [tool],
    approve: () => {
      stop.abort()
      return Promise.withResolvers<Approval>().promise
    },
  })
  const events: LiveEvent[] = []
  await agent.send("Pay it back.", { signal: stop.signal, tell: (event) => events.push(event) })
  expect(events.flatMap((event) => (event.kind === "approval-finished" ? [event.answer] : []))).toEqual([
    "stopped",
  ])
  expect(paid).toEqual([])
})

/** What the model read of each call, in order, and all kinds of events. */
function toolResults() {
  const shown: string[] = []
  const kinds: string[] = []
  const tell = (event: LiveEvent) => {
    kinds.push(event.kind)
    if (event.kind === "tool-finished") shown.push(event.text)
  }
  return { shown, kinds, tell }
}
