// A process of its own that answers one message and is killed on the way: before or after the n-th change of its store,
// or from outside. What it does outside of the store can be counted: a line in a file for each act, a file for each
// answer that was handed over.

import { appendFileSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { openAgent } from "../../../src/agent/setup/open.ts"
import type { StoredReply } from "../../../src/database/contract/reply.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { RunnableTool } from "../../../src/tools/define-tool.ts"
import { dyingStore } from "./dying-store.ts"

export const MESSAGE = "Light the lamps."
export const MESSAGE_ID = "message-1"

/** Those that write; a kill around a question is one around the next of these. */
const WRITES: readonly string[] = [
  ...["create", "currentOrNew", "claim", "release"].map((name) => `sessions.${name}`),
  ...["inbox.receive", "inbox.begin", "transcripts.change"],
  ...["runs.start", "runs.withdraw", "runs.finish", "inbox.finish", "outbox.markSent"],
]

/** What a tool does shows in a file. `light` must not be done twice, `look` may; the endless lamp never burns. */
export function tools(root: string): readonly (RunnableTool & { readonly isRepeatable: boolean })[] {
  const acting = (name: string, isRepeatable: boolean) => ({
    ...{ name, isRepeatable, description: `Does ${name}.` },
    parameters: { type: "object", properties: { lamp: { type: "string" } } },
    async run(input: unknown) {
      // The server's scripts give it so.
      const { lamp } = input as { readonly lamp: string }
      appendFileSync(join(root, "acts"), `${name} ${lamp}\n`)
      if (lamp === "endless") await new Promise(() => {})
      return `${name} ${lamp}: done`
    },
  })
  return [acting("light", false), acting("look", true)]
}

/** Does no harm if it is called twice for one turn. */
export function sink(root: string): (reply: StoredReply) => void {
  return ({ turn, text }) => {
    appendFileSync(join(root, "handed"), `${turn}\n`)
    const path = join(root, `answer-${turn}`)
    if (!existsSync(path)) writeFileSync(path, text)
  }
}

if (import.meta.main) {
  const [, , root = "", at = ""] = process.argv
  const agent = await openAgent({
    workspace: root,
    home: join(root, "no-home"),
    state: join(root, ".incipit"),
    model: "anthropic/claude-sonnet-5-5",
    timeZone: "UTC",
    env: process.env,
    tools: tools(root),
    store: dyingStore(await openStore(join(root, ".incipit", "agent.db")), { at, writes: WRITES }),
    deliver: sink(root),
    // Nobody answers.
    approve: () => {
      appendFileSync(join(root, "asked"), "asked\n")
      return new Promise(() => {})
    },
  })
  await agent.resume()
  await agent.send(MESSAGE, { id: MESSAGE_ID, deliver: sink(root) })
  process.stdout.write("completed\n")
  await agent.close()
}
