// An agent inside a program: a tool of its own, two messages, what they cost. `node examples/programs/embed.ts` needs no
// key: without one the offline model answers, and what a provider's cache would have done is simulated.
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgent } from "incipit/agent"
import { defineTool } from "incipit/tools"
import { z } from "zod"

const workspace = mkdtempSync(join(tmpdir(), "lighthouse-"))
cpSync(join(import.meta.dirname, "..", "lighthouse"), workspace, { recursive: true })

/** In the place of the built-in tool of this name: notices ring a bell. */
const bell = defineTool({
  name: "notify_user",
  description: "Rings the bell of the tower and shows a notice under it.",
  input: z.strictObject({ text: z.string() }),
  trust: "familiar",
  run: ({ text }) => `The bell rang, and shows: ${text}`,
})

const agent = await openAgent({ workspace, tools: [bell] })
for (const message of ["Who are you?", "Notify me that the lamp is on"]) {
  const { text, cost } = await agent.send(message)
  const { uncached, read, write } = cost.usage
  const input = Object.values(write).reduce((sum, tokens) => sum + tokens, uncached + read)
  const hit = `${Math.round((100 * read) / input)} % of ${input} tokens from the cache`
  console.log(`> ${message}\n${text}\n(${hit}${cost.isSimulated ? ", simulated" : `, $${cost.costUsd}`})\n`)
}
await agent.close()
rmSync(workspace, { recursive: true })
