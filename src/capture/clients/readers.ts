// All readers, in the order in which clients are shown.
import { CLAUDE_CODE } from "./claude-code.ts"
import type { CaptureReader } from "./reader.ts"

export const READERS: readonly CaptureReader[] = [CLAUDE_CODE]
