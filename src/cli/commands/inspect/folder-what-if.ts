// What If for a folder: the prompt that `build` compiles, for whomever the page asks. Read-only: a patch can be copied,
// and nothing is written.
import { IncipitError } from "../../../base/error.ts"
import type { PageCall } from "../../../serve/page/page-call.ts"
import { type InspectPrompt, STRANGER, whatIfRoutes } from "../../../serve/page/what-if/what-if-routes.ts"
import { SurfaceError } from "../../../serve/talk/surface-error.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import { compileFromFlags, type PromptFlags } from "../prompt/resolve.ts"

export function folderWhatIf(flags: FlagsOf<"inspect">, terminal: Terminal) {
  const inspectFolder: InspectPrompt<PageCall> = async (asked) => {
    const { user, situation, agent, mode, message } = asked
    const who: PromptFlags = user === null ? { as: undefined, channel: STRANGER } : { as: user ?? flags.as }
    const given = { ...flags, ...who, in: situation ?? flags.in, agent, mode, message }
    const { prompt, input } = await compileFromFlags(given, terminal).catch(refused)
    return { ...input, prompt }
  }
  return whatIfRoutes(inspectFolder, { mayApply: false })
}

/** What is wrong with the folder now, or with what was asked for. */
function refused(error: unknown): never {
  if (!(error instanceof IncipitError)) throw error
  throw new SurfaceError(422, error.code, `${error.message}.`)
}
