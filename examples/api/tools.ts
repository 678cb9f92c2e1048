// Every name of `incipit/tools` in use: a custom tool, and the tools of memory outside of an agent.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { o200k } from "incipit"
import { openMemory } from "incipit/memory"
import { openRecord } from "incipit/record"
import { defineTool, MEMORY_TOOLS, type Run, type RunnableTool, type ToolContext } from "incipit/tools"
import { z } from "zod"

// The schema is what the model reads, what its input is checked by, and the type that `run` gets.
const ring: Run<{ times: number }> = ({ times }, { user }) =>
  `Rung ${times} times for ${user ?? "the owner"}.`
const bell: RunnableTool = defineTool({
  name: "ring",
  description: "Rings the bell of the tower.",
  input: z.strictObject({ times: z.number().int().min(1) }),
  trust: "familiar",
  run: ring,
})

// An agent calls it with a context; so can you.
const folder = mkdtempSync(join(tmpdir(), "incipit-"))
const record = openRecord(join(folder, "record.db"))
const memory = openMemory({
  stores: [{ name: "shared", folder, trust: "familiar" }],
  index: join(folder, "index.db"),
  counter: o200k,
})
const caller = { session: "s1", user: "ada", trust: "familiar", situation: "dm", isOwner: false } as const
const context: ToolContext = { ...caller, record, memory, now: () => 0, timeZone: "UTC", counter: o200k }
console.log(await bell.run({ times: 3 }, context))
await bell.run({ times: 0 }, context).catch((error: Error) => console.log(error.message))

// `openAgent` has these already. In your own loop, register them, and run what the model calls.
const write = MEMORY_TOOLS.find(({ name }) => name === "memory_write")
console.log(await write?.run({ text: "The winch is repaired." }, context))

await memory.close()
await record.close()
rmSync(folder, { recursive: true })
