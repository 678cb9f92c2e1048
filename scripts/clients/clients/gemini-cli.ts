// Gemini CLI: pointed at a server by a variable, with a key as its way to sign in.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RealClient } from "../real-client.ts"

export const geminiCli: RealClient = {
  name: "gemini-cli",
  client: "gemini-cli",
  package: "@google/gemini-cli",
  version: "0.61.0",
  bin: "gemini",
  models: ["gemini-2.5-pro", "gemini-2.5-flash"],
  instructions: "GEMINI.md",
  skills: ".gemini/skills",
  exact: false,
  setUp({ home }, { server }) {
    mkdirSync(join(home, ".gemini"), { recursive: true })
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ...(server && {
        mcpServers: { [server.name]: { command: server.command, args: server.args, trust: true } },
      }),
    }
    writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings))
  },
  args: ({ text, isFirst, model }) => [
    "--approval-mode",
    "yolo",
    "--skip-trust",
    "-m",
    model,
    ...(isFirst ? [] : ["--resume", "latest"]),
    "-p",
    text,
  ],
  variables: ({ url }) => ({
    GEMINI_API_KEY: "fake",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
}
