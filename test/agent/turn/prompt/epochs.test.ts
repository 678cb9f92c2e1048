// What the model is told of a workspace that changes while they talk: in the conversation, with the next epoch, or at
// once; each file once; and what each new beginning costs.
import { rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import {
  call,
  clock,
  collect,
  inRecord,
  masked,
  NIGHT,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
  write,
} from "../../world/agent-world.ts"
import type { Json } from "../../world/servers/refusals.ts"

const PROJECT = {
  "project/AGENTS.md": "Projects are written in English.\n",
  "project/lamps/AGENTS.md": "Lamps are counted from the left.\n",
  "project/lamps/oil.txt": "Ten barrels.\n",
  "project/lamps/wick.txt": "Two wicks.\n",
  "project/.claude/rules/logs.md": '---\npaths: ["**/*.log"]\n---\nLogs are never changed.\n',
  "project/day.log": "Calm.\n",
}

/** How often a text stands in a request: in the head, in the conversation. */
function places(body: string | undefined, text: string): readonly [head: number, conversation: number] {
  const { system, messages }: Json = JSON.parse(body ?? "{}")
  return [count(JSON.stringify(system), text), count(JSON.stringify(messages), text)]
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

function told(events: readonly LiveEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.kind === "epoch-started") return [`epoch ${event.epoch}: ${event.reason}`]
    if (event.kind === "section-updated") return [`${event.id}: ${event.why}, ${event.how}`]
    if (event.kind === "cache-missed") return [masked(`missed: ${event.reason}`)]
    return []
  })
}

test("context of a folder and rules of a path are sent in the turn that first touches them, and never twice", async () => {
  const root = workspace(PROJECT)
  const from = await server([
    call(["read", { path: "lamps/oil.txt" }]),
    call(["read", { path: "lamps/wick.txt" }], ["read", { path: "day.log" }]),
    say("Ten barrels, two wicks, calm."),
    call(["read", { path: "lamps/oil.txt" }], ["read", { path: "day.log" }]),
    say("As before."),
    say("Facts: ten barrels."),
    say("Ten."),
  ])
  const { agent } = await open(root, from, { directory: join(root, "project") })
  const { session } = await agent.send("What is there?")
  await agent.send("And now?")
  await agent.compact(session)
  await agent.send("How many barrels?")
  const [nested, rule, own] = ["counted from the left", "never changed", "written in English"]
  expect(
    from.bodies.map((body) => [places(body, own), places(body, nested), places(body, rule)].join(" | ")),
  ).toMatchInlineSnapshot(`
    [
      "1,0 | 0,0 | 0,0",
      "1,0 | 0,1 | 0,0",
      "1,0 | 0,1 | 0,1",
      "1,0 | 0,1 | 0,1",
      "1,0 | 0,1 | 0,1",
      "1,0 | 0,1 | 0,1",
      "1,0 | 1,0 | 1,0",
    ]
  `)
  expect(from.refusals).toEqual([])
})

test("context of touched files is read once a turn, and again in the next one", async () => {
  const root = workspace(PROJECT)
  const from = await server([
    call(["read", { path: "lamps/oil.txt" }]),
    call(["turn", {}]),
    call(["read", { path: "day.log" }]),
    say("Ten barrels."),
    say("Ten."),
  ])
  const turn = tool("turn", async () => {
    write(root, "project/lamps/AGENTS.md", "Lamps are counted from the right.\n")
    return "turned"
  })
  const { agent } = await open(root, from, { directory: join(root, "project"), tools: [turn] })
  await agent.send("What is there?")
  await agent.send("And now?")
  const [left, right, rule] = ["counted from the left", "counted from the right", "never changed"]
  expect(
    from.bodies.map((body) => [places(body, left), places(body, right), places(body, rule)].join(" | ")),
  ).toMatchInlineSnapshot(`
    [
      "0,0 | 0,0 | 0,0",
      "0,1 | 0,0 | 0,0",
      "0,1 | 0,0 | 0,0",
      "0,1 | 0,0 | 0,1",
      "0,1 | 0,1 | 0,1",
    ]
  `)
})

/** Sends two messages and changes something between them. */
async function afterChange(
  change: (root: string, world: Awaited<ReturnType<typeof open>> & { readonly session: string }) => unknown,
  {
    files = {},
    minutes = 1,
  }: { readonly files?: Readonly<Record<string, string>>; readonly minutes?: number } = {},
) {
  const root = workspace({ ...PROJECT, ...files })
  const time = clock()
  const from = await server([say("Yes.")], time.now)
  const world = await open(root, from, { directory: join(root, "project"), now: time.now, wait: time.wait })
  const { session } = await world.agent.send("One?")
  await change(root, { ...world, session })
  time.set(NIGHT + minutes * 60_000)
  const { events, tell } = collect()
  const { turn, state } = await world.agent.send("Two?", { tell })
  const [third, lines] = [await world.agent.send("Three?"), transcript(root, session)]
  await world.agent.close()
  expect([state, third.state, from.refusals, lines.length]).toEqual(["answered", "answered", [], 6])
  const recorded = inRecord(root, (record) =>
    record
      .all(
        "SELECT event_type, metadata FROM events WHERE turn_id = ? AND event_type IN ('epoch_started', 'section_updated', 'cache_missed') ORDER BY id",
        turn,
      )
      .map(({ event_type: type, metadata }) => masked(`${type} ${metadata}`)),
  )
  return { told: told(events), recorded, second: from.bodies[1], third: from.bodies[2], root }
}

test("a soul that changes is held until the next epoch", async () => {
  const found = await afterChange((root) => write(root, "SOUL.md", "You keep the light of a large island.\n"))
  expect(found.told).toMatchInlineSnapshot(`
    [
      "soul: changed, wait",
    ]
  `)
  expect(found.recorded).toMatchInlineSnapshot(`
    [
      "section_updated {"section":"soul","why":"changed","how":"wait","rewrites":<n>}",
    ]
  `)
  expect(places(found.third, "large island")).toEqual([0, 0])
})

test("a project's instructions that change are sent in the conversation, once", async () => {
  const found = await afterChange((root) =>
    write(root, "project/AGENTS.md", "Projects are written in Latin.\n"),
  )
  expect(found.told).toMatchInlineSnapshot(`
    [
      "context: changed, append",
    ]
  `)
  expect(found.recorded).toMatchInlineSnapshot(`
    [
      "section_updated {"section":"context","why":"changed","how":"append","rewrites":<n>}",
    ]
  `)
  expect([places(found.second, "in Latin"), places(found.third, "in Latin")]).toEqual([
    [0, 1],
    [0, 1],
  ])
})

test("a file that is removed leaves the prompt at once", async () => {
  const found = await afterChange((root) => rmSync(join(root, "project/AGENTS.md")))
  expect(found.told).toMatchInlineSnapshot(`
    [
      "epoch 2: context was removed",
    ]
  `)
  expect(found.recorded).toMatchInlineSnapshot(`
    [
      "epoch_started {"epoch":2,"reason":"context was removed","rewrites":<n>}",
    ]
  `)
  expect([places(found.second, "written in English"), places(found.third, "written in English")]).toEqual([
    [0, 0],
    [0, 0],
  ])
})

test("a file that cannot be read for the moment keeps its last text", async () => {
  const found = await afterChange((root) => {
    rmSync(join(root, "SOUL.md"))
    symlinkSync("SOUL.md", join(root, "SOUL.md"))
  })
  expect(found.told).toEqual([])
  expect(places(found.third, "small island")).toEqual([1, 0])
})

test("other tools begin an epoch, and the price is reported before", async () => {
  let rewrites = 0
  const found = await afterChange(async (_root, { agent, session }) => {
    rewrites = (await agent.setActiveTools(session, ["read"])).rewrites
    expect(await agent.setActiveTools(session, ["read"])).toEqual({ rewrites: 0 })
    await expect(agent.setActiveTools(session, ["raed"])).rejects.toThrow('there is no tool "raed"')
  })
  expect(found.told).toMatchInlineSnapshot(`
    [
      "epoch 2: the tools changed",
      "missed: Cache miss: call <id>.1 read 0 of <n> cached tokens. The tool "delegate" was removed. It cost $<n> more than a hit.",
    ]
  `)
  expect(found.recorded).toMatchInlineSnapshot(`
    [
      "epoch_started {"epoch":2,"reason":"the tools changed","rewrites":<n>}",
      "cache_missed {"cause":"changed","tokens":<n>,"reason":"Cache miss: call <id>.1 read 0 of <n> cached tokens. The tool \\"delegate\\" was removed. It cost $<n> more than a hit."}",
    ]
  `)
  expect(rewrites).toBeGreaterThan(3_000)
})

test("tools that are switched off and on again before the next message rewrite nothing", async () => {
  const found = await afterChange(async (_root, { agent, session }) => {
    const all = agent.tools().map(({ name }) => name)
    const less = (await agent.setActiveTools(session, ["read"])).rewrites
    expect([less > 3_000, await agent.setActiveTools(session, all)]).toEqual([true, { rewrites: 0 }])
  })
  expect([found.told, found.recorded]).toEqual([[], []])
})

test("with all tools switched on again, those that come later are on too", async () => {
  const root = workspace()
  const from = await server([say("Yes.")])
  const first = await open(root, from)
  const { session } = await first.agent.send("Hello.")
  const all = first.agent.tools().map(({ name }) => name)
  for (const names of [["read"], all]) await first.agent.setActiveTools(session, names)
  await first.agent.close()
  const { agent } = await open(root, from, { tools: [tool("tides", async () => "")] })
  await agent.send("And now?")
  const { tools }: Json = JSON.parse(from.bodies.at(-1) ?? "{}")
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([...all, "tides"].sort())
})

test("a tool that is named often is still one tool", async () => {
  const root = workspace()
  const from = await server([say("Yes.")])
  const { agent } = await open(root, from)
  const { session } = await agent.send("Hello.")
  await agent.setActiveTools(
    session,
    agent.tools().map(() => "read"),
  )
  await agent.send("And now?")
  const { tools }: Json = JSON.parse(from.bodies.at(-1) ?? "{}")
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["read"])
})

test("another model begins an epoch", async () => {
  const found = await afterChange((_root, { agent }) => agent.useModel("anthropic/claude-haiku-4-5"))
  expect(found.told).toMatchInlineSnapshot(`
    [
      "epoch 2: the model changed",
      "missed: Cache miss: call <id>.1 read 0 of <n> cached tokens. The model changed from anthropic/claude-sonnet-5-5 to anthropic/claude-haiku-4-5. It cost $<n> more than a hit.",
    ]
  `)
})

test("a model that nobody knows is not taken, and the one that was stays", async () => {
  const found = await afterChange(async (_root, { agent }) => {
    await expect(agent.useModel("nobody/knows")).rejects.toThrow()
    expect(agent.model.id).toBe("anthropic/claude-sonnet-5-5")
  })
  expect(found.told).toEqual([])
})

test("when the cache is cold anyway, what was held is sent again", async () => {
  const found = await afterChange(
    (root) => write(root, "SOUL.md", "You keep the light of a large island.\n"),
    { minutes: 6 },
  )
  expect(found.told).toMatchInlineSnapshot(`
    [
      "epoch 2: the cache was cold",
      "missed: Cache miss: call <id>.1 read 0 of <n> cached tokens. The cache expired: 6 min since the previous call, TTL 5 min. It cost $<n> more than a hit.",
    ]
  `)
  expect(places(found.second, "large island")).toEqual([1, 0])
})

test("reading the workspace again begins an epoch in every session", async () => {
  const found = await afterChange(async (root, { agent }) => {
    write(root, "SOUL.md", "You keep the light of a large island.\n")
    await agent.reload()
  })
  expect(found.told).toMatchInlineSnapshot(`
    [
      "epoch 2: the workspace was reloaded",
      "missed: Cache miss: call <id>.1 read 0 of <n> cached tokens. The section "soul" (SOUL.md:1) changed: "keep the light of a small island." before, "keep the light of a large island." now. It cost $<n> more than a hit.",
    ]
  `)
  expect(places(found.second, "large island")).toEqual([1, 0])
})

test("a configuration that cannot be read leaves the last good one, and the next good one counts", async () => {
  const root = workspace()
  const from = await server([say("Yes.")])
  const { agent } = await open(root, from)
  await agent.send("One?")
  write(root, "incipit.yaml", "profile: [unclosed\n")
  expect((await agent.send("Two?")).state).toBe("answered")
  write(
    root,
    "incipit.yaml",
    "profile: incipit\nresponsibilities: [{ title: Lamp, content: Light it at dusk. }]\n",
  )
  expect((await agent.send("Three?")).state).toBe("answered")
  await agent.close()
  expect([
    places(from.bodies[1], "Light it at dusk"),
    places(from.bodies[2], "Light it at dusk"),
  ]).toMatchInlineSnapshot(`
    [
      [
        0,
        0,
      ],
      [
        0,
        1,
      ],
    ]
  `)
  expect(
    inRecord(root, (record) =>
      record.all("SELECT level, error FROM events WHERE event_type = 'config_reloaded' ORDER BY id"),
    ).map(({ level, error }) => [level, String(error ?? "").replaceAll(root, "")]),
  ).toMatchInlineSnapshot(`
    [
      [
        "error",
        "incipit.yaml:2:1: Flow sequence in block collection must be sufficiently indented and end with a ]",
      ],
      [
        "info",
        "",
      ],
    ]
  `)
})
