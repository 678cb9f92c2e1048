// The OpenAPI document of the whole server: the routes below /api from their schemas, the others from a table.
import { z } from "zod"
import type { Route } from "../route.ts"
import { type Json, jsonSchema, namedSchemas, referrer } from "./named-schemas.ts"
import { SERVER_PATHS, type ServerPath } from "./server-paths.ts"

/** Counts changes that break clients. */
const API_VERSION = "1"

export function openApiDocument(routes: readonly Route[]): Json {
  const operations = [
    ...routes.map((route) => [route.path, route.method.toLowerCase(), apiOperation(route)] as const),
    ...SERVER_PATHS.map((one) => [one.path, one.method, serverOperation(one)] as const),
  ]
  const refer = referrer()
  const paths = Map.groupBy(operations, ([path]) => path)
  return {
    openapi: "3.1.0",
    info: {
      title: "Incipit",
      version: API_VERSION,
      description:
        "One agent for several people, and the prompt compiler for any language. A token is a person: what it shows follows from their trust. Make one with `incipit token add`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(
      [...paths].map(([path, found]) => [
        path,
        Object.fromEntries(found.map(([, method, operation]) => [method, refer(operation)])),
      ]),
    ),
    components: {
      schemas: namedSchemas(),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A token of `incipit token add`." },
      },
      responses: {
        error: {
          description:
            "400 what is wrong with the request, 401 no valid token, 403 not with this token, 404 nothing there, 413 too large, 429 and 503 try again after `retry-after` seconds.",
          content: { "application/json": { schema: jsonSchema(errorSchema, "output") } },
        },
      },
    },
  }
}

const errorSchema = z.object({
  error: z.object({
    code: z.string().describe("A stable word, such as `bad-input`."),
    message: z.string().describe("One line for people: what is wrong and what to do."),
    field: z.string().optional().describe("The path of the field that it is about."),
  }),
})

function apiOperation(route: Route): Json {
  const { path, method, scopes, summary, description, body, query, answer, answers = "json" } = route
  const type = answers === "json" ? "application/json" : "text/event-stream"
  return {
    operationId: operationId(method.toLowerCase(), path),
    tags: ["API"],
    ...{ summary, ...(description !== undefined && { description }) },
    ...parameters([...pathParameters(path), ...(query === undefined ? [] : queryParameters(query))]),
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: jsonSchema(body, "input") } } },
    }),
    responses: {
      200: { description: "OK", content: { [type]: { schema: jsonSchema(answer, "output") } } },
      default: { $ref: "#/components/responses/error" },
    },
    security: securityOf(scopes),
  }
}

function serverOperation(one: ServerPath): Json {
  const { path, method, tag, summary, description, scopes, takes, answers, status = 200 } = one
  const schema = answers === "application/json" ? { type: "object" } : { type: "string" }
  return {
    operationId: operationId(method, path),
    tags: [tag],
    ...{ summary, ...(description !== undefined && { description }) },
    ...parameters(pathParameters(path)),
    ...(takes !== undefined && {
      requestBody: { required: true, content: { [takes]: { schema: { type: "object" } } } },
    }),
    responses: {
      [status]: { description: "OK", ...(answers !== "nothing" && { content: { [answers]: { schema } } }) },
      default: { description: "An error in the shape of this route." },
    },
    security: securityOf(scopes),
  }
}

/** One of the scopes is enough. */
function securityOf(scopes: readonly string[]): readonly Json[] {
  return scopes.map((scope) => ({ bearer: [scope] }))
}

/** Such as "post-api-sessions-session-messages". */
function operationId(method: string, path: string): string {
  return [method, ...path.split(/\W+/).filter((word) => word !== "")].join("-")
}

function parameters(found: readonly Json[]): Json {
  return found.length === 0 ? {} : { parameters: found }
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
  }))
}

function queryParameters(query: z.ZodType): readonly Json[] {
  const { properties = {}, required = [] } = jsonSchema(query, "input") as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: "query", required: required.includes(name), schema },
    ...(description !== undefined && { description }),
  }))
}

/** What a query is: an object whose fields are parameters. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>
  readonly required?: readonly string[]
}
