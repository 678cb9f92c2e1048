// Inputs of tools that go into headers of the request as well, so that a proxy can route by them without reading the body.
// A tool's schema marks them with `x-mcp-header`; servers of the protocol of 2026-07-28 refuse a call without them.
import { isRecord } from "../../../base/is-record.ts"
import { isDeeperThan } from "../../../base/json-depth.ts"

/** One marked field of a schema. */
interface Marked {
  readonly path: readonly string[]
  readonly header: string
}

export interface InputHeaders {
  /** Takes over what a list of tools marks, and returns those that may be used: the protocol forbids the others. */
  take(tools: readonly unknown[]): { readonly tools: readonly unknown[]; readonly faults: readonly string[] }
  /** For one call. */
  of(tool: string, input: Readonly<Record<string, unknown>>): Readonly<Record<string, string>>
}

export function inputHeaders(): InputHeaders {
  const known = new Map<string, readonly Marked[]>()
  return {
    take(tools) {
      const faults: string[] = []
      const usable = tools.filter((tool) => {
        if (!isRecord(tool) || typeof tool.name !== "string") return true
        const found = markedIn(tool.inputSchema)
        if (typeof found !== "string") known.set(tool.name, found)
        else faults.push(`the tool ${JSON.stringify(tool.name)} ${found}; it was left out`)
        return typeof found !== "string"
      })
      return { tools: usable, faults }
    },
    of: (tool, input) =>
      Object.fromEntries(
        (known.get(tool) ?? []).flatMap(({ path, header }) => {
          const value = headerValue(valueAt(input, path))
          return value === undefined ? [] : [[`Mcp-Param-${header}`, value]]
        }),
      ),
  }
}

const MARK = "x-mcp-header"
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"])
/** A token of HTTP. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** No usable schema is deeper. */
const MOST_DEPTH = 40

/** The marked fields of a schema, or what is wrong with a mark. */
function markedIn(schema: unknown): readonly Marked[] | string {
  if (isDeeperThan(schema, MOST_DEPTH)) return []
  const found: Marked[] = []
  const fault = faultIn(schema, { path: [], isInput: true }, found)
  if (fault !== undefined) return fault
  const names = found.map(({ header }) => header.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? found : `sends two inputs in the same header, "${twice}"`
}

interface Place {
  readonly path: readonly string[]
  /** Whether the place stands for one field of the input: reached by `properties` alone. */
  readonly isInput: boolean
}

function faultIn(schema: unknown, { path, isInput }: Place, found: Marked[]): string | undefined {
  if (Array.isArray(schema)) return firstFault(schema, (one) => faultIn(one, { path, isInput: false }, found))
  if (!isRecord(schema)) return undefined
  if (MARK in schema) {
    const header = schema[MARK]
    if (!isInput || path.length === 0) return `marks a header where no single input is`
    if (typeof header !== "string" || !TOKEN.test(header))
      return `marks an input for a header without a valid name`
    if (!TYPES.has(schema.type))
      return `marks an input for a header that isn't a text, an integer or a boolean`
    found.push({ path, header })
  }
  return firstFault(Object.entries(schema), ([key, value]) => {
    if (DATA.has(key)) return undefined
    if (key !== "properties" || !isRecord(value)) return faultIn(value, { path, isInput: false }, found)
    return firstFault(Object.entries(value), ([name, one]) =>
      faultIn(one, { path: [...path, name], isInput }, found),
    )
  })
}

/** Keywords whose values are no schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"])

function firstFault<T>(items: readonly T[], faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    input,
  )
}

/** Undefined for what is not there or has no text of its own; the server then says what is wrong. */
function headerValue(value: unknown): string | undefined {
  if (typeof value === "boolean" || Number.isSafeInteger(value)) return String(value)
  if (typeof value !== "string") return undefined
  return isPlain(value) ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`
}

/** Whether it arrives as it was sent: no characters beyond ASCII, no space that is trimmed, and not like an encoded one. */
function isPlain(value: string): boolean {
  return /^[!-~](?:[\t -~]*[!-~])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
}
