// A trust that is lowered in incipit.yaml counts from the next request on, on every road to what was said before, although
// no turn has read the file again since.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { OfflineScript } from "../../src/agent/offline/scripted.ts"
import { mountedSurfaces } from "../../src/serve/gateway/mounted-surfaces.ts"
import { type ApiClient, apiToken, clientOf, OPERATOR } from "./api/api-client.ts"
import { openTestGateway, type TestGateway } from "./gateway.ts"
import { requestOf } from "./mcp/mcp-caller.ts"

const SAID = "brass lantern"
const PLAN = `# Plan: Clean the ${SAID}\n\n## Steps\n\n1. Take the cloth.`

function opened(script: OfflineScript): Promise<TestGateway> {
  return openTestGateway({ surfaces: mountedSurfaces, script })
}

function setTrust({ workspace }: TestGateway, user: string, trust: string): void {
  const path = join(workspace, "incipit.yaml")
  const line = new RegExp(`^( {2}${user}: \\{ trust: )\\w+`, "m")
  writeFileSync(path, readFileSync(path, "utf8").replace(line, `$1${trust}`))
}

interface Place {
  readonly session: string
  readonly turn: string
  readonly plan: { readonly name: string; readonly text: string }
  readonly call: string
  /** An answer by the API of OpenAI. */
  readonly response: string
}

type Road = (bo: ApiClient, place: Place) => Promise<{ readonly status: number; readonly text: string }>

function mcp(name: string, input: (place: Place) => object): Road {
  return ({ post }, place) => {
    const { headers, body } = requestOf("tools/call", { name, arguments: input(place) })
    return post("/mcp", body, headers)
  }
}

const ROADS: Readonly<Record<string, Road>> = {
  "the list of sessions": ({ get }) => get("/api/sessions"),
  "a session": ({ get }, { session }) => get(`/api/sessions/${session}`),
  "a message as it was sent": ({ get }, { session, turn }) =>
    get(`/api/sessions/${session}/messages/${turn}`),
  "a turn": ({ get }, { turn }) => get(`/api/turns/${turn}`),
  "the plan": ({ get }, { session }) => get(`/api/sessions/${session}/plan`),
  "the cost of a session": ({ get }, { session }) => get(`/api/cost?session=${session}&by=session`),
  "the page's list of sessions": ({ get }) => get("/api/page/sessions"),
  "the calls of a session": ({ get }, { session }) => get(`/api/calls?session=${session}`),
  "a call": ({ get }, { call }) => get(`/api/calls/${call}`),
  "what calls cost on the page": ({ get }, { session }) =>
    get(`/api/page/costs?session=${session}&by=session`),
  "a tool of MCP that lists events": mcp("logs", ({ session }) => ({ session })),
  "a tool of MCP that shows a turn": mcp("trace", ({ turn }) => ({ id: turn })),
  "a fork": ({ post }, { session }) => post(`/api/sessions/${session}/fork`, {}),
  "taking back a message": ({ post }, { session }) => post(`/api/sessions/${session}/undo`, {}),
  "stopping its work": ({ post }, { session }) => post(`/api/sessions/${session}/stop`, {}),
  "another message": ({ post }, { session }) => post(`/api/sessions/${session}/messages`, { text: "go on" }),
  "the answer before it, by the API of OpenAI": ({ post }, { response }) =>
    post("/v1/responses", { model: "main", input: "go on", previous_response_id: response }),
  "dismissing the plan": ({ post }, { session, plan }) =>
    post(`/api/sessions/${session}/plan`, { answer: "dismiss", ...plan }),
}

test.each(Object.entries(ROADS))("%s", async (_name, road) => {
  const gateway = await opened(() => PLAN)
  const bo = await clientOf(gateway)
  const ada = await clientOf(gateway, { user: "ada" })
  const { session, turn } = (await bo.post("/api/sessions", { text: `clean the ${SAID}`, planMode: true }))
    .json
  const { name, text } = (await bo.get(`/api/sessions/${session}/plan`)).json.plan
  const [call] = (await bo.get(`/api/calls?session=${session}`)).json.calls
  const { json: response } = await bo.post("/v1/responses", { model: "main", input: `light the ${SAID}` })
  const place = { session, turn, plan: { name, text }, call: call.id, response: response.id }
  // The same question of somebody who was never told, and of the same person while nothing has changed.
  const stranger = await road(ada, place)
  setTrust(gateway, "bo", "public")
  const lowered = await road(bo, place)
  expect(lowered.text).not.toContain(SAID)
  expect(lowered).toEqual(stranger)
  setTrust(gateway, "bo", "familiar")
  expect(await road(bo, place)).not.toEqual(stranger)
})

const LAMP: OfflineScript = ({ results: [result] }) =>
  result === undefined ? [{ name: "shell", input: { command: `echo ${SAID}` } }] : `The ${SAID} is lit.`

/** All that a stream says until it is left. */
async function heard(gateway: TestGateway, headers: Record<string, string>) {
  const leave = new AbortController()
  const response = await fetch(`${gateway.url}/api/events`, { headers, signal: leave.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader.read()).value ?? ""
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
  }
  const reading = read().catch(() => {})
  return {
    text: () => text,
    async leave() {
      leave.abort()
      await reading
      return text
    },
  }
}

test("live events of a turn that runs, for who comes now and who is there already", async () => {
  const gateway = await opened(LAMP)
  const cleo = await apiToken(gateway, { user: "cleo" })
  const operator = await apiToken(gateway, OPERATOR)
  const reply = (await clientOf(gateway, { user: "cleo" })).post("/api/sessions", {
    text: `the ${SAID} please`,
  })
  await expect.poll(async () => (await gateway.approvals.open()).length).toBe(1)
  const [question] = await gateway.approvals.open()
  const [there, all] = [await heard(gateway, cleo), await heard(gateway, operator)]
  await expect.poll(there.text).toContain("approval-requested")
  expect(there.text()).toContain(SAID)
  const before = there.text()
  setTrust(gateway, "cleo", "public")
  const now = await heard(gateway, cleo)
  // Not over HTTP: a request has the agents read the file again.
  await gateway.approvals.answer(question!.id, "no")
  await expect.poll(all.text).toContain("approval-finished")
  await reply
  expect(await now.leave()).toBe(": following\n\n")
  expect(await there.leave()).toBe(before)
  await all.leave()
})

test("an event of a turn is decided on with the file as it is, before anything else has read it", async () => {
  const gateway = await opened(LAMP)
  const cleo = await apiToken(gateway, { user: "cleo" })
  const reply = (await clientOf(gateway, { user: "cleo" })).post("/api/sessions", {
    text: `the ${SAID} please`,
  })
  await expect.poll(async () => (await gateway.approvals.open()).length).toBe(1)
  const there = await heard(gateway, cleo)
  await expect.poll(there.text).toContain("approval-requested")
  const [question] = await gateway.approvals.open()
  setTrust(gateway, "cleo", "public")
  await gateway.approvals.answer(question!.id, "no")
  await reply
  expect(await there.leave()).not.toContain("approval-finished")
})

test("trust that is lowered together with a mistake elsewhere in the configuration", async () => {
  const gateway = await opened(() => PLAN)
  const bo = await clientOf(gateway)
  const { session } = (await bo.post("/api/sessions", { text: `clean the ${SAID}` })).json
  setTrust(gateway, "bo", "public")
  const path = join(gateway.workspace, "incipit.yaml")
  writeFileSync(path, `${readFileSync(path, "utf8")}\nprofile: ./no-such-profile.ts\n`)
  expect((await bo.get(`/api/sessions/${session}`)).status).toBe(404)
  const { json } = await bo.post("/api/sessions", { text: "what did I say before?" })
  expect((await bo.get(`/api/sessions/${json.session}`)).status).toBe(200)
  expect((await gateway.store.sessions.facts(json.session))?.trust).toBe("public")
})
