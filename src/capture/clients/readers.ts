// All readers, in the order in which clients are shown. A call that several have counts where it is read first: body
// files have every request as it was sent, transcripts of older versions only a part.
import { AGENT_SDK, CLAUDE_CODE_BODIES } from "./claude-code/body-files.ts"
import { CLAUDE_CODE } from "./claude-code/claude-code.ts"
import { CODEX } from "./codex/codex.ts"
import { GEMINI_CLI } from "./gemini-cli.ts"
import { INCIPIT_RECORD, NAMED_RECORD } from "./incipit-record.ts"
import { JSON_LINES } from "./json-lines.ts"
import { OPENCODE } from "./opencode/opencode.ts"
import { OPENCLAW } from "./pi/openclaw.ts"
import { PI } from "./pi/pi.ts"
import type { CaptureReader } from "./reader.ts"

export const READERS: readonly CaptureReader[] = [
  CLAUDE_CODE_BODIES,
  CLAUDE_CODE,
  AGENT_SDK,
  CODEX,
  PI,
  OPENCODE,
  GEMINI_CLI,
  OPENCLAW,
  INCIPIT_RECORD,
  JSON_LINES,
]

/** For files and folders that somebody names: they may have come from elsewhere. */
export const READERS_OF_NAMED: readonly CaptureReader[] = READERS.map((reader) =>
  reader === INCIPIT_RECORD ? NAMED_RECORD : reader,
)
