// Which scopes the page's routes take, and that a limit of requests counts for them as for the others.
import { expect, test } from "vitest"
import { clientOf, openApi } from "../api/api-client.ts"

const PATHS = [
  ...["/api/page/sessions", "/api/calls?session=x", "/api/calls/x.1", "/api/carried?path=x&from=1"],
  ...["/api/page/costs", "/api/page/simulated?session=x"],
]

test("what the server shows is for everybody who is signed in, the rest for those who may read", async () => {
  const gateway = await openApi()
  const talking = await clientOf(gateway, { scopes: ["talk"] })
  expect((await talking.get("/api/page")).json).toMatchObject({
    ...{ title: expect.any(String), mode: "serve", people: [], situations: [], models: [] },
    caller: { user: "bo", trust: "familiar", scopes: ["talk"], isOperator: false },
  })
  for (const path of PATHS)
    expect([path, (await talking.get(path)).json.error.code]).toEqual([path, "no-scope"])
  const statuses = async (scopes: readonly ("read" | "operate")[], user?: string) => {
    const client = await clientOf(gateway, { scopes, user })
    return Promise.all(PATHS.map(async (path) => (await client.get(path)).status))
  }
  for (const scopes of [["read"], ["operate"]] as const)
    expect(await statuses(scopes, "bo")).toEqual([200, 404, 404, 200, 200, 404])
  // The scope alone makes nobody an operator.
  const client = await clientOf(gateway, { scopes: ["operate"] })
  expect((await client.get("/api/page")).json.caller).toMatchObject({ trust: "familiar", isOperator: false })
  expect((await client.get("/api/page/sessions?source=captures")).status).toBe(404)
})

test("a token that asks too often waits", async () => {
  const gateway = await openApi({ limits: { requestsPerMinute: 2 } })
  const client = await clientOf(gateway)
  const statuses: number[] = []
  for (let n = 0; n < 3; n++) statuses.push((await client.get("/api/page")).status)
  expect(statuses).toEqual([200, 200, 429])
})
