// One turn with the Claude Agent SDK that was installed in the cache folder: `node agent-sdk-program.ts JSON`.
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"

const { text, isFirst, model, server, modules } = JSON.parse(process.argv[2] ?? "{}")
const entry = join(modules, "@anthropic-ai/claude-agent-sdk/sdk.mjs")
const { query } = await import(pathToFileURL(entry).href)
const mcpServers = server && { [server.name]: { command: server.command, args: server.args } }
for await (const message of query({
  prompt: text,
  options: {
    model,
    continue: !isFirst,
    permissionMode: "bypassPermissions",
    allowDangerouslySkipPermissions: true,
    settingSources: ["user", "project", "local"],
    systemPrompt: { type: "preset", preset: "claude_code" },
    ...(mcpServers && { mcpServers }),
  },
}))
  if (message.type === "result") process.stdout.write(`${message.result ?? message.subtype}\n`)
