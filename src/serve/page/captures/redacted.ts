// What goes to the page without secrets. Clients write down what they see, keys too; our own record is redacted already.
import type { Redact } from "../../../record/write/record.ts"
import type { CallRow, ShownPart, ShownSpan } from "../shown.ts"

/** What a miss quotes. */
export async function redactedRows(rows: readonly CallRow[], redact: Redact): Promise<readonly CallRow[]> {
  const missed = rows.filter(({ miss }) => miss !== null)
  const texts = missed.flatMap(({ miss }) => [miss?.sentence ?? "", miss?.before ?? "", miss?.after ?? ""])
  const shown = await redact(texts)
  const misses = new Map(
    missed.map(({ id, miss }, at) => [id, miss && { ...miss, ...quoted(shown, at, miss) }]),
  )
  return rows.map((row) => ({ ...row, miss: misses.get(row.id) ?? null }))
}

function quoted(shown: readonly string[], at: number, miss: NonNullable<CallRow["miss"]>) {
  const [sentence = "", before = "", after = ""] = shown.slice(at * 3, at * 3 + 3)
  return {
    sentence,
    before: miss.before === null ? null : before,
    after: miss.after === null ? null : after,
  }
}

/** The stretches follow their texts, as far as a secret is within one of them. */
export async function redactedParts(
  parts: readonly ShownPart[],
  redact: Redact,
): Promise<readonly ShownPart[]> {
  const texts = await redact(parts.map(({ text }) => text))
  const shown: ShownPart[] = []
  for (const [at, part] of parts.entries()) {
    const text = texts[at] ?? ""
    shown.push(text === part.text ? part : { ...part, text, spans: await spansIn(part, text, redact) })
  }
  return withOwners(shown, redact)
}

/** What a tool was called with is part of its result's owner. */
async function withOwners(parts: readonly ShownPart[], redact: Redact): Promise<readonly ShownPart[]> {
  const owners = [...new Set(parts.flatMap(({ spans }) => spans.flatMap(({ owner }) => owner ?? [])))]
  const inputs = await redact(owners.map(({ input = "" }) => input))
  const known = new Map(
    owners.map((owner, at) => [
      owner,
      owner.input === inputs[at] || owner.input === undefined ? owner : { ...owner, input: inputs[at] },
    ]),
  )
  return parts.map((part) => ({
    ...part,
    spans: part.spans.map((span) => ({ ...span, owner: span.owner && (known.get(span.owner) ?? null) })),
  }))
}

async function spansIn(
  { text, spans }: ShownPart,
  shown: string,
  redact: Redact,
): Promise<readonly ShownSpan[]> {
  const pieces = await redact(spans.map(({ start, end }) => text.slice(start, end)))
  if (pieces.join("") !== shown) return [{ start: 0, end: shown.length, section: null, owner: null }]
  let start = 0
  return spans.map((span, at) => {
    const from = start
    start += pieces[at]?.length ?? 0
    return { ...span, start: from, end: start }
  })
}

export interface RedactedValue {
  readonly value: unknown
  /** Where something was removed, as JSON pointers. */
  readonly places: readonly string[]
}

/** Every string of a value, names of fields too. */
export async function redactedValue(value: unknown, redact: Redact): Promise<RedactedValue> {
  const texts: string[] = []
  mapTexts(value, (text) => {
    texts.push(text)
    return text
  })
  const shown = await redact(texts)
  const places: string[] = []
  let next = 0
  const changed = mapTexts(value, (text, placeOf) => {
    const now = shown[next++] ?? ""
    if (now !== text) places.push(placeOf(now))
    return now
  })
  return { value: places.length === 0 ? value : changed, places }
}

/** `placeOf`: where a text is, once it is known how it reads. */
type Change = (text: string, placeOf: (now: string) => string) => string

function mapTexts(value: unknown, change: Change, place = ""): unknown {
  if (typeof value === "string") return change(value, () => place)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item, at) => mapTexts(item, change, `${place}/${at}`))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      // A place must not tell what was removed from a name.
      const placeOf = (name: string) => `${place}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
      const name = change(key, placeOf)
      return [name, mapTexts(item, change, placeOf(name))]
    }),
  )
}
