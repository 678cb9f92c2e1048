// All readers, in the order in which clients are shown.
import { CLAUDE_CODE } from "./claude-code.ts"
import { CODEX } from "./codex/codex.ts"
import { GEMINI_CLI } from "./gemini-cli.ts"
import { INCIPIT_RECORD } from "./incipit-record.ts"
import { JSON_LINES } from "./json-lines.ts"
import { OPENCODE } from "./opencode/opencode.ts"
import { OPENCLAW } from "./pi/openclaw.ts"
import { PI } from "./pi/pi.ts"
import type { CaptureReader } from "./reader.ts"

export const READERS: readonly CaptureReader[] = [
  CLAUDE_CODE,
  CODEX,
  PI,
  OPENCODE,
  GEMINI_CLI,
  OPENCLAW,
  INCIPIT_RECORD,
  JSON_LINES,
]
