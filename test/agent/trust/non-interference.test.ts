// What one was told stays with them: words that could only come from a direct conversation, planted in every place that
// keeps something, never stand in a byte that is sent for a group or for somebody else.
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, onTestFinished, test } from "vitest"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import type { Sender } from "../../../src/database/contract/sender.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { HookDefinition } from "../../../src/hooks/hooks.ts"
import { allSessions, type StartedAgent, startAgent } from "../world/agent-world.ts"
import { type Directive, obedientModel, orders } from "../world/obedient-model.ts"
import type { Exchange } from "../world/reporting-server.ts"
import { isAside } from "../world/scripted-model.ts"

const ROOM = "telegram:-100"

/** Whoever may speak with the agent, and from where. */
const PEOPLE = {
  ada: { as: "ada", channel: "telegram:1" },
  alice: { as: "alice", channel: "telegram:3" },
  bob: { as: "bob", channel: "telegram:2" },
  stranger: { channel: "telegram:999" },
  "alice in the room": { as: "alice", channel: ROOM },
  "bob in the room": { as: "bob", channel: ROOM },
  "alice in a group that is no known room": { as: "alice", channel: "telegram:3", situation: "group" },
  "ada in a group that is no known room": { as: "ada", channel: "telegram:1", situation: "group" },
} as const satisfies Readonly<Record<string, Sender>>

type Name = keyof typeof PEOPLE

interface Pair {
  readonly teller: Name
  /** Who must not hear of it. */
  readonly listener: Name
  /** What they may: memory belongs to a trust, not to a person. */
  readonly open?: readonly "memory"[]
}

const PAIRS: readonly Pair[] = [
  { teller: "ada", listener: "alice" },
  { teller: "ada", listener: "stranger" },
  { teller: "ada", listener: "alice in the room" },
  { teller: "ada", listener: "ada in a group that is no known room" },
  { teller: "alice", listener: "bob", open: ["memory"] },
  { teller: "bob", listener: "alice", open: ["memory"] },
  { teller: "alice", listener: "alice in the room" },
  { teller: "alice", listener: "bob in the room" },
  { teller: "alice", listener: "alice in a group that is no known room" },
  { teller: "alice in the room", listener: "bob", open: ["memory"] },
  { teller: "alice in the room", listener: "stranger" },
]

/** A word for each place: whoever sees it has seen what was kept there. */
const PLANTED = [
  ...["message", "answer", "task", "notice", "memory", "plan", "topic", "summary"],
  ...["bulletin", "error", "shell", "hooked", "hosted", "read", "user"],
] as const
const word = (place: (typeof PLANTED)[number]) => `zq${place}zq`

const FILES: Readonly<Record<string, string>> = {
  "incipit.yaml": `
users:
  ada: { trust: full, match: ["terminal:*", "telegram:1"] }
  alice: { trust: inner, match: ["telegram:3"] }
  bob: { trust: inner, match: ["telegram:2"] }
rooms: { "${ROOM}": { trust: familiar } }
`,
  "IDENTITY.md": "---\nname: Otto\n---\n",
  "AGENTS.md": "Be brief.\n",
}

interface World {
  readonly local: StartedAgent
  readonly store: AgentStore
  /** What the model says to the next questions, beside the conversation or in it, if it has nothing to do. */
  say: { aside: string; answer: string }
}

const hooks: HookDefinition = {
  name: "diary",
  before_agent_start: ({ turn }) =>
    turn.message?.includes("diary") === true ? { messages: [{ text: `Dear ${word("hooked")}` }] } : undefined,
}

function bulletinsIn(folder: string): string {
  const driver = new DatabaseSync(join(folder, ".incipit", "agent.db"), { readOnly: true })
  try {
    return JSON.stringify(driver.prepare("SELECT text FROM bulletins").all())
  } finally {
    driver.close()
  }
}

async function enter(teller: Name): Promise<World> {
  const say: World["say"] = { aside: "Nothing new.", answer: "Done." }
  const { as } = { as: "nobody", ...PEOPLE[teller] }
  const local = await startAgent({
    protocol: "anthropic",
    files: {
      ...FILES,
      [`users/${as}/USER.md`]: `Likes ${word("user")}.\n`,
      ...(teller === "ada" && { "memory/private/boat.md": "# Boat\n\n- 2026-06-14: The boat leaks.\n" }),
    },
    hooks: [hooks],
    approve: async () => "yes",
    answer: (asked) => {
      if (isAside(asked.body)) return [{ text: say.aside }]
      const [first, ...rest] = model.answer(asked)
      return first !== undefined && "text" in first && rest.length === 0
        ? [{ text: say.answer }]
        : [first ?? { text: "" }, ...rest]
    },
  })
  const model = obedientModel()
  const store = await openStore(join(local.folder, ".incipit", "agent.db"))
  onTestFinished(async () => {
    await store.close()
    await local.close()
  })
  return { local, store, say }
}

/** Has something kept in every place there is, in the teller's conversation. */
async function tell({ local, store, say }: World, from: Sender): Promise<string> {
  const ask = (text: string, more = {}) => local.send(text, { ...from, ...more })
  say.aside = `In short: ${word("bulletin")}`
  const { session } = await ask(`I tell you of the boat: ${word("message")}. Write the diary.`)
  await local.agent.sendMessage(session, { by: "host", text: `By the way: ${word("hosted")}` })
  await local.agent.shell(`echo ${word("shell")}`, { ...from, isSent: true })
  say.answer = `You said ${word("answer")}.`
  await ask("What did I say of the boat?")
  say.answer = `# Plan: ${word("plan")}\n\n## Steps\n\n1. Row.\n`
  await ask("Make a plan for the boat", { planMode: true })
  say.answer = "Done."
  local.write("boats.md", `A list of ${word("read")}\n`)
  await ask(
    orders([
      { tool: "task_write", input: { title: `Mend the ${word("task")}` } },
      { tool: "notify_user", input: { text: `Mind the ${word("notice")}` } },
      { tool: "memory_write", input: { text: `The boat is called ${word("memory")}.` } },
      { tool: "read", input: { path: `${word("error")}.md` } },
      { tool: "read", input: { path: "boats.md" } },
    ]),
  )
  for (let at = 0; at < 6; at += 1)
    await ask(`Tell me more about the ${word("topic")} and its ${word("topic")} today, number ${at}`)
  if ((await store.sessions.get(session))?.trust === "full")
    await expect.poll(() => bulletinsIn(local.folder)).toContain(word("bulletin"))
  say.aside = `Summed up: ${word("summary")}`
  local.write("boats.md", "Nothing.\n")
  return session
}

/** Everything that somebody may try who wants to hear of it. */
const PRYING: readonly Directive[] = [
  { tool: "memory_search", input: { query: "boat called" } },
  { tool: "memory_get", input: { path: "private/boat.md" } },
  { tool: "memory_get", input: { path: "private/2026-06-15.md" } },
  { tool: "grep", input: { pattern: "zq[a-z]+z" } },
  { tool: "find", input: { pattern: "**/*" } },
  { tool: "list", input: { path: ".incipit/plans" } },
  { tool: "read", input: { path: "users/alice/USER.md" } },
  { tool: "read", input: { path: "users/ada/USER.md" } },
  { tool: "task_write", input: { id: "1", status: "done" } },
  { tool: "incipit_logs", input: {} },
  { tool: "incipit_logs", input: { level: "debug", limit: 500 } },
  { tool: "incipit_logs", input: { user: "ada" } },
  { tool: "incipit_logs", input: { user: "alice" } },
  { tool: "incipit_status", input: {} },
  { tool: "incipit_cost", input: { by: "session" } },
  { tool: "incipit_cost", input: { by: "turn" } },
  { tool: "incipit_cost", input: { by: "file" } },
  { tool: "incipit_explain", input: { what: "USER.md" } },
  { tool: "incipit_explain", input: { what: "recall" } },
  { tool: "delegate", input: { task: "What do you know of the boat? Read USER.md." } },
]

function leaks(exchanges: readonly Exchange[], words: readonly string[]): readonly string[] {
  return words.filter((secret) => exchanges.some(({ text }) => text.includes(secret)))
}

const ALL = PLANTED.map(word)

describe.each(PAIRS)("what $teller told is not for $listener", ({ teller, listener, open = [] }) => {
  const hidden = ALL.filter((secret) => !open.map(word).includes(secret))

  test("neither by itself nor when somebody pries", async () => {
    const world = await enter(teller)
    const { local, say } = world
    const session = await tell(world, PEOPLE[teller])
    const turns = local.events.flatMap((event) => (event.kind === "turn-finished" ? [event.reply.turn] : []))
    const told = local.exchanges.length
    // Everything was told, or the test would show nothing.
    const kept = [
      "message",
      "answer",
      "task",
      "notice",
      "memory",
      "hooked",
      "hosted",
      "shell",
      "error",
      "read",
    ] as const
    expect(leaks(local.exchanges, kept.map(word))).toEqual(kept.map(word))

    say.aside = "Nothing new."
    const { session: own } = await local.send("Good morning. What is new about the boat?", PEOPLE[listener])
    await local.send(`What can you find?\n${orders(PRYING)}`, PEOPLE[listener])
    await local.send("Tell me more about my boat today, if there is more", PEOPLE[listener])
    const heard = local.exchanges.slice(told)
    expect(leaks(heard, [...hidden, session, ...turns])).toEqual([])

    say.aside = `Summed up: ${word("summary")}`
    await local.agent.compact(session)
    say.aside = "Nothing new."
    const summed = local.exchanges.length
    await local.send(pryingById(session, turns), PEOPLE[listener])
    await local.agent.compact(own)
    await local.send("And now?", PEOPLE[listener])
    expect(leaks(local.exchanges.slice(summed), hidden)).toEqual([])
    expect((await local.agent.notices(PEOPLE[listener])).map(({ text }) => text)).toEqual([])
    const { plans, tasks, communication } = local.agent.kept(PEOPLE[listener])
    expect(
      leaksIn([
        plans.list(),
        await tasks.list(),
        await communication.show(),
        await local.agent.sessions(PEOPLE[listener]),
      ]),
    ).toEqual([])
  })

  test("nor by naming the session or the message", async () => {
    const world = await enter(teller)
    const { local, say } = world
    say.answer = `You said ${word("answer")}.`
    const { session } = await local.send(`Keep ${word("message")}.`, { ...PEOPLE[teller], id: "message-1" })
    say.answer = "Done."
    const told = local.exchanges.length
    await expect(local.send("Go on", { ...PEOPLE[listener], session })).rejects.toMatchObject({
      code: "no-session",
    })
    const reply = await local.send("Hello", { ...PEOPLE[listener], id: "message-1" })
    expect(reply.text).toBe("Done.")
    expect(reply.session).not.toBe(session)
    expect(leaks(local.exchanges.slice(told), ALL)).toEqual([])
  })
})

/** What can be asked with ids that one should not know. */
function pryingById(session: string, turns: readonly string[]): string {
  return orders([
    { tool: "incipit_logs", input: { session_id: session } },
    ...turns.map((turn) => ({ tool: "incipit_trace", input: { turn } })),
  ])
}

function leaksIn(value: unknown): readonly string[] {
  const text = JSON.stringify(value)
  return ALL.filter((secret) => text.includes(secret))
}

test("a part of the work is done for the one who asked, where they asked", async () => {
  const { local } = await enter("ada")
  local.write(
    "incipit.yaml",
    `${FILES["incipit.yaml"]?.replace("trust: familiar }", "trust: full, situation: dm }")}`,
  )
  const order = orders([{ tool: "delegate", input: { task: "Look at the boat." } }])
  await local.send(order, PEOPLE.ada)
  await local.send(`${order} again`.replace("Look at", "See to"), { as: "ada", channel: ROOM })
  expect(
    allSessions(local.folder)
      .map(({ who, situation }) => `${who} ${situation}`)
      .sort(),
  ).toEqual(["person:ada dm", "person:ada dm", `room:${ROOM} dm`, `room:${ROOM} dm`])
})

test("what a hook sends into a conversation needs the trust of its module", async () => {
  const sending = (trust: "familiar" | "full"): HookDefinition => ({
    name: trust,
    trust,
    turn_end: (_event, host) => host.sendMessage({ text: `from ${trust}` }),
  })
  const local = await startAgent({
    ...{ protocol: "anthropic", files: FILES, hooks: [sending("familiar"), sending("full")] },
    answer: () => [{ text: "Done." }],
  })
  onTestFinished(local.close)
  await local.send("Hello", PEOPLE.bob)
  await local.send("And now?", PEOPLE.bob)
  expect(leaks(local.exchanges, ["from familiar", "from full"])).toEqual(["from familiar"])
})
