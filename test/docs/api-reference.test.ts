// The pages of the API reference from invented declarations: what they show, and what they refuse.
import { expect, test } from "vitest"
import type { Declarations, Declared } from "../../scripts/api/declarations.ts"
import { pagesOf } from "../../scripts/api/pages.ts"

function declared(
  key: string,
  signature: string,
  mentions: readonly string[] = [],
  comment = "It is one.",
): Declared {
  const name = key.slice(key.indexOf("#") + 1)
  return { key, name, isType: !signature.startsWith("function"), signature, comment, mentions }
}

function declarations(
  all: readonly Declared[],
  files: Readonly<Record<string, readonly string[]>>,
): Declarations {
  const entries = Object.entries(files).map(([file, keys]) => ({
    file,
    intro: `All of ${file}.`,
    exported: keys.map((key) => ({ key, name: key.slice(key.indexOf("#") + 1) })),
  }))
  return { entries, declared: new Map(all.map((one) => [one.key, one])) }
}

const boat = declared(
  "a#Boat",
  "interface Boat {\n  readonly crew: Crew\n}",
  ["a#Crew"],
  "A boat. It floats.",
)
const crew = declared("a#Crew", "type Crew = string")
const sail = declared("a#sail", "function sail(boat: Boat): void", ["a#Boat"], "Sails | rows a boat.")
const Sail = declared("a#Sail", "type Sail = 1", ["a#Boat"])
const usages = new Map([["incipit sail", { path: "examples/api/incipit.ts", code: "sail(boat)" }]])

test("a page has signatures, sentences, links and examples; types are shown where they are used", () => {
  const pages = pagesOf(
    declarations([boat, crew, sail], { incipit: ["a#Boat", "a#sail"], render: ["a#Boat"] }),
    usages,
  )
  expect(pages.get("docs/reference/api/incipit.md")).toBe(`# incipit

All of incipit.

| function or value | |
|---|---|
| [\`sail\`](#sail) | Sails \\| rows a boat. |

| type | |
|---|---|
| [\`Boat\`](#boat) | A boat. |

## sail

Sails | rows a boat.

\`\`\`typescript
function sail(boat: Boat): void
\`\`\`

Types: [\`Boat\`](#boat).

Example, from [examples/api/incipit.ts](../../../examples/api/incipit.ts):

\`\`\`typescript
sail(boat)
\`\`\`

## Boat

A boat. It floats.

\`\`\`typescript
interface Boat {
  readonly crew: Crew
}
\`\`\`

Example: see [\`sail\`](#sail).

## Other types

Mentioned above, and not exported by name from incipit or another entry.

\`\`\`typescript
/** It is one. */
type Crew = string
\`\`\`
`)
  expect(pages.get("docs/reference/api/render.md")).toBe(
    "# incipit/render\n\nAll of render.\n\nAlso exported here: [`Boat`](incipit.md#boat).\n",
  )
})

test("two headings that differ only in case have two anchors", () => {
  const uses = new Map([...usages, ["incipit Sail", { path: "examples/api/incipit.ts", code: "Sail" }]])
  const pages = pagesOf(declarations([boat, sail, Sail], { incipit: ["a#sail", "a#Sail", "a#Boat"] }), uses)
  const page = pages.get("docs/reference/api/incipit.md") ?? ""
  expect([...page.matchAll(/^\| \[`(\w+)`\]\((\S+)\)/gm)].map(([, name, link]) => [name, link])).toEqual([
    ["sail", "#sail"],
    ["Boat", "#boat"],
    ["Sail", "#sail-1"],
  ])
})

test("a name without a sentence, and one that no program shows, are refused by name", () => {
  const silent = declared("a#row", "function row(): void", [], "")
  const make = () => pagesOf(declarations([silent, crew], { render: ["a#row", "a#Crew"] }), usages)
  expect(make).toThrow(`The API reference is incomplete:
incipit/render: row has no doc comment; write one sentence that says what it is for
incipit/render: row is in no example; use it in examples/api/render.ts, or stop exporting it
incipit/render: Crew is in no example; use it in examples/api/render.ts, or stop exporting it`)
})
