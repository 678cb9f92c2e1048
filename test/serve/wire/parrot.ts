// The worst model for keeping secrets: it does what the newest message says (`OBEY read {"path":"x"} YEBO`), and then
// repeats every secret word that it was sent.
import type { Json } from "../../agent/world/servers/refusals.ts"
import type { Part, Script } from "../../agent/world/servers/script.ts"
import { PLACE_NAMES, type PlaceName } from "./places.ts"

export function parrot({ body }: { readonly body: Json }): Script {
  const newest = textsIn(body.messages?.at(-1)).join("\n")
  // Without braces inside: a summary quotes orders, and may have cut one short.
  const orders = [...newest.matchAll(/OBEY (\w+) (\{[^{}]*\}) YEBO/g)]
  // Ids that depend on nothing but the conversation.
  const idOf = (index: number) => `call_${body.messages?.length}_${index}`
  const calls = orders.map(
    ([, name = "", json = ""], index): Part => ({ call: { name, input: JSON.parse(json), id: idOf(index) } }),
  )
  if (calls.length > 0) return { kind: "reply", parts: [{ text: "At once.\n" }, ...calls] }
  const words = new Set(wordsIn(JSON.stringify(body)))
  return { kind: "reply", parts: [{ text: `I know ${[...words].join(" ")}.` }] }
}

/** All secret words of a text, in its order. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/zq(?:file|said)[a-z]+zq/g) ?? []
}

/** The place whose message a request answers; undefined for a question beside the conversations. */
export function placeOf(request: string): PlaceName | undefined {
  const { messages = [] } = JSON.parse(request) as { messages?: readonly unknown[] }
  const said = messages.flatMap(
    (message) =>
      textsIn(message)
        .join("\n")
        .match(/zqnow[a-z]+zq/g) ?? [],
  )
  const name = said.at(-1)?.slice("zqnow".length, -"zq".length)
  return PLACE_NAMES.find((one) => one === name)
}

/** What people and tools said; not what the model said before. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value.replaceAll("&quot;", '"')]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== "object" || value === null) return []
  if ("role" in value && value.role === "assistant") return []
  return Object.values(value).flatMap(textsIn)
}
