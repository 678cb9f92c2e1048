// Claude Code: pointed at a server by a variable. Its transcripts hold what is needed to rebuild requests.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Ask, Place, RealClient } from "../real-client.ts"

export const claudeCode: RealClient = {
  name: "claude-code",
  client: "claude-code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  bin: "claude",
  models: ["claude-sonnet-5-5", "claude-opus-5-5"],
  instructions: "CLAUDE.md",
  skills: ".claude/skills",
  exact: true,
  setUp({ home }, servers) {
    writeFileSync(serversFile(home), JSON.stringify({ mcpServers: serversOf(servers) }))
  },
  args: ({ text, isFirst, model, ...servers }, { home }) => [
    "--dangerously-skip-permissions",
    "--model",
    model,
    ...(Object.keys(serversOf(servers)).length === 0 ? [] : ["--mcp-config", serversFile(home)]),
    "-p",
    ...(isFirst ? [] : ["-c"]),
    text,
  ],
  variables: claudeVariables,
}

function serversOf({
  server,
  webServer,
}: Pick<Ask, "server" | "webServer">): Readonly<Record<string, unknown>> {
  return {
    ...(server && { [server.name]: { command: server.command, args: server.args } }),
    ...(webServer && {
      [webServer.name]: {
        ...{ type: "http", url: webServer.url },
        headers: { Authorization: `Bearer ${webServer.secret}` },
      },
    }),
  }
}

function serversFile(home: string): string {
  return join(home, "servers.json")
}

export function claudeVariables({ url, bodies }: Place): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    IS_SANDBOX: "1",
    OTEL_LOG_RAW_API_BODIES: `file:${bodies}`,
  }
}
