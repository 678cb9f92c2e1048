// Every name of `incipit/memory` in use: notes in Markdown, by trust, found by their words.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { o200k } from "incipit"
import {
  type Memory,
  openMemory,
  type Recall,
  type SearchResult,
  type SharedMemory,
  type Store,
  type WriteResult,
} from "incipit/memory"

const root = mkdtempSync(join(tmpdir(), "incipit-"))
const stores: readonly Store[] = [
  { name: "shared", folder: join(root, "shared"), trust: "familiar" },
  { name: "private", folder: join(root, "private"), trust: "full" },
]
for (const { folder } of stores) mkdirSync(folder)
writeFileSync(join(root, "shared", "boats.md"), "# Boats\n\nThe Margareta leaves at 15:30.\n")
writeFileSync(
  join(root, "private", "keys.md"),
  "# Keys\n\nThe spare key of the Margareta is under the third step.\n",
)

const memory: Memory = openMemory({ stores, index: join(root, "index.db"), counter: o200k })

// A stranger to the private store finds nothing of it, and no trace that it is there.
const found: SearchResult = memory.search("Margareta", { trust: "familiar" })
console.log(
  found.hits.map(({ path }) => path),
  memory.search("Margareta", { trust: "full" }).hits.length,
)

const written: WriteResult = memory.write("The winch is repaired.", {
  trust: "full",
  by: "ada",
  store: "shared",
  now: 0,
})
console.log(written)

// One text for the prompt, within a budget; nothing if nothing is relevant enough.
const recalled: Recall = memory.recall("When does the Margareta leave?", { trust: "familiar", budget: 200 })
console.log(recalled.text)

console.log(memory.get("shared/boats.md", { trust: "familiar", from: 3, lines: 1 }))

// For the operator: why was this not found?
console.log(memory.whyNot("private/keys.md", "spare key", { trust: "familiar" }).kind)

// An agent's memory may be in a database: fetch what other processes wrote before you search it, and await what you write.
const shared: SharedMemory = memory
await shared.catchUp?.({ trust: "familiar" })
console.log((await shared.write("The winch is repaired.", { trust: "full", by: "ada", now: 0 })).status)

await memory.refresh({ rebuild: true })
console.log(memory.status({ trust: "full" }).stores.map(({ name, files }) => `${name}: ${files}`))

await memory.close()
rmSync(root, { recursive: true })
