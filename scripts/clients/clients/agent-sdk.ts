// The Claude Agent SDK: a library, so a small program asks it. It keeps the transcripts of Claude Code, and body files.
import { fileURLToPath } from "node:url"
import type { RealClient } from "../real-client.ts"
import { claudeCode, claudeVariables } from "./claude-code.ts"

export const agentSdk: RealClient = {
  ...claudeCode,
  name: "agent-sdk",
  client: "agent-sdk",
  package: "@anthropic-ai/claude-agent-sdk",
  version: "0.3.325",
  bin: "node",
  args: ({ text, isFirst, model, server }, { modules }) => [
    fileURLToPath(new URL("../agent-sdk-program.ts", import.meta.url)),
    JSON.stringify({ text, isFirst, model, server, modules }),
  ],
  variables: claudeVariables,
}
