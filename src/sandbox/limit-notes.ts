// What to tell the model about a command that met a limit of the sandbox: its own output may not say so.
import { bytesText } from "../base/data-size.ts"
import type { CommandEnd } from "../tools/command-place.ts"
import type { SandboxLimits } from "./settings.ts"

/** How a shell reports a process that was ended by SIGXFSZ. */
const FILE_TOO_LARGE = 128 + 25

export function limitNotes({ code, isTooLong }: CommandEnd, limits: SandboxLimits): readonly string[] {
  if (isTooLong)
    return [`[it printed more than the sandbox allows, ${bytesText(limits.outputBytes)}, and was ended]`]
  if (code !== FILE_TOO_LARGE) return []
  return [`[a file became larger than the sandbox allows, ${bytesText(limits.fileBytes)}]`]
}
