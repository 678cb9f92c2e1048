// The plan of a session and its messages as they were sent: who may read and answer them, and when.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { RunningAgent } from "../../../src/agent/setup/agent.ts"
import { apiSurface } from "../../../src/serve/api/api-surface.ts"
import type { SurfaceCall } from "../../../src/serve/http/surface.ts"
import type { TestGateway } from "../gateway.ts"
import { type ApiClient, clientOf, OPERATOR, openApi } from "./api-client.ts"

const PLAN = "# Plan: Clean the lamp\n\n## Steps\n\n1. Take the cloth."

function planApi(withCall = (call: SurfaceCall) => call): Promise<TestGateway> {
  return openApi({
    script: ({ message }) => (message.startsWith("Carry out") ? "Clean." : PLAN),
    surfaces: (services) => {
      const surface = apiSurface(services)
      return [{ ...surface, handle: (request, call) => surface.handle(request, withCall(call)) }]
    },
  })
}

test("the newest plan of a session waits until it is approved or dismissed, and only for whom it was made", async () => {
  const gateway = await planApi()
  const [bo, ada, operator] = await Promise.all([
    clientOf(gateway),
    clientOf(gateway, { user: "ada" }),
    clientOf(gateway, OPERATOR),
  ])
  const asked = { text: "clean the lamp, please", planMode: true }
  const { session } = (await bo.post("/api/sessions", asked)).json
  const path = `/api/sessions/${session}/plan`
  const first = (await bo.get(path)).json.plan
  expect(first).toMatchObject({ goal: "Clean the lamp", text: PLAN })
  // Another one takes its place, also if that has an answer.
  await bo.post(`/api/sessions/${session}/messages`, asked)
  const { name, text } = (await bo.get(path)).json.plan
  expect(name).not.toBe(first.name)
  expect((await ada.get(path)).status).toBe(404)
  expect((await operator.get(path)).json).toEqual({ session, plan: null })
  for (const body of [
    { answer: "approve", name: first.name, text },
    { answer: "approve", name, text: `${text} And the brush.` },
  ])
    expect(await bo.post(path, body)).toMatchObject({
      status: 409,
      json: { error: { code: "plan-changed" } },
    })
  expect((await ada.post(path, { answer: "approve", name, text })).status).toBe(404)
  expect((await operator.post(path, { answer: "approve", name, text })).status).toBe(409)
  const { message } = (await bo.post(path, { answer: "approve", name, text })).json
  expect(message).toContain(PLAN)
  expect((await bo.post(`/api/sessions/${session}/messages`, { text: message })).json.text).toContain(
    "Clean.",
  )
  expect((await bo.get(path)).json.plan).toBeNull()
  expect((await bo.post(path, { answer: "approve", name, text })).status).toBe(409)
  await bo.post(`/api/sessions/${session}/messages`, asked)
  const third = (await bo.get(path)).json.plan
  expect((await bo.post(path, { answer: "dismiss", name: third.name, text })).json).toEqual({ message: null })
  expect((await bo.get(path)).json.plan).toBeNull()
})

/** A session of Bo with a plan, and what changes the file of the plan. */
async function plannedSession(gateway: TestGateway, bo: ApiClient) {
  const { session } = (await bo.post("/api/sessions", { text: "clean the lamp, please", planMode: true }))
    .json
  const path = `/api/sessions/${session}/plan`
  const { name } = (await bo.get(path)).json.plan
  const file = join(gateway.workspace, ".incipit/plans", `${name}.md`)
  const edit = (from: string | RegExp, to: string) =>
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to))
  return { session, path, name, file, edit }
}

test("each session has its own plan", async () => {
  const gateway = await planApi()
  const bo = await clientOf(gateway)
  const one = await plannedSession(gateway, bo)
  const two = await plannedSession(gateway, bo)
  const names = [one, two].map(async ({ path }) => (await bo.get(path)).json.plan.name)
  expect(await Promise.all(names)).toEqual([one.name, two.name])
  expect(await bo.post(one.path, { answer: "approve", name: two.name, text: PLAN })).toMatchObject({
    status: 409,
  })
})

test("of two plans that were made at the same moment, the second waits", async () => {
  const gateway = await planApi()
  const bo = await clientOf(gateway)
  const { path, name, file } = await plannedSession(gateway, bo)
  const other = readFileSync(file, "utf8").replace("the cloth", "the brush")
  writeFileSync(file.replace(/\.md$/, "-2.md"), other)
  expect((await bo.get(path)).json.plan).toMatchObject({
    name: `${name}-2`,
    text: expect.stringContaining("brush"),
  })
})

test("approving a plan ends plan mode, also if a terminal has turned it on", async () => {
  const gateway = await planApi()
  const bo = await clientOf(gateway)
  const { session, path, name } = await plannedSession(gateway, bo)
  await gateway.store.sessions.changeState(session, { planMode: true })
  const isPlanning = async () => (await gateway.store.sessions.get(session))?.state.planMode
  expect((await bo.post(path, { answer: "approve", name, text: "another" })).status).toBe(409)
  expect(await isPlanning()).toBe(true)
  expect((await bo.post(path, { answer: "approve", name, text: PLAN })).status).toBe(200)
  expect(await isPlanning()).toBe(false)
})

test("a plan that was changed after its approval waits again", async () => {
  const gateway = await planApi()
  const bo = await clientOf(gateway)
  const { session, path, name, edit } = await plannedSession(gateway, bo)
  const { message } = (await bo.post(path, { answer: "approve", name, text: PLAN })).json
  await bo.post(`/api/sessions/${session}/messages`, { text: message })
  edit("the cloth", "two cloths")
  expect((await bo.get(path)).json.plan).toMatchObject({
    name,
    status: "changed",
    text: expect.stringContaining("two cloths"),
  })
})

test("a plan that was approved is offered until something was sent to its session", async () => {
  const gateway = await planApi()
  const bo = await clientOf(gateway)
  const { session, path, name } = await plannedSession(gateway, bo)
  const approve = { answer: "approve", name, text: PLAN }
  const { message } = (await bo.post(path, approve)).json
  // The answer was lost.
  expect((await bo.get(path)).json.plan).toMatchObject({ name, status: "approved", text: PLAN })
  expect((await bo.post(path, approve)).json).toEqual({ message })
  await bo.post(`/api/sessions/${session}/messages`, { text: message })
  expect((await bo.get(path)).json.plan).toBeNull()
  const second = await plannedSession(gateway, bo)
  await bo.post(second.path, { ...approve, name: second.name })
  await bo.post(second.path, { answer: "dismiss", name: second.name, text: PLAN })
  expect((await bo.get(second.path)).json.plan).toBeNull()
})

test.each([
  ["changed", (file: string) => writeFileSync(file, readFileSync(file, "utf8").replace("cloth", "axe"))],
  ["removed", (file: string) => rmSync(file)],
])("a plan that is %s while it is approved is not approved", async (_how, swap) => {
  // Called when the plans were read for the comparison.
  let afterRead = () => {}
  const gateway = await planApi((call) => swapping(call, () => afterRead()))
  const bo = await clientOf(gateway)
  const { session, path, name, file } = await plannedSession(gateway, bo)
  await gateway.store.sessions.changeState(session, { planMode: true })
  afterRead = () => {
    afterRead = () => {}
    swap(file)
  }
  expect(await bo.post(path, { answer: "approve", name, text: PLAN })).toMatchObject({
    status: 409,
    json: { error: { code: "plan-changed" } },
  })
  expect((await gateway.store.sessions.get(session))?.state.planMode).toBe(true)
  if (existsSync(file)) expect(readFileSync(file, "utf8")).toMatch(/^---\nstatus: proposed\n/)
})

/** The same call, to agents whose plans are listed before `then`. */
function swapping(call: SurfaceCall, then: () => void): SurfaceCall {
  const named = (name: string) => {
    const agent = call.agents.named(name)
    const kept: RunningAgent["kept"] = (from) => {
      const { plans, ...rest } = call.agents.main.kept(from)
      const list = () => {
        const listed = plans.list()
        then()
        return listed
      }
      return { ...rest, plans: { ...plans, list } }
    }
    return agent && { ...agent, kept }
  }
  return { ...call, agents: { ...call.agents, named } }
}

test("a message is read as it was sent, by those who may read its session", async () => {
  const gateway = await planApi()
  const [bo, ada] = await Promise.all([clientOf(gateway), clientOf(gateway, { user: "ada" })])
  const files = [{ mediaType: "text/plain", data: Buffer.from("lit").toString("base64"), name: "lamp.txt" }]
  const { session, turn } = (await bo.post("/api/sessions", { text: "read this, please", files })).json
  const { session: other } = (await bo.post("/api/sessions", { text: "and something else" })).json
  expect((await bo.get(`/api/sessions/${session}/messages/${turn}`)).json).toEqual({
    text: "read this, please",
    files,
  })
  expect((await bo.get(`/api/sessions/${other}/messages/${turn}`)).status).toBe(404)
  expect((await ada.get(`/api/sessions/${session}/messages/${turn}`)).status).toBe(404)
})

test("a message of a turn that a branch shares is read in the branch, with its files", async () => {
  const gateway = await planApi()
  const [bo, ada] = await Promise.all([clientOf(gateway), clientOf(gateway, { user: "ada" })])
  const files = [{ mediaType: "text/plain", data: Buffer.from("lit").toString("base64"), name: "lamp.txt" }]
  const first = (await bo.post("/api/sessions", { text: "read this, please", files })).json
  const path = `/api/sessions/${first.session}`
  const second = (await bo.post(`${path}/messages`, { text: "and once more" })).json
  const other = (await bo.post("/api/sessions", { text: "something else" })).json
  const branch = (await bo.post(`${path}/fork`, { at: second.turn })).json.session
  const again = (await bo.post(`/api/sessions/${branch}/fork`, {})).json.session
  for (const session of [branch, again])
    expect((await bo.get(`/api/sessions/${session}/messages/${first.turn}`)).json).toEqual({
      text: "read this, please",
      files,
    })
  // The branch begins before the second message.
  for (const turn of [second.turn, other.turn, "01m7j3e3y30bjhh0x00q"])
    expect((await bo.get(`/api/sessions/${branch}/messages/${turn}`)).status).toBe(404)
  expect((await ada.get(`/api/sessions/${branch}/messages/${first.turn}`)).status).toBe(404)
})
