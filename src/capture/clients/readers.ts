// All readers, in the order in which clients are shown.
import { CLAUDE_CODE } from "./claude-code.ts"
import { INCIPIT_RECORD } from "./incipit-record.ts"
import type { CaptureReader } from "./reader.ts"

export const READERS: readonly CaptureReader[] = [CLAUDE_CODE, INCIPIT_RECORD]
