// Questions for approval of a served agent: stored, answered once from any surface, and refused without an answer.
import { expect, test, vi } from "vitest"
import { createApprovalDesk } from "../../src/serve/gateway/approval-desk.ts"
import type { Surface } from "../../src/serve/http/surface.ts"
import { openTestGateway, type TestOptions } from "./gateway.ts"

/** Has the agent run a command, and answers with what became of it. */
const RUN: Surface = {
  prefix: "/run",
  scopes: ["talk"],
  handle: async (_request, { agents, caller, signal }) =>
    new Response((await agents.main.send("run it", { ...caller.from, signal })).text),
}

async function asking(options: TestOptions = {}) {
  const gateway = await openTestGateway({
    surfaces: [RUN],
    script: ({ results: [result] }) =>
      result === undefined ? [{ name: "shell", input: { command: "echo herring" } }] : result.text,
    ...options,
  })
  const { secret } = await gateway.token({ user: undefined })
  const answer = gateway
    .get("/run", { authorization: `Bearer ${secret}` })
    .then((response) => response.text())
  return { ...gateway, answer }
}

function firstOf<T>(list: () => Promise<readonly T[]>) {
  return vi.waitUntil(async () => (await list())[0], { interval: 5, timeout: 60_000 })
}

test("a question waits for a yes, which counts once", async () => {
  const { approvals, answer, store } = await asking()
  const question = await firstOf(approvals.open)
  expect(question).toMatchObject({ agent: "main", from: "the owner" })
  expect(question.request).toMatchObject({ kind: "shell", command: "echo herring" })
  expect(question.expiresAt - question.at).toBe(300_000)
  expect(await approvals.answer("another", "yes")).toBe(false)
  const twice = await Promise.all([approvals.answer(question.id, "yes"), approvals.answer(question.id, "no")])
  expect(twice).toEqual([true, false])
  expect(await answer).toBe("exit code 0\nherring")
  expect(await store.questions.open()).toEqual([])
})

test("always is the answer to the same kind of action in the session, also from another process", async () => {
  const gateway = await openTestGateway({
    surfaces: [RUN],
    script: ({ results: [first, second] }) => {
      if (first !== undefined && second !== undefined) return `${first.text} ${second.text}`
      return [{ name: "shell", input: { command: first === undefined ? "echo cod" : "echo herring" } }]
    },
  })
  const { secret } = await gateway.token({ user: undefined })
  const answer = gateway.get("/run", { authorization: `Bearer ${secret}` })
  const other = createApprovalDesk({ questions: gateway.store.questions, expiresInMs: 1 })
  expect(await other.answer((await firstOf(other.open)).id, "always")).toBe(true)
  expect(await (await answer).text()).toMatch(/cod[\s\S]*herring/)
})

test("another process answers it", async () => {
  const { answer, store } = await asking()
  const other = createApprovalDesk({ questions: store.questions, expiresInMs: 1 })
  expect(await other.answer((await firstOf(other.open)).id, "no")).toBe(true)
  expect(await answer).toBe("The command was not approved.")
})

test("without an answer in time it is a no", async () => {
  const { answer, store } = await asking({ approvalMs: 50 })
  expect(await answer).toBe("The command was not approved.")
  expect(await store.questions.open()).toEqual([])
})

test("the owner on a channel is asked at the same time, and the first answer ends the question there", async () => {
  const asked: string[] = []
  const ended = Promise.withResolvers<void>()
  const channel = {
    name: "test",
    parts: (text: string) => [text],
    send: async () => undefined,
    ask: ({ to, signal }: { to: string; signal: AbortSignal }) => {
      asked.push(to)
      signal.addEventListener("abort", () => ended.resolve())
      return new Promise<"no">(() => {})
    },
  }
  const policy = { strangers: "silent", rooms: "mentions" } as const
  const { approvals, answer } = await asking({ owner: "test:1", channels: [{ channel, policy }] })
  await approvals.answer((await firstOf(approvals.open)).id, "yes")
  expect(await answer).toContain("herring")
  await ended.promise
  expect(asked).toEqual(["test:1"])
})
