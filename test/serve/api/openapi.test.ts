// The OpenAPI document: valid, complete, and the same over HTTP as in the reference.
import { Validator } from "@seriousme/openapi-schema-validator"
import { expect, test } from "vitest"
import { z } from "zod"
import { openApiDocument } from "../../../src/serve/api/openapi/openapi.ts"
import { API_ROUTES } from "../../../src/serve/api/routes.ts"
import { mountedSurfaces } from "../../../src/serve/gateway/mounted-surfaces.ts"
import { openTestGateway } from "../gateway.ts"

interface Operation {
  readonly operationId: string
  readonly security: readonly unknown[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

test("the document is valid OpenAPI 3.1, and each operation has its own id", async () => {
  const document = openApiDocument(API_ROUTES)
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  const { paths } = document as unknown as Document
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test("every list in a body has a limit, so that it is refused before its items are looked at", () => {
  const lists: unknown[] = []
  for (const { body } of API_ROUTES)
    if (body !== undefined)
      JSON.stringify(z.toJSONSchema(body, { io: "input" }), (_key, schema) => {
        if (schema?.type === "array") lists.push(schema.maxItems)
        return schema
      })
  expect(lists.length).toBeGreaterThan(5)
  expect(lists.filter((most) => typeof most !== "number")).toEqual([])
})

test("it has every route of a server, and no other: each answers, and needs a token if it says so", async () => {
  const prefixes: string[] = []
  const gateway = await openTestGateway({
    // Each route is asked without a token, too.
    limits: { failuresPerMinute: 1_000 },
    surfaces: (services) => {
      const mounted = mountedSurfaces(services)
      prefixes.push(...mounted.map(({ prefix }) => prefix))
      return mounted
    },
  })
  const { secret } = await gateway.token({ user: undefined, scopes: ["talk", "read", "operate"] })
  const headers = { authorization: `Bearer ${secret}` }
  const served = await (await gateway.get("/api/openapi.json", headers)).json()
  expect(served).toEqual(JSON.parse(JSON.stringify(openApiDocument(API_ROUTES))))
  // Compared with it above.
  const { paths } = served as Document
  for (const prefix of prefixes) expect(Object.keys(paths).some((path) => path.startsWith(prefix))).toBe(true)
  for (const [path, methods] of Object.entries(paths)) {
    if (path === "/api/events") continue
    for (const [method, { security }] of Object.entries(methods)) {
      const url = `${gateway.url}${path.replaceAll(/[{}]/g, "")}`
      const init = { method: method.toUpperCase(), redirect: "manual" } as const
      // What the table below /api has under another method only would be 405.
      const answer = await fetch(url, { ...init, headers })
      expect([path, answer.status]).not.toEqual([path, 405])
      if (security.length > 0) expect((await fetch(url, init)).status).toBe(401)
    }
  }
})
