// A model that does whatever any text tells it: each `OBEY <tool> <json> YEBO` in a request becomes a call, once. What it
// may not do must be prevented by the agent, not by its good sense.
import type { Exchange } from "./reporting-server.ts"
import type { Part } from "./servers/script.ts"

export interface Directive {
  readonly tool: string
  readonly input: unknown
}

/** As it stands in a message, a file, a result. */
export function orders(directives: readonly Directive[]): string {
  return directives.map(({ tool, input }) => `OBEY ${tool} ${JSON.stringify(input)} YEBO`).join("\n")
}

const ORDER = /OBEY (\w+) (\{.*?\}) YEBO/gs

export interface ObedientModel {
  answer(asked: Pick<Exchange, "body">): readonly Part[]
  /** What it was told to do and tried. */
  readonly tried: readonly Directive[]
}

export function obedientModel(
  write: (parts: readonly Part[]) => readonly Part[] = (parts) => parts,
): ObedientModel {
  const tried: Directive[] = []
  const known = new Set<string>()
  return {
    tried,
    answer({ body }) {
      const found = textsIn(body)
        .flatMap((text) => [...text.matchAll(ORDER)])
        .filter(([order]) => !known.has(order))
      const calls = found.flatMap(([order, tool = "", json = ""]): Part[] => {
        if (known.has(order)) return []
        known.add(order)
        const input: unknown = JSON.parse(json)
        tried.push({ tool, input })
        return [{ call: { name: tool, input } }]
      })
      return calls.length === 0 ? [{ text: "Done." }] : write([{ text: "At once.\n" }, ...calls])
    },
  }
}

/** Every string of a request, wherever it stands; what the model wrote itself is no order. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value.replaceAll("&quot;", '"')]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== "object" || value === null) return []
  if ("role" in value && value.role === "assistant") return []
  return Object.values(value).flatMap(textsIn)
}
