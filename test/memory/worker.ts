// A process of its own for the tests of concurrency: searches, writes, rebuilds or swaps until it is told to stop, and
// prints one line of JSON about what it saw.
import { existsSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { openAt } from "./folder.ts"

const [, , path = "", role = "", rounds = "0"] = process.argv
const memory = openAt(path)
const seen = new Map<string, number>()
const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

for (let round = 0; round < Number(rounds); round += 1) {
  if (role === "search") note(searched())
  if (role === "write")
    note(
      memory.write(`lantern ${process.pid} round ${round}`, {
        trust: "familiar",
        by: `p${process.pid}`,
        path: "social/log.md",
        now: 0,
      }).status,
    )
  if (role === "rebuild") await memory.refresh({ rebuild: true }).then(() => note("rebuilt"))
  if (role === "delete") deleteIndex()
  if (role === "swap") swap()
  if (role === "get") note(JSON.stringify(memory.get("social/way/a.md", { trust: "familiar" })))
  await setImmediate()
}
await memory.close()
console.log(JSON.stringify(Object.fromEntries(seen)))

function searched(): string {
  const { status, hits } = memory.search("lighthouse lantern", { trust: "familiar" })
  return hits.some(({ text }) => text.includes("lighthouse")) ? "found" : `${status} ${hits.length}`
}

function deleteIndex(): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(path, "state", `memory.sqlite${end}`), { force: true })
  note("deleted")
}

/** The folder, and a link to the secret one, in turns. */
function swap(): void {
  const [way, real, link] = ["way", "real", "link"].map((name) => join(path, "memory/social", name)) as [
    string,
    string,
    string,
  ]
  if (!existsSync(link)) symlinkSync(join(path, "memory/private"), link)
  renameSync(way, real)
  renameSync(link, way)
  renameSync(way, link)
  renameSync(real, way)
}
