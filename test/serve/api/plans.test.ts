// The plan of a session and its messages as they were sent: who may read and answer them, and when.
import { expect, test } from "vitest"
import { clientOf, OPERATOR, openApi } from "./api-client.ts"

const PLAN = "# Plan: Clean the lamp\n\n## Steps\n\n1. Take the cloth."

function planApi() {
  return openApi({ script: ({ message }) => (message.startsWith("Carry out") ? "Clean." : PLAN) })
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
  expect((await bo.get(path)).json.plan).toBeNull()
  expect((await bo.post(`/api/sessions/${session}/messages`, { text: message })).json.text).toContain(
    "Clean.",
  )
  await bo.post(`/api/sessions/${session}/messages`, asked)
  const third = (await bo.get(path)).json.plan
  expect((await bo.post(path, { answer: "dismiss", name: third.name, text })).json).toEqual({ message: null })
  expect((await bo.get(path)).json.plan).toBeNull()
})

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
