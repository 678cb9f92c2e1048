// What a program without types can get wrong with an agent: each mistake is refused with one line that says what to do.
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { offlineModel } from "../../../src/agent/offline/offline.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { section } from "../../../src/core/model/section.ts"
import { tags } from "../../../src/core/write/markup.ts"
import { definePrompt } from "../../../src/prompt/define-with-o200k.ts"
import { text } from "../../../src/prompt/defined-section.ts"
import { defineTool } from "../../../src/tools/define-tool.ts"

const base = section({ id: "base", pace: "stable", build: () => "Be brief." })
const profile = { name: "mine", order: "paced", markup: tags, sections: [base] } as const

async function opened(options: object = {}) {
  const agent = await openAgent({ profile, model: "offline", ...options })
  onTestFinished(() => agent.close())
  return agent
}

test.each<[options: object, problem: string]>([
  [{ aprove: async () => "no" }, 'openAgent has no option "aprove"; did you mean approve?'],
  [{ verbose: true }, 'openAgent has no option "verbose"'],
  [{ approve: true }, "the option approve of openAgent must be a function, not true or false"],
  [{ record: "no" }, "the option record of openAgent must be true or false, not a string"],
  [{ tools: { look: {} } }, "the option tools of openAgent must be a list, not an object"],
  [
    { profile: definePrompt({ sections: { base: text("Be brief.") } }) },
    "the profile is a prompt of definePrompt; pass it as the option prompt",
  ],
])("openAgent(%o)", async (options, problem) => {
  await expect(opened(options)).rejects.toMatchObject({ code: "bad-option", message: problem })
})

test("an option that is undefined is left out", async () => {
  const agent = await opened({ approve: undefined, state: undefined })
  expect((await agent.send("hello")).state).toBe("answered")
})

const look = { name: "look", description: "Looks.", input: z.strictObject({}), run: () => "seen" }

test.each<[wrong: object, problem: string]>([
  [{ run: undefined }, 'the tool "look" has no function `run`'],
  [
    { input: { type: "object" } },
    'the input of the tool "look" isn\'t a schema of Zod 4; a JSON Schema goes into parameters',
  ],
  // It would run without asking.
  [{ aprove: true }, 'the tool "look" has an unknown field "aprove"; did you mean approve?'],
])("defineTool with %o", (wrong, problem) => {
  expect(() => defineTool({ ...look, ...wrong } as typeof look)).toThrow(
    expect.objectContaining({ code: "bad-tool", message: problem }),
  )
})

test.each(["", " \n"])("an empty message %j is refused, and does not wait in the queue", async (words) => {
  const agent = await opened()
  const refused = { code: "no-text", message: "the text of a message is empty" }
  await expect(agent.send(words)).rejects.toMatchObject(refused)
  await expect(agent.stream(words).reply).rejects.toMatchObject(refused)
  expect(await agent.sessions()).toEqual([])
})

const OWNER = "; without it, the message may count as the owner's"

test("a misspelled or missing sender is refused, and not taken for the owner", async () => {
  const agent = await opened()
  for (const [given, problem] of [
    [{ sendr: "x" }, 'send has no option "sendr"; did you mean sender?'],
    [{ user: "ada" }, 'send has no option "user"'],
    [{ as: undefined }, `the option as of send must be a string, not undefined${OWNER}`],
    [{ channel: null }, `the option channel of send must be a string, not null${OWNER}`],
    [{ channel: "telegram", sender: 7 }, `the option sender of send must be a string, not number${OWNER}`],
  ] as const)
    await expect(agent.send("hello", given as object)).rejects.toMatchObject({
      code: "bad-option",
      message: problem,
    })
  expect(await agent.sessions()).toEqual([])
})

test("a closed agent says so", async () => {
  const agent = await openAgent({ profile, model: "offline" })
  await agent.close()
  await expect(agent.send("hello")).rejects.toMatchObject({
    code: "agent-closed",
    message: "the agent is closed",
  })
})

test("a script that isn't a function, or returns something else", async () => {
  for (const wrong of [() => "x", { script: "x" }])
    expect(() => offlineModel(wrong as never)).toThrow(
      "offlineModel takes { script }, with a function as the script",
    )
  const agent = await opened({ model: offlineModel({ script: () => 5 as never }) })
  expect((await agent.send("hello")).text).toContain(
    "the script of the offline model returned a number; return a text, a list of calls, or undefined",
  )
})
