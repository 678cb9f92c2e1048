// Tricks with text: what takes a careless reader hours, gigabytes or its whole stack, and settings that are not settings.
import type { Trick } from "../place.ts"
import { put } from "./plant.ts"

const LONG = 900_000
const fill = (piece: string) => piece.repeat(Math.ceil(LONG / piece.length))
const TEXTS: Readonly<Record<string, string>> = {
  "one long line": fill("x"),
  headings: fill("# h\n"),
  "open braces": fill("{{"),
  "open conditions": fill("{% if x %}"),
  "open comments": fill("<!--"),
  "open brackets": fill("? ["),
  "open fences": fill("```\n"),
  "list items": fill("- a\n"),
  imports: fill("@a "),
  quotes: fill("> "),
  "deep lists": fill("  - "),
  tags: fill("<a"),
  frontmatter: `---\n${fill("[")}\n---\n`,
  "frontmatter keys": `---\n${fill("? a\n")}\n---\n`,
  "frontmatter aliases": `---\n${aliases()}\n---\n`,
  "control characters": fill("\u001b[2J\u0007\b\u009b\u202e\u{e0041}"),
  emphasis: fill("*a_b"),
}
const bomb = (name: string, text: string): Trick => ({
  name: `bombs: every text is full of ${name}`,
  plant: (place) => {
    const files = [
      "AGENTS.md",
      "SOUL.md",
      "USER.md",
      "rules/one.md",
      "memory/private/notes.md",
      "MEMORY.md",
      "skills/tea/SKILL.md",
      "workflows/ship.md",
      ".incipit/SYSTEM.md",
      ".gitignore",
      "IDENTITY.md",
    ]
    for (const file of files) put(place, file, text)
  },
})

function aliases(): string {
  return Array.from(
    { length: 12 },
    (_, n) => `a${n}: &a${n} [${n === 0 ? "x" : `*a${n - 1},`.repeat(12)}]`,
  ).join("\n")
}
const SETTINGS: Readonly<Record<string, string>> = {
  "aliases of aliases": aliases(),
  "deep brackets": "[".repeat(200_000),
  "deep braces": "a: ".concat("{a: ".repeat(100_000)),
  "deep indentation": Array.from({ length: 3_000 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"),
  "many keys": Array.from({ length: 60_000 }, (_, n) => `k${n}: 1`).join("\n"),
  "one long line": `profile: ${"x".repeat(1_000_000)}`,
  "the prototype":
    "__proto__: { polluted: yes }\nconstructor: { prototype: { polluted: yes } }\nmcp: { __proto__: { command: ./server.sh } }\nusers: { __proto__: { trust: full }, constructor: { trust: full } }\nprompt: { sections: { __proto__: { text: x }, toString: off } }\n",
  "tags of YAML":
    'hooks: !!js/function "function(){}"\nprofile: !!python/object/apply:os.system ["touch evil"]\nmodel: !!binary aGVsbG8=\n',
  "merge keys": `${"<<: ".repeat(2_000)}\n`,
  "an anchor that holds itself": "a: &a [*a]\nusers: &u { x: *u }\n",
  "bytes that are not text": "profile: \u0000\u0001\u0002\nmodel: \u001b[2J\n",
  "quoted newlines":
    'users: { "a\\nb\\u001b[2J": { trust: full } }\nmemory: { stores: { "x\\n/../..": full, "../../outside": full } }\nrooms: { "\\u202e": { trust: full } }\n',
}

export const BOMBS: readonly Trick[] = [
  ...Object.entries(TEXTS).map(([name, text]) => bomb(name, text)),
  ...Object.entries(SETTINGS).map(
    ([name, text]): Trick => ({
      name: `bombs: incipit.yaml has ${name}`,
      plant: (place) => void put(place, "incipit.yaml", text),
    }),
  ),
]
