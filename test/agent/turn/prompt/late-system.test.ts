// Turn text in a running agent, as the provider reads it: our own words as a system message where the model takes one,
// everybody else's in the user's message; and that another form begins an epoch which says so.
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import { inFile } from "../../../record/in-file.ts"
import { clock, collect, open, say, server, workspace, write } from "../../world/agent-world.ts"
import type { Json } from "../../world/servers/refusals.ts"
import type { ProviderServer } from "../../world/servers/server.ts"

const FILES = {
  "AGENTS.md": "Answer in English.\n",
  "memory/shared/LAMP.md": "# Lamp\n\n- **2026-06-12.** The lamp turns slowly: 31.5 seconds.\n",
}

/** Requests of turns; what is asked beside them has no tools. */
function turns({ sent }: ProviderServer): readonly string[] {
  return sent.filter((body) => JSON.parse(body).tools !== undefined)
}

/** The newest message of the user in a request, and what comes after it as a system message. */
function newest(body: string | undefined): { readonly user: string; readonly system: string } {
  const { messages }: Json = JSON.parse(body ?? "{}")
  const textOf = (role: string) =>
    messages
      .findLast((message: Json) => message.role === role)
      ?.content.map(({ text }: Json) => text)
      .join("|") ?? ""
  return { user: textOf("user"), system: messages.at(-1).role === "system" ? textOf("system") : "" }
}

function roles(body: string | undefined): string {
  return JSON.parse(body ?? "{}")
    .messages.map(({ role }: Json) => role)
    .join(" ")
}

function epochs(events: readonly LiveEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === "epoch-started" ? [event.reason] : []))
}

test("the time is a system message, and what memory holds is not", async () => {
  const root = workspace(FILES)
  const from = await server([say("Slowly."), say("Still slowly.")])
  const { agent } = await open(root, from)
  await agent.send("How fast does the lamp turn?")
  await agent.send("And now?")
  expect(from.refusals).toEqual([])
  expect(turns(from).map(roles)).toEqual(["user system", "user system assistant user system"])
  const first = newest(turns(from)[0])
  expect(first.user).toContain("31.5 seconds")
  expect(first.user).toContain("How fast does the lamp turn?")
  expect(first.user).not.toContain("<clock>")
  expect(first.system).toContain("<clock>")
  expect(first.system).not.toMatch(/lamp|31\.5|turn-context/i)
})

test("a change of the workspace's own instructions is sent as a system message, one of a project is not", async () => {
  const root = workspace({ ...FILES, "project/AGENTS.md": "Projects are written in English.\n" })
  const from = await server([say("Yes."), say("Yes.")])
  const { agent } = await open(root, from, { directory: join(root, "project") })
  await agent.send("Hello?")
  write(root, "AGENTS.md", "Answer in Latin.\n")
  write(root, "project/AGENTS.md", "Projects are written in Greek.\n")
  await agent.send("And now?")
  const { user, system } = newest(turns(from)[1])
  expect([user.includes("in Latin"), system.includes("in Latin")]).toEqual([false, true])
  expect([user.includes("in Greek"), system.includes("in Greek")]).toEqual([true, false])
})

test("a model that does not take them begins an epoch with tails in messages, and so does the way back", async () => {
  const root = workspace(FILES)
  const from = await server([say("One."), say("Two."), say("Three.")])
  const { agent } = await open(root, from)
  const { tell, events } = collect()
  await agent.send("One?", { tell })
  await agent.useModel("anthropic/claude-haiku-4-5")
  await agent.send("Two?", { tell })
  await agent.useModel("anthropic/claude-sonnet-5-5")
  await agent.send("Three?", { tell })
  expect(from.refusals).toEqual([])
  expect(turns(from).map(roles)).toEqual([
    "user system",
    "user assistant user",
    "user assistant user assistant user system",
  ])
  expect(epochs(events)).toEqual(["the session began", "the model changed", "the model changed"])
})

test("a custom rule that refuses them for the same model begins an epoch that says so", async () => {
  const root = workspace(FILES)
  const from = await server([say("One."), say("Two.")])
  const before = await open(root, from)
  const { session } = await before.agent.send("One?")
  await before.agent.close()
  const config = readFileSync(join(root, "incipit.yaml"), "utf8")
  const row = '{ models: "claude-sonnet-5-5", like: anthropic/claude, source: our proxy, date: "2026-11-15" }'
  write(root, "incipit.yaml", `${config}cache: { rules: [${row}] }\n`)
  const { agent } = await open(root, from)
  const { tell, events } = collect()
  await agent.send("Two?", { tell, session })
  expect(epochs(events)).toEqual(["the model no longer gets turn context as system messages"])
  expect(turns(from).map(roles)).toEqual(["user system", "user assistant user"])
})

test("a provider that refuses them after all costs one request, and not the session", async () => {
  const root = workspace(FILES)
  const message = "messages.1: role 'system' is not supported on this model"
  const body = { type: "error", error: { type: "invalid_request_error", message } }
  const from = await server(() => {
    const { messages }: Json = JSON.parse(from.sent.at(-1) ?? "{}")
    const isLate = messages.some(({ role }: Json) => role === "system")
    return isLate ? { kind: "error", status: 400, body } : say("Yes.")
  })
  const before = await open(root, from)
  const { tell, events } = collect()
  const { state, session } = await before.agent.send("One?", { tell })
  await before.agent.close()
  const { agent } = await open(root, from)
  await agent.send("Two?", { tell, session })
  expect(state).toBe("answered")
  expect(turns(from).map(roles)).toEqual(["user system", "user", "user assistant user"])
  expect(epochs(events)).toEqual([
    "the session began",
    "the model no longer gets turn context as system messages",
  ])
  const findings = events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : []))
  expect(findings).toEqual([
    "anthropic/claude-sonnet-5-5 refused a system message within the conversation, so turn context is sent in the user's messages from now on",
  ])
})

test("the osa profile's unchanged blocks are read by the next process as they are in one", async () => {
  const reads = async (isReopened: boolean) => {
    const root = workspace()
    rmSync(join(root, "incipit.yaml"))
    const { now } = clock()
    const first = await open(root, undefined, { profile: "osa", now })
    const { session } = await first.agent.send("What is in this folder?")
    if (isReopened) await first.agent.close()
    const { agent } = isReopened ? await open(root, undefined, { profile: "osa", now }) : first
    const { cost, turn } = await agent.send("Could you fix the lamp now?", { session })
    await agent.record.flush()
    const built = inFile(agent.record, (record) =>
      record.all("SELECT metadata FROM events WHERE event_type = 'prompt_built' AND turn_id = ?", turn),
    )
    // What was reckoned before the call is what it then reads; only the simulator counts section by section.
    const [before = Number.NaN] = built.map(({ metadata }) =>
      Number(JSON.parse(String(metadata)).cached_tokens),
    )
    expect(Math.abs(before - cost.usage.read)).toBeLessThan(cost.usage.read / 100)
    return cost.usage.read
  }
  const inOne = await reads(false)
  expect(inOne).toBeGreaterThan(1000)
  expect(await reads(true)).toBe(inOne)
})
