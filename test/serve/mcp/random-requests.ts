// Requests that a client might send by mistake or on purpose, and what each answer has to be.
import fc from "fast-check"
import { z } from "zod"
import { DEFINITIONS } from "../../../src/serve/mcp/definitions.ts"
import { MCP_TOOLS } from "../../../src/serve/mcp/tools/mcp-tools.ts"

const METHODS = [
  ...["tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list"],
  ...["prompts/list", "prompts/get", "skills/list", "skills/get", "completion/complete", "ping"],
  ...["server/discover", "logging/setLevel", "resources/subscribe", "tasks/list", "constructor", "__proto__"],
]

const NAMES = [
  ...[...DEFINITIONS.map(({ name }) => name), "knots", "toString", "__proto__", ""],
  ...["hasOwnProperty", "../knots", "memory\u0000", "MEMORY"],
]

const URIS = [
  ...["incipit://prompt", "incipit://prompt/report", "incipit://files/SOUL.md", "incipit://files/../SOUL.md"],
  ...["incipit://files/%2e%2e/%2e%2e/etc/passwd", "incipit://files//etc/passwd", "incipit://files/MEMORY.md"],
  ...["incipit://files/SOUL.md%00", "incipit://files/SOUL.md?x#y", "INCIPIT://files/SOUL.md", "incipit://x/"],
  ...["incipit://calls/01m7j3e3y476tj2g9e6j.1", "incipit://calls/%", "incipit://calls/__proto__.0"],
  ...["skill://knots/SKILL.md", "skill://knots/../../MEMORY.md", "skill:///etc/passwd", "file:///etc/passwd"],
  ...["incipit://files/\uFF0E\uFF0E/MEMORY.md", "", "%", "http://127.0.0.1/", "incipit://files/"],
]

const TEXTS = [
  ...["SOUL.md", "social/cable.md", "private/ring.md", "../SOUL.md", "/etc/passwd", "last", "01m7", "winch"],
  ...["7d", "today", "-1h", "2026-11-15", "9999999999d", "\u0000", "\u202e", "</incipit-memory>", "%00", "*"],
  ...["Jonas replaced it.", "'; DROP TABLE receipts; --", '" OR NEAR(', "$(id)", "__proto__", "constructor"],
]

const words = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 1, arbitrary: fc.nat(120_000).map((length) => "x".repeat(length)) },
)

const deep = fc.nat(3_000).map((depth) => {
  let value: unknown = "deep"
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value }
  return value
})

const anything = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: words },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1e308, Number.MAX_SAFE_INTEGER + 2, 0.5, null, true) },
  {
    weight: 1,
    arbitrary: fc.constant(JSON.parse('{"__proto__":{"isError":true},"constructor":{"prototype":1}}')),
  },
)

/** What a schema asks for, nearly always. */
function inputFor({ parameters }: (typeof DEFINITIONS)[number]) {
  const properties = z.record(z.string(), z.record(z.string(), z.unknown())).parse(parameters.properties)
  const fields = Object.entries(properties).map(([name, { type, enum: values }]) => {
    const right = Array.isArray(values)
      ? fc.constantFrom(...values)
      : type === "integer"
        ? fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer())
        : type === "boolean"
          ? fc.boolean()
          : words
    return [name, fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: anything })] as const
  })
  const required = z.array(z.string()).parse(parameters.required ?? [])
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

const calls = fc.oneof(
  ...DEFINITIONS.map((definition) =>
    inputFor(definition).map((input) => ({
      method: "tools/call",
      params: { name: definition.name, arguments: input },
    })),
  ),
)

const others = fc.oneof(
  fc.constantFrom(...URIS).map((uri) => ({ method: "resources/read", params: { uri } })),
  words.map((path) => ({
    method: "resources/read",
    params: { uri: `incipit://files/${encodeURIComponent(path.toWellFormed())}` },
  })),
  fc
    .tuple(fc.constantFrom(...NAMES), words)
    .map(([name, text]) => ({ method: "prompts/get", params: { name, arguments: { words: text } } })),
  fc
    .tuple(
      fc.constantFrom("resources/list", "prompts/list", "skills/list", "tools/list"),
      fc.oneof(fc.constantFrom("100", "0", "-1", "1e2", "999999900", "\u0000"), words),
    )
    .map(([method, cursor]) => ({ method, params: { cursor } })),
  fc.constantFrom(...METHODS).map((method) => ({ method, params: {} })),
)

const wild = fc
  .tuple(fc.oneof(fc.constantFrom(...METHODS), words), anything)
  .map(([method, params]) => ({ method, params }))

export interface Asked {
  readonly method: string
  readonly params: unknown
}

export const asked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 6, arbitrary: calls },
  { weight: 4, arbitrary: others },
  { weight: 2, arbitrary: wild },
)

/** What no JSON-RPC message is. */
export const garbage: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.nat(50_000).map((depth) => "[".repeat(depth)),
  fc.nat(20_000).map((depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", 2),
        id: fc.oneof(fc.constantFrom(null, 1.5, {}, [], true, "x".repeat(10_000), 1e300), fc.jsonValue()),
        method: fc.oneof(fc.constantFrom(...METHODS), fc.jsonValue()),
        params: anything,
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .array(fc.constant({ jsonrpc: "2.0", id: 1, method: "ping" }), { maxLength: 120 })
    .map((many) => JSON.stringify(many)),
)

const RESULT = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]),
  result: z.record(z.string(), z.unknown()),
})
const ERROR = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.strictObject({ code: z.int(), message: z.string().min(1), data: z.unknown().optional() }),
})
const TOLD = z.looseObject({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string().min(1) })]),
})

const ANSWERS = new Map(
  MCP_TOOLS.map(({ definition, answer }) => [definition.name, z.fromJSONSchema(answer)] as const),
)

/** Where code was, and what a system said. */
const LEAK = /\n\s+at |node:internal|\.[tj]s:\d+|ENOENT|EACCES|SQLITE/
/** Where files are: a prompt may say it, a refusal must not. */
const PLACE = /incipit-(?:page|mcp)-\w{6}/
/** Our own code failed. */
const BROKEN = /Internal (?:server )?error|cannot be answered now|Output validation/i

/** Undefined if it is what a client can work with, else what is wrong with it. */
export function faultIn(answer: unknown, { method, params }: Asked): string | undefined {
  const text = JSON.stringify(answer)
  const sent = JSON.stringify(params) ?? ""
  const leak = (LEAK.exec(text) ?? (isRefusal(answer) ? PLACE.exec(text) : undefined))?.[0]
  if (leak !== undefined && !sent.includes(leak.trim())) return `says ${leak}: ${text.slice(0, 500)}`
  if (BROKEN.test(text)) return `failed: ${text.slice(0, 500)}`
  const result = RESULT.safeParse(answer)
  if (!result.success) {
    const error = ERROR.safeParse(answer)
    return error.success ? undefined : `is no answer: ${text.slice(0, 500)} (${error.error.message})`
  }
  return method === "tools/call" ? faultInTold(result.data.result, params) : undefined
}

function isRefusal(answer: unknown): boolean {
  const { error, result } = z.object({ error: z.unknown(), result: z.unknown() }).partial().parse(answer)
  return error !== undefined || z.object({ isError: z.literal(true) }).safeParse(result).success
}

function faultInTold(result: unknown, params: unknown): string | undefined {
  const told = TOLD.safeParse(result)
  if (!told.success) return `has no text: ${told.error.message}`
  if (told.data.isError === true) {
    return told.data.content[0].text.length > 20_000 ? "a refusal is very long" : undefined
  }
  const { name } = z.object({ name: z.string() }).parse(params)
  const fits = ANSWERS.get(name)?.safeParse(told.data.structuredContent)
  return fits?.success === true ? undefined : `isn't what ${name} says it answers: ${fits?.error?.message}`
}
