// Importing an adapter loads what it needs of this package, and its host: no other host, and no table of tokens.
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { expect, test } from "vitest"

/** What the built entry imports at once, of us and of others, by way of all its modules. */
function loadedBy(entry: string) {
  const ours = new Set<string>()
  const others = new Set<string>()
  const waiting = [join("dist", "lib", `${entry}.js`)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (ours.has(file)) continue
    ours.add(file)
    for (const target of targetsIn(readFileSync(file, "utf8")))
      if (target.startsWith(".")) waiting.push(join(dirname(file), target))
      else others.add(target)
  }
  return { ours: [...ours], others: [...others].sort() }
}

function targetsIn(text: string): readonly string[] {
  return parseAst(text).body.flatMap((node) => {
    const hasSource = node.type === "ImportDeclaration" || node.type.startsWith("Export")
    const { source } = node as { readonly source?: { readonly value: string } | null }
    return hasSource && source ? [source.value] : []
  })
}

test.each([
  ["ai-sdk", []],
  ["claude-agent", []],
  ["langchain", ["langchain"]],
  ["openai-agents", []],
  ["pi", []],
  ["testing", []],
])("incipit/%s", (entry, hosts) => {
  const { ours, others } = loadedBy(entry)
  expect(others).toEqual(hosts)
  expect(ours.filter((file) => /vendor|ranks|record|prices/.test(file))).toEqual([])
})
