// pi: a base URL in its models.json. It has no MCP, so the tool that is added comes with an extension.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { McpServer, RealClient } from "../real-client.ts"

export const pi: RealClient = {
  name: "pi",
  client: "pi",
  package: "@earendil-works/pi-coding-agent",
  version: "0.87.1",
  bin: "pi",
  models: ["claude-sonnet-4-5", "claude-opus-4-5"],
  instructions: "AGENTS.md",
  skills: ".pi/skills",
  exact: false,
  setUp({ home, url }) {
    mkdirSync(join(home, ".pi/agent"), { recursive: true })
    const providers = { anthropic: { baseUrl: url, apiKey: "fake" } }
    writeFileSync(join(home, ".pi/agent/models.json"), JSON.stringify({ providers }))
  },
  args: ({ text, isFirst, model, server }) => [
    "--offline",
    "--approve",
    "--provider",
    "anthropic",
    "--model",
    model,
    // Fewer tools before, all of them after: the same as one that is added.
    ...["--tools", server === undefined ? TOOLS.join() : toolsBeside(server)],
    "-p",
    ...(isFirst ? [] : ["-c"]),
    text,
  ],
  variables: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0", ANTHROPIC_API_KEY: "fake" }),
}

const TOOLS = ["read", "bash", "edit", "write"]

/** In the other order once that of the server's tools has changed. */
function toolsBeside({ args }: McpServer): string {
  const tools = [...TOOLS, "grep"]
  return (args.at(-1)?.startsWith("lower") ? tools.toReversed() : tools).join()
}
