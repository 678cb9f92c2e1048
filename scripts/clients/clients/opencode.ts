// OpenCode: a base URL for one of its providers in opencode.json. Its sessions are in a database.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RealClient } from "../real-client.ts"

export const opencode: RealClient = {
  name: "opencode",
  client: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  bin: "opencode",
  models: ["claude-sonnet-4-5", "claude-opus-4-5"],
  instructions: "AGENTS.md",
  skills: ".opencode/skills",
  exact: false,
  setUp({ home, url }, { server, model }) {
    const folder = join(home, ".config/opencode")
    mkdirSync(folder, { recursive: true })
    const named = (name: string) => ({ name, limit: { context: 200_000, output: 8_000 }, tool_call: true })
    const models = Object.fromEntries([...opencode.models, "claude-haiku-4-5"].map((id) => [id, named(id)]))
    const settings = {
      autoupdate: false,
      share: "disabled",
      model: `anthropic/${model}`,
      small_model: "anthropic/claude-haiku-4-5",
      enabled_providers: ["anthropic"],
      provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: "fake" }, models } },
      ...(server && {
        mcp: { [server.name]: { type: "local", command: [server.command, ...server.args], enabled: true } },
      }),
    }
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings))
  },
  args: ({ text, isFirst, model }) => [
    "run",
    "--auto",
    "--pure",
    "-m",
    `anthropic/${model}`,
    ...(isFirst ? [] : ["-c"]),
    text,
  ],
  variables: () => ({
    ANTHROPIC_API_KEY: "fake",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  }),
}
