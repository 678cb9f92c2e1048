// The real clients that are tried, in the order of the report.
import type { RealClient } from "../real-client.ts"
import { agentSdk } from "./agent-sdk.ts"
import { claudeCode } from "./claude-code.ts"
import { codex } from "./codex.ts"
import { geminiCli } from "./gemini-cli.ts"
import { openclaw } from "./openclaw.ts"
import { opencode } from "./opencode.ts"
import { pi } from "./pi.ts"

export const REAL_CLIENTS: readonly RealClient[] = [
  claudeCode,
  agentSdk,
  codex,
  pi,
  opencode,
  geminiCli,
  openclaw,
]
