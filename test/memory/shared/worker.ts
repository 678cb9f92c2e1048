// A process of its own: adds entries to one document that others write at the same time, and prints what became of them.
import { openMachine } from "./machine.ts"

const [, , path = "", url = "", name = "", rounds = "0"] = process.argv
const machine = await openMachine(path, url)
const seen: Record<string, number> = {}
for (let round = 0; round < Number(rounds); round += 1) {
  const result = await machine.memory.write(`lantern ${name} round ${round}`, {
    ...{ trust: "familiar", by: name, path: "social/log.md", now: 0 },
  })
  const became = result.status === "refused" ? `refused: ${result.why}` : result.status
  seen[became] = (seen[became] ?? 0) + 1
}
await machine.close()
console.log(JSON.stringify(seen))
