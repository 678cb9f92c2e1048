// OpenClaw: a provider of our own in its openclaw.json. Its sessions are in a database of each agent.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RealClient } from "../real-client.ts"

export const openclaw: RealClient = {
  name: "openclaw",
  client: "openclaw",
  package: "openclaw",
  version: "2026.9.6",
  bin: "openclaw",
  models: ["claude-sonnet-4-5", "claude-opus-4-5"],
  instructions: "AGENTS.md",
  skills: "skills",
  exact: false,
  setUp({ tree, home, url }, { server }) {
    const folder = join(home, ".openclaw")
    mkdirSync(folder, { recursive: true })
    const models = openclaw.models.map((id) => ({ id, name: id, contextWindow: 200_000, maxTokens: 8_192 }))
    const settings = {
      agents: {
        defaults: {
          workspace: tree,
          model: { primary: `anthropic/${openclaw.models[0]}` },
          skipBootstrap: true,
        },
      },
      models: {
        mode: "merge",
        providers: {
          anthropic: { baseUrl: url, apiKey: "sk-fake", api: "anthropic-messages", models },
        },
      },
      tools: { exec: { security: "full", ask: "off" } },
      gateway: { mode: "local" },
      ...(server && {
        mcp: { servers: { [server.name]: { command: server.command, args: server.args } } },
      }),
    }
    writeFileSync(join(folder, "openclaw.json"), JSON.stringify(settings))
  },
  args: ({ text, model }) => [
    "agent",
    "--local",
    ...["--agent", "main", "--session-id", "lighthouse"],
    ...["--model", `anthropic/${model}`],
    ...["-m", text],
  ],
  variables: ({ home }) => ({
    OPENCLAW_STATE_DIR: join(home, ".openclaw"),
    OPENCLAW_DISABLE_TELEMETRY: "1",
  }),
}
