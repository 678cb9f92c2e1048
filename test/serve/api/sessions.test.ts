// Sessions, turns, costs and approvals over the API: what their person gets, and that nobody else gets anything.
import { Buffer } from "node:buffer"
import { expect, test } from "vitest"
import type { OfflineScript } from "../../../src/agent/offline/scripted.ts"
import { type ApiClient, clientOf, OPERATOR, OWNER, openApi } from "./api-client.ts"

test("a session from its first message to a fork of it", async () => {
  const { get, post } = await clientOf(await openApi())
  const files = [
    { mediaType: "text/plain", data: Buffer.from("high water 14:02").toString("base64"), name: "tides.txt" },
  ]
  const first = await post("/api/sessions", { text: "what time is it?", files })
  expect(first.json).toMatchObject({ state: "answered", steps: expect.any(Number), costUsd: null })
  const { session } = first.json
  const second = await post(`/api/sessions/${session}/messages`, { text: "what files are here?" })
  expect(second.json.session).toBe(session)

  const { json: read } = await get(`/api/sessions/${session}`)
  const said = read.messages.filter(({ text }: { text: string }) => text !== "")
  expect(said.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user", "assistant"])
  expect(said[0].text).toContain("high water 14:02")
  expect(said[1].text).toBe(first.json.text)
  // The compiler's own text is not part of what was said.
  expect(JSON.stringify(read)).not.toContain("turn-context")
  const { json: newest } = await get(`/api/sessions/${session}?limit=1`)
  expect(newest).toMatchObject({ messages: [{ text: second.json.text }], hasEarlier: true })
  const { json: before } = await get(`/api/sessions/${session}?limit=1&before=${said[1].seq}`)
  expect(before.messages).toEqual([said[0]])

  const { json: undone } = await post(`/api/sessions/${session}/undo`, {})
  expect(undone).toMatchObject({ from: session, message: "what files are here?" })
  const { json: shorter } = await get(`/api/sessions/${undone.session}`)
  expect(shorter.messages.at(-1)).toMatchObject({ kind: "branch", text: undone.summary })
  const { json: fork } = await post(`/api/sessions/${session}/fork`, {})
  const { json: list } = await get("/api/sessions?limit=2")
  const { json: rest } = await get(`/api/sessions?limit=2&after=${list.next}`)
  const ids = [...list.sessions, ...rest.sessions].map(({ id }: { id: string }) => id)
  expect(ids.toSorted()).toEqual([session, undone.session, fork.session].toSorted())
  expect(rest.next).toBe(null)
})

test("the answer is sent as it is written, and a repeated request gets the same one", async () => {
  const { get, post } = await clientOf(await openApi())
  const streamed = await post("/api/sessions", { text: "what time is it?" }, { accept: "text/event-stream" })
  const events = [...streamed.text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data))
  const { reply } = events.at(-1)
  const texts = events.flatMap((event) => (event.kind === "text" ? [event.text] : []))
  expect(texts.join("")).toBe(reply.text)
  // Tokens and costs are the operator's.
  expect(reply.cost.usage).toEqual({ uncached: 0, read: 0, write: {}, output: 0 })

  const key = { "idempotency-key": "one" }
  const path = `/api/sessions/${reply.session}/messages`
  const [one, two] = await Promise.all([1, 2].map(() => post(path, { text: "what time is it?" }, key)))
  expect(two?.text).toBe(one?.text)
  const other = await post(path, { text: "what files are here?" }, key)
  expect([other.status, other.json.error.code]).toEqual([422, "idempotency-key-reused"])
  expect((await get("/api/sessions")).json.sessions).toMatchObject([{ turns: 2 }])
})

test("an idempotency key counts for one situation: a token for another gets an answer of its own", async () => {
  const gateway = await openApi()
  const key = { "idempotency-key": "one" }
  const [dm, system] = await Promise.all([clientOf(gateway), clientOf(gateway, { situation: "system" })])
  const [one, two] = await Promise.all(
    [dm, system].map(({ post }) => post("/api/sessions", { text: "what time is it?" }, key)),
  )
  expect([one?.status, two?.status, one?.json.turn === two?.json.turn]).toEqual([200, 200, false])
})

test("a turn leads to its plan and its exact request, without what was withheld", async () => {
  const gateway = await openApi()
  const { get, post } = await clientOf(gateway)
  const operator = await clientOf(gateway, OPERATOR)
  const { json: reply } = await post("/api/sessions", { text: "what time is it?" })
  const { json: own } = await get(`/api/turns/${reply.turn}`)
  expect(own).toMatchObject({ turn: reply.turn, session: reply.session, agent: "main", exact: true })
  expect(own.report).toMatchObject({ trust: "familiar", withheld: [], diagnostics: [] })
  expect(own.steps).toHaveLength(reply.steps)
  expect(own.trace[0]).toContain("channel=http user=bo")
  expect(JSON.stringify(own.request)).toContain("what time is it?")
  const { json: whole } = await operator.get(`/api/turns/${reply.turn}`)
  expect(whole.request).toEqual(own.request)
  expect(whole.report.sections.length).toBeGreaterThan(own.report.sections.length)
  expect(await get(`/api/turns/${reply.turn}?step=99`)).toMatchObject({ status: 400 })

  const { json: cost } = await get(`/api/cost?session=${reply.session}&by=turn`)
  expect(cost.rows).toMatchObject([{ key: reply.turn, calls: reply.steps }])
  expect((await operator.get("/api/cost?by=user")).json.rows).toMatchObject([{ key: "bo" }])
  for (const query of ["", `?session=${reply.session}&by=file`, `?session=${reply.session}&since=never`])
    expect((await get(`/api/cost${query}`)).status).toBe(400)
})

test("what is another person's looks the same as what doesn't exist", async () => {
  const gateway = await openApi()
  const bo = await clientOf(gateway)
  const { json: reply } = await bo.post("/api/sessions", { text: "what time is it?" })
  const others = [
    await clientOf(gateway, { user: "ada" }),
    // More trust is not being the same person, and the same person elsewhere is another conversation.
    await clientOf(gateway, OWNER),
    await clientOf(gateway, { situation: "group" }),
  ]
  const reads = (session: string, turn: string) => [
    `/api/sessions/${session}`,
    `/api/turns/${turn}`,
    `/api/cost?session=${session}`,
  ]
  const writes = (session: string) =>
    [
      ["messages", { text: "x" }],
      ["fork", {}],
      ["undo", {}],
      ["stop", {}],
    ].map(([what, body]) => [`/api/sessions/${session}/${what}`, body] as const)
  for (const other of others) {
    expect((await other.get("/api/sessions")).json).toEqual({ sessions: [], next: null })
    for (const [at, path] of reads(reply.session, reply.turn).entries()) {
      const found = await other.get(path)
      const missing = await other.get(reads("01m7j3e3y476tj2g9e6j", "01m7j3e3y30bjhh0x00q")[at] ?? "")
      expect([found.status, found.text]).toEqual([404, missing.text])
    }
    for (const [at, [path, body]] of writes(reply.session).entries()) {
      const found = await other.post(path, body)
      const missing = await other.post(writes("01m7j3e3y476tj2g9e6j")[at]?.[0] ?? "", body)
      expect([found.status, found.text]).toEqual([404, missing.text])
    }
  }
  expect((await bo.get(`/api/sessions/${reply.session}`)).json.messages).toHaveLength(2)
})

test("an operator answers questions for approval, and nobody else sees them", async () => {
  const gateway = await openApi()
  const operator = await clientOf(gateway, OPERATOR)
  const request = JSON.stringify({ kind: "shell", command: "rm -rf build", directory: "/" })
  const asked = { agent: "main", session: "s", from: "bo", request, expiresInMs: 60_000 }
  await gateway.store.questions.ask({ id: "q1", ...asked })
  expect((await operator.get("/api/approvals")).json.approvals).toMatchObject([
    { id: "q1", request: { kind: "shell", command: "rm -rf build" } },
  ])
  const other = await clientOf(gateway, { scopes: ["talk", "read", "operate"] })
  for (const client of [other, await clientOf(gateway, OWNER)]) {
    expect((await client.get("/api/approvals")).status).toBe(403)
    expect((await client.post("/api/approvals/q1", { answer: "yes" })).status).toBe(403)
  }
  expect((await operator.post("/api/approvals/q1", { answer: "maybe" })).status).toBe(400)
  expect((await operator.post("/api/approvals/q1", { answer: "no" })).json).toEqual({
    id: "q1",
    answer: "no",
  })
  expect((await operator.post("/api/approvals/q1", { answer: "yes" })).status).toBe(404)
  expect(await gateway.store.questions.answerTo("q1")).toBe("no")
})

test("a session is yours if you can continue it: neither another person's nor delegated work", async () => {
  const script: OfflineScript = ({ message, results: [result] }) => {
    if (message.includes("count the boats")) return "Three boats."
    return result === undefined ? [{ name: "delegate", input: { task: "count the boats" } }] : result.text
  }
  const gateway = await openApi({ script })
  const [owner, operator] = [await clientOf(gateway, OWNER), await clientOf(gateway, OPERATOR)]
  const bo = await clientOf(gateway)
  const { session: own } = (await owner.post("/api/sessions", { text: "boats please?" })).json
  const { session: bos } = (await bo.post("/api/sessions", { text: "what time is it?" })).json
  const all = await gateway.store.sessions.list("main", { withParts: true })
  const part = all.find(({ mode }) => mode === "subagent")?.id
  const isYours = async ({ get }: ApiClient, id: string | undefined) =>
    (await get(`/api/sessions/${id}`)).json.session?.isYours
  expect(await isYours(owner, own)).toBe(true)
  expect(await isYours(bo, bos)).toBe(true)
  expect(await isYours(operator, own)).toBe(true)
  expect(await isYours(operator, bos)).toBe(false)
  expect(await isYours(operator, part)).toBe(false)
  // The lists of people leave the part out; what it cost has its title and whose it is.
  const listed = (await operator.get("/api/sessions")).json.sessions.map(({ id }: { id: string }) => id)
  expect(listed.toSorted()).toEqual([own, bos].toSorted())
  const rows = async (query: string) =>
    (await operator.get(`/api/page/costs?source=agent&${query}`)).json.rows
  const row = { key: part, title: "count the boats", who: "owner", newest: { session: part } }
  expect(await rows("by=session")).toContainEqual(
    expect.objectContaining({ ...row, newest: expect.anything() }),
  )
  expect(await rows(`by=session&session=${part}`)).toMatchObject([row])
})
