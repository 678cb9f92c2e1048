// An agent from a profile object: with a workspace, and without one, where the profile is all there is.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { offlineModel } from "../../../src/agent/offline/offline.ts"
import type { AgentOptions } from "../../../src/agent/setup/agent.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { textContent } from "../../../src/core/model/content.ts"
import type { Profile } from "../../../src/core/model/profile.ts"
import { section } from "../../../src/core/model/section.ts"
import { feed, readInput, sessionInput, turnInput } from "../../../src/core/model/section-input.ts"
import { allOf, bodyContent } from "../../../src/core/model/source.ts"
import { tags } from "../../../src/core/write/markup.ts"
import { pi } from "../../../src/profiles/pi/pi.ts"
import { defineTool } from "../../../src/tools/define-tool.ts"
import { makeFolder } from "../../sources/folder.ts"
import { workspace } from "../world/agent-world.ts"

const facts = { priority: "high", trust: "public", cut: "whole" } as const

const support: Profile = {
  name: "support",
  order: "paced",
  markup: tags,
  sections: [
    section({ id: "base", pace: "stable", ...facts, build: () => textContent("You are Acme's support.") }),
    section({
      id: "files",
      pace: "stable",
      ...facts,
      build: ({ agent }) => allOf(agent.files, "behaviour").map(bodyContent)[0],
    }),
    section({
      id: "tools",
      pace: "stable",
      ...facts,
      build: ({ agent }) => textContent(agent.tools.map(({ name }) => name).join(" ")),
    }),
    section({
      id: "git",
      pace: "turn",
      ...facts,
      build: ({ turn }) => textContent(turn.git === undefined ? "No repository." : "A repository."),
    }),
  ],
}

const order = defineTool({
  name: "find_order",
  description: "Finds an order.",
  input: z.strictObject({ id: z.string() }),
  run: ({ id }) => `${id} is in the harbour.`,
})

async function opened(options: AgentOptions) {
  const agent = await openAgent({ model: "offline", timeZone: "UTC", now: () => 0, ...options })
  onTestFinished(() => agent.close())
  return agent
}

/** The whole text of a prompt. */
async function promptOf(options: AgentOptions): Promise<string> {
  const { head, tail } = await (await opened(options)).preview("Where is A17?")
  return [...head.map(({ text }) => text), tail?.text ?? ""].join("")
}

test("a profile object and a tool are an agent", async () => {
  const model = offlineModel({
    script: ({ message, results: [found] }) =>
      found === undefined
        ? [{ name: "find_order", input: { id: /[A-Z]\d+/.exec(message)?.[0] } }]
        : `Good news: ${found.text}`,
  })
  const agent = await opened({ profile: support, model, tools: [order] })
  const { state, text, steps, prompt } = await agent.send("Where is A17?")
  expect({ name: agent.name, state, text, steps }).toEqual({
    ...{ name: "support", state: "answered", steps: 2 },
    text: "Good news: A17 is in the harbour.",
  })
  expect(prompt?.plan.entries.map(({ id, outcome }) => [id, outcome.kind])).toEqual([
    ["find_order", "included"],
    ["base", "included"],
    ["files", "unused"],
    ["tools", "included"],
    ["git", "unchanged"],
  ])
})

test("without a workspace, its prompt is the profile's, and the tools are those that were passed in", async () => {
  expect(await promptOf({ profile: support, tools: [order] })).toMatchInlineSnapshot(`
    "<base>
    You are Acme's support.
    </base>

    <tools>
    find_order
    </tools>

    <turn-context>
    <git>
    No repository.
    </git>

    </turn-context>

    "
  `)
})

test("without a workspace, nothing in the working directory changes the prompt", async () => {
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  const bare = await sentBy(folder.root)
  for (const [path, text] of Object.entries({
    "incipit.yaml": "profile: pi\nprompt: { sections: { base: off } }\n",
    "AGENTS.md": "Obey.\n",
    "SOUL.md": "You burn.\n",
    ".incipit/SYSTEM.md": "You are somebody else.\n",
    "MEMORY.md": "The cat is grey.\n",
    "workflows/tea.md": "# Tea\n\n1. Boil water.\n",
  })) {
    mkdirSync(join(folder.root, path, ".."), { recursive: true })
    writeFileSync(join(folder.root, path), text)
  }
  execFileSync("git", ["init", "-q", folder.root])
  expect(await sentBy(folder.root)).toBe(bare)
})

/** What the model got, after an attempt to start a workflow. */
async function sentBy(directory: string): Promise<string> {
  const agent = await opened({ profile: support, directory })
  expect(await agent.kept().workflows.start("tea")).toBe(undefined)
  const { prompt } = await agent.send("hello")
  return [...(prompt?.head ?? []), prompt?.tail].map((block) => block?.text).join("")
}

test("the program feeds the profile's own inputs, and each message names who asks", async () => {
  const plan = sessionInput("plan", (value) => (typeof value === "string" ? value : undefined))
  const stock = turnInput("stock", (value) => (typeof value === "number" ? value : undefined))
  const profile: Profile = {
    ...support,
    sections: [
      section({
        id: "plan",
        pace: "session",
        ...facts,
        build: ({ session }) => text(readInput(session, plan)),
      }),
      section({ id: "stock", pace: "turn", ...facts, build: ({ turn }) => text(readInput(turn, stock)) }),
    ],
  }
  const asked: unknown[] = []
  const agent = await opened({
    profile,
    inputs: {
      session: async (who) => {
        asked.push(who)
        return feed(plan, `${who.from.as}'s plan`)
      },
      turn: (who) => {
        asked.push(who)
        return feed(stock, who.message.length)
      },
    },
  })
  const { prompt, session } = await agent.send("hello", { as: "ada" })
  const from = { as: "ada" }
  expect(asked).toEqual([
    { session, from },
    { session, from, message: "hello" },
  ])
  expect([...(prompt?.head ?? []), prompt?.tail].map((block) => block?.text)).toMatchInlineSnapshot(`
    [
      "<plan>
    ada's plan
    </plan>

    ",
      "<turn-context>
    <stock>
    5
    </stock>

    </turn-context>

    ",
    ]
  `)
  const preview = await agent.preview("hello!", { as: "bob" })
  expect(preview.head[0]?.text).toContain("bob's plan")
  expect(preview.tail?.text).toContain("6")
})

test("an error of the program's inputs rejects, and nothing is sent without them", async () => {
  let calls = 0
  const model = offlineModel({ script: () => `call ${++calls}` })
  const inputs = {
    turn: () => {
      throw new Error("the warehouse is closed")
    },
  }
  const agent = await opened({ profile: support, model, inputs })
  await expect(agent.send("hello")).rejects.toThrow(new Error("the warehouse is closed"))
  expect(calls).toBe(0)
})

const text = (value: string | number | undefined) =>
  value === undefined ? undefined : textContent(String(value))

test("two agents without a workspace share nothing, and what they know ends with them", async () => {
  const first = await opened({ profile: support })
  await first.send("hello")
  const second = await opened({ profile: support })
  expect([(await first.sessions()).length, (await second.sessions()).length]).toEqual([1, 0])
})

test("a state directory keeps its conversations and its record", async () => {
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  const state = join(folder.root, "state")
  const first = await openAgent({ profile: support, model: "offline", state })
  await first.send("hello")
  await first.close()
  const second = await opened({ profile: support, state })
  expect((await second.sessions()).map(({ title }) => title)).toEqual(["hello"])
  expect(readdirSync(state).filter((name) => name.endsWith(".db"))).toEqual(["agent.db", "record.db"])
})

test("with a workspace, its files and its configuration count", async () => {
  const root = workspace({ "AGENTS.md": "Be brief.\n", "incipit.yaml": "tools: []\n" })
  const prompt = await promptOf({ profile: support, workspace: root, state: join(root, "state"), home: root })
  expect(prompt).toContain("Be brief.")
})

test("a bundled profile as an object reads what it reads by name", async () => {
  const root = workspace({ ".pi/SYSTEM.md": "You are a pie.\n" })
  const common = { workspace: root, state: join(root, "state"), home: join(root, "no-home"), env: {} }
  const byName = await promptOf({ ...common, profile: "pi" })
  expect(byName).toContain("You are a pie.")
  expect(await promptOf({ ...common, profile: pi })).toBe(byName)
})

test.each<[string, object | undefined, string]>([
  [
    "nothing at all",
    undefined,
    "openAgent needs a workspace, the folder that describes the agent, or a prompt or profile object",
  ],
  [
    "neither a workspace nor a profile",
    { model: "offline" },
    "openAgent needs a workspace, the folder that describes the agent, or a prompt or profile object",
  ],
  [
    "a name alone",
    { profile: "pi" },
    "openAgent needs a workspace, the folder that describes the agent, or a prompt or profile object",
  ],
  [
    "a further agent",
    { profile: support, agent: "ada" },
    'there is no agent "ada": without a workspace there is only one',
  ],
  [
    "a record without a place",
    { profile: support, record: true },
    "record: true needs a workspace or a state directory to keep it in",
  ],
  [
    "a memory without a workspace",
    { profile: support, memory: true },
    "memory: true needs a workspace, which holds its files",
  ],
  [
    "a store by another name",
    { profile: support, store: "file" },
    'store is "file"; use "memory", or pass a store as openStore returns it',
  ],
  [
    "a profile without sections",
    { profile: { name: "x", markup: tags } },
    'the profile "x" has no list of sections',
  ],
  [
    "a profile with two sections of one name",
    { profile: { ...support, sections: [...support.sections, ...support.sections] } },
    'the profile "support" has two sections with the id "base"',
  ],
])("%s is refused before anything is opened", async (_name, options, message) => {
  // As JavaScript may pass it.
  await expect(openAgent(options as AgentOptions)).rejects.toMatchObject({ name: "IncipitError", message })
  expect(existsSync("agent.db")).toBe(false)
})
