// An agent from a prompt of `definePrompt`: its sections, files, limits and inputs are those of a chat.
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { offlineModel } from "../../../src/agent/offline/offline.ts"
import type { InputQuestion, RunningAgent } from "../../../src/agent/setup/agent.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { counterFrom } from "../../../src/core/model/counter.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import { definePrompt } from "../../../src/prompt/define-with-o200k.ts"
import { perSession, perTurn, text } from "../../../src/prompt/defined-section.ts"
import type { TextItem } from "../../../src/prompt/section-text.ts"
import { files } from "../../../src/sources/files-section.ts"
import { defineTool } from "../../../src/tools/define-tool.ts"
import { makeFolder } from "../../sources/folder.ts"
import { MODEL, say, server } from "../world/agent-world.ts"

const findOrder = defineTool({
  name: "find_order",
  description: "Finds an order.",
  input: z.strictObject({ id: z.string() }),
  run: ({ id }) => `${id} is in the harbour.`,
})

const support = definePrompt({
  name: "support",
  budget: 3000,
  ttl: "1h",
  tools: [findOrder],
  sections: {
    base: text("You are Acme's support.", { priority: "required" }),
    notes: perSession((s: { notes: readonly TextItem[] }) => s.notes),
    tasks: perTurn((t: { tasks: readonly string[] }) => t.tasks),
  },
})

const NOTES: readonly TextItem[] = [
  { text: "Pays late.", trust: "full" },
  { text: "Likes tea.", trust: "public" },
]

function closed(agent: RunningAgent): RunningAgent {
  onTestFinished(() => agent.close())
  return agent
}

function textOf(prompt: Prompt | undefined): string {
  return [...(prompt?.head ?? []), prompt?.tail].map((block) => block?.text ?? "").join("")
}

test("a prompt and its tools are an agent, with the text of a chat", async () => {
  const model = offlineModel({
    script: ({ results: [found] }) =>
      found === undefined ? [{ name: "find_order", input: { id: "A17" } }] : `Good news: ${found.text}`,
  })
  const agent = closed(
    await openAgent({
      ...{ prompt: support, tools: [findOrder], model },
      inputs: { session: () => ({ notes: NOTES }), turn: () => ({ tasks: ["Greet."] }) },
    }),
  )
  const preview = await agent.preview("Where is A17?")
  expect(textOf(preview)).toMatchInlineSnapshot(`
    "<base>
    You are Acme's support.
    </base>

    <notes>
    Pays late.
    Likes tea.
    </notes>

    <turn-context>
    <tasks>
    Greet.
    </tasks>

    </turn-context>

    "
  `)
  const chat = support.open({ id: "a", trust: "full", notes: NOTES })
  chat.say("Where is A17?", { tasks: ["Greet."] })
  chat.openai("gpt-5.2")
  expect(preview.plan.blocks.map((block) => block.text)).toEqual(chat.plan?.blocks.map((block) => block.text))
  const { text: answer, steps, state } = await agent.send("Where is A17?")
  expect({ name: agent.name, answer, steps, state }).toEqual({
    ...{ name: "support", answer: "Good news: A17 is in the harbour.", steps: 2, state: "answered" },
  })
})

/** The agent of `support` at a local provider. */
async function atProvider(
  notesOf: (who: InputQuestion) => readonly TextItem[],
  { state, env }: { readonly state?: string; readonly env: Readonly<Record<string, string>> },
) {
  return openAgent({
    ...{ prompt: support, tools: [findOrder], model: MODEL, env, now: () => 0, timeZone: "UTC" },
    ...(state !== undefined && { state }),
    inputs: {
      session: (who) => ({ notes: notesOf(who) }),
      turn: async ({ message, from }) => ({ tasks: [`${from.as ?? "owner"}: ${message}`] }),
    },
  })
}

test("each sender gets their own inputs, and what they may not see changes no byte", async () => {
  const { sent, env } = await server([say("Hello.")])
  const notesOf = ({ from: { as = "owner" } }: InputQuestion) => [...NOTES, { text: `Is ${as}.` }]
  const open = closed(await atProvider(notesOf, { env }))
  const without = closed(await atProvider((who) => notesOf(who).slice(1), { env }))
  await open.send("Hi")
  await open.send("Hi", { as: "ada" })
  await without.send("Hi", { as: "ada" })
  expect(sent.map((body) => body.includes("Pays late."))).toEqual([true, false, false])
  expect(sent.map((body) => /Is \w+/.exec(body)?.[0])).toEqual(["Is owner", "Is ada", "Is ada"])
  expect(sent[0]).toContain("owner: Hi")
  expect(sent[1]).toContain("ada: Hi")
  expect(sent[2]).toBe(sent[1])
})

test("a changed input is appended, and a restart changes no byte", async () => {
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  const talk = async (state: string, restarts: boolean) => {
    const { sent, env } = await server([say("Hello.")])
    let notes = NOTES
    const open = () => atProvider(() => notes, { state: join(folder.path, state), env })
    let agent = await open()
    for (const message of ["One", "Two", "Three"]) {
      await agent.send(message)
      if (message === "One") notes = [...NOTES, { text: "Moved to Oslo." }]
      if (restarts) await agent.close()
      if (restarts) agent = await open()
    }
    await agent.close()
    return sent
  }
  const sent = await talk("one-process", false)
  expect(await talk("three-processes", true)).toEqual(sent)
  const [first, second, third] = sent.map((body) => JSON.parse(body))
  expect([second.system, third.system]).toEqual([first.system, first.system])
  expect(JSON.stringify(second.messages)).toContain("Moved to Oslo.")
  expect(JSON.stringify(third.messages).split("Moved to Oslo.")).toHaveLength(2)
})

test("its files, what reading them found, its budget and its ttl count", async () => {
  const { sent, env } = await server([say("Hello.")])
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  // Long enough for a cache mark.
  folder.write("rules/a.md", "Be brief, and say where the order is.\n".repeat(300))
  folder.write("rules/b.md", "---\ntrust: full\n---\nRefunds up to 50.\n")
  folder.write("rules/c.md", "---\ntrust: everyone\n---\nBe kind.\n")
  const prompt = definePrompt({
    ...{ budget: 8000, ttl: "1h", sections: { rules: files(join(folder.path, "rules")) } },
  })
  const agent = closed(await openAgent({ prompt, model: MODEL, env }))
  const { prompt: made } = await agent.send("Hi", { as: "ada" })
  await agent.send("Hi")
  const chat = prompt.open({ id: "a", trust: "public" })
  chat.say("Hi")
  chat.anthropic("claude-sonnet-5-5")
  expect(made?.plan.diagnostics).toEqual([
    ...(chat.plan?.diagnostics ?? []),
    { code: "unknown-user", known: [], needs: "full", user: "ada" },
  ])
  expect(chat.plan?.diagnostics.map(({ code }) => code)).toEqual(["unknown-trust"])
  expect(made?.plan.budget).toMatchObject({ head: chat.plan?.budget.head, tail: chat.plan?.budget.tail })
  expect(made?.plan.budget.head.limit).toBe(6000)
  expect(sent.map((body) => body.includes("Refunds up to 50."))).toEqual([false, true])
  const ttls = sent.map((body) => new Set([...body.matchAll(/"ttl":"(\w+)"/g)].map(([, ttl]) => ttl)))
  expect(ttls).toEqual([new Set(["1h"]), new Set(["1h"])])
})

test("without inputs there is nothing to pass", async () => {
  const prompt = definePrompt({ sections: { base: text("Be brief."), day: perTurn(() => "Monday") } })
  const agent = closed(await openAgent({ prompt, model: "offline" }))
  expect(textOf((await agent.send("hello")).prompt)).toContain("Be brief.")
  expect((await agent.preview("hello", { isNew: true })).tail?.text).toContain("Monday")
})

test.each<[string, object, string, string]>([
  [
    "a workspace",
    { workspace: "." },
    "bad-option",
    "openAgent has both the option prompt and the option workspace; pass one of them: a prompt describes the whole agent",
  ],
  [
    "something else",
    { prompt: { sections: {} } },
    "bad-option",
    "the option prompt of openAgent must be what definePrompt returns",
  ],
  [
    "another counter",
    { prompt: definePrompt({ sections: {}, counter: counterFrom("letters", (words) => words.length) }) },
    "bad-option",
    'the prompt counts tokens with "letters", but an agent counts with o200k; define it without a counter',
  ],
  [
    "a tool that is not passed",
    { tools: [] },
    "bad-option",
    'the prompt has the tool "find_order", which openAgent cannot run; pass it in tools, made with defineTool',
  ],
  [
    "a tool that differs",
    { tools: [{ ...findOrder, trust: "full" }] },
    "bad-option",
    'the tool "find_order" has another trust in the prompt than in tools; pass the same tool to both',
  ],
  [
    "a misspelled input",
    { inputs: { sesion: () => ({}) } },
    "bad-input",
    'the option inputs of openAgent has no option "sesion"; did you mean session?',
  ],
  [
    "a section whose inputs nobody passes",
    { prompt: definePrompt({ sections: { plan: perTurn((t: { plan: string }) => t.plan) } }) },
    "bad-option",
    'the section "plan" needs inputs; pass openAgent a function that returns them as inputs.turn',
  ],
])("openAgent with a prompt and %s", async (_name, options, code, message) => {
  const given = { prompt: definePrompt({ tools: [findOrder], sections: {} }), tools: [findOrder], ...options }
  // As a program in JavaScript may call it.
  await expect(openAgent(given as object)).rejects.toMatchObject({ code, message })
})

test("inputs that cannot be used end the turn before anything is sent, and only the owner is told why", async () => {
  let calls = 0
  const model = offlineModel({ script: () => `call ${++calls}` })
  // As a program in JavaScript may call it.
  const options: object = {
    ...{ prompt: support, tools: [findOrder], model },
    inputs: { session: () => "x", turn: () => ({ tasks: [] }) },
  }
  const agent = closed(await openAgent(options))
  const [owner, ada] = [await agent.send("hello"), await agent.send("hello", { as: "ada" })]
  expect([owner, ada].map(({ state, text: words }) => [state, words])).toMatchInlineSnapshot(`
    [
      [
        "failed",
        "This cannot be answered now: inputs.session of openAgent returned a string; return an object with the inputs of the sections. Your message is kept.",
      ],
      [
        "failed",
        "This cannot be answered right now. Your message is kept.",
      ],
    ]
  `)
  expect(calls).toBe(0)
})

test("an error of a section names it", async () => {
  const prompt = definePrompt({ sections: { plan: perSession((s: { plan: string }) => s.plan.trim()) } })
  // As a program in JavaScript may call it.
  const options: object = { prompt, model: "offline", inputs: { session: () => ({ paln: "free" }) } }
  const agent = closed(await openAgent(options))
  expect((await agent.send("hello")).text).toMatchInlineSnapshot(
    `"This cannot be answered now: the section "plan" failed: Cannot read properties of undefined (reading 'trim') (its inputs: paln). Your message is kept."`,
  )
})
