// Codex: a provider of our own in its config.toml. Its rollouts hold instructions and usage, not tools.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RealClient } from "../real-client.ts"

export const codex: RealClient = {
  name: "codex",
  client: "codex",
  package: "@openai/codex",
  version: "0.166.0",
  bin: "codex",
  models: ["gpt-5.5", "gpt-5.4"],
  instructions: "AGENTS.md",
  skills: ".agents/skills",
  exact: false,
  setUp({ tree, home, url }, { server, webServer, model }) {
    mkdirSync(join(home, ".codex"), { recursive: true })
    const quoted = (value: unknown) => JSON.stringify(value)
    const lines = [
      `model = ${quoted(model)}`,
      'model_provider = "fake"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      "check_for_update_on_startup = false",
      "[analytics]",
      "enabled = false",
      "[model_providers.fake]",
      'name = "fake"',
      `base_url = ${quoted(`${url}/v1`)}`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      "request_max_retries = 1",
      "stream_max_retries = 1",
      "supports_websockets = false",
      `[projects.${quoted(tree)}]`,
      'trust_level = "trusted"',
      ...(server === undefined
        ? []
        : [
            `[mcp_servers.${server.name}]`,
            `command = ${quoted(server.command)}`,
            `args = ${quoted(server.args)}`,
            ...WAITED_FOR,
          ]),
      ...(webServer === undefined
        ? []
        : [
            `[mcp_servers.${webServer.name}]`,
            `url = ${quoted(webServer.url)}`,
            `http_headers = { Authorization = ${quoted(`Bearer ${webServer.secret}`)} }`,
            ...WAITED_FOR,
          ]),
    ]
    writeFileSync(join(home, ".codex/config.toml"), `${lines.join("\n")}\n`)
  },
  args: ({ text, isFirst }) => ["exec", ...(isFirst ? [] : ["resume", "--last"]), text],
  variables: ({ home }) => ({ CODEX_HOME: join(home, ".codex"), OPENAI_API_KEY: "sk-fake" }),
}

/** Else the first turn begins without the server's tools. */
const WAITED_FOR = ["required = true", "startup_timeout_sec = 120"]
