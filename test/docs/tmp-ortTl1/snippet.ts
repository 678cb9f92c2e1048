import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgent } from "incipit/agent"

const agent = await openAgent({ workspace: mkdtempSync(join(tmpdir(), "otto-")), model: "offline" })
const stream = agent.stream("Who are you?", { as: "mallory" })
let length = 0
for await (const event of stream) if (event.kind === "text") length += event.text.length
const { state, text } = await stream.reply
console.log(state, length === text.length)
await agent.close()
