// A chat that comes back from a client may have been changed in any place: it is refused or compiled, and nothing else.
import fc from "fast-check"
import { expect, test } from "vitest"
import { compileInline } from "../../../src/serve/api/compile/inline-chat.ts"
import { inlineSchema } from "../../../src/serve/api/compile/inline-schema.ts"
import { SurfaceError } from "../../../src/serve/talk/surface-error.ts"

const body = inlineSchema.parse({
  sections: [
    { id: "rules", text: "Be brief." },
    { id: "who", text: "Ada.", pace: "session" },
    { id: "now", text: "Noon.", pace: "turn" },
  ],
  tools: [{ name: "weather" }],
  target: { format: "anthropic", model: "claude-sonnet-5-5" },
  message: "Rain?",
})
const { chat } = compileInline(body)
const output = [{ type: "tool_use", id: "t1", name: "weather", input: {} }]
const waiting = compileInline({ ...body, message: undefined, chat: { ...chat }, output }).chat

/** Paths to all values of a chat. */
function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, key]))]
}

function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? changed(item, rest, to) : item))
  return { ...(value as object), [key]: changed((value as Record<string, unknown>)[key], rest, to) }
}

test("a damaged chat is refused with its field, or compiled", () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(undefined, -1, 1e308, "__proto__", [], {}),
  )
  const places = fc.constantFrom(
    ...pathsIn(chat).map((path) => [chat, path] as const),
    ...pathsIn(waiting).map((path) => [waiting, path] as const),
  )
  fc.assert(
    fc.property(places, values, fc.boolean(), ([saved, path], to, isAnswer) => {
      const next = isAnswer
        ? { results: [{ id: "t1", output: 1 }], message: undefined }
        : { message: "And now?" }
      // As JSON would bring it.
      const damaged = JSON.parse(JSON.stringify(changed(saved, path, to) ?? null))
      const parsed = inlineSchema.safeParse({ ...body, ...next, chat: damaged })
      if (!parsed.success) return
      try {
        compileInline(parsed.data)
      } catch (error) {
        expect(error).toBeInstanceOf(SurfaceError)
      }
    }),
    { numRuns: 200 },
  )
})
