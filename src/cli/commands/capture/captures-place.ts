// Where captured calls are kept on this machine, and opening the record of them.
import { type Captures, openCaptures } from "../../../capture/keep/open-captures.ts"
import { type CaptureFiles, captureFiles, stateHome } from "../../../files/paths.ts"
import type { Terminal } from "../../terminal.ts"

export function capturesPlace({ home, cwd, env }: Pick<Terminal, "home" | "cwd" | "env">): CaptureFiles {
  return captureFiles(stateHome({ home: home ?? cwd, env }))
}

export async function openCapturesFor(terminal: Terminal, metadataOnly: boolean): Promise<Captures> {
  // The price table is slow to load.
  const { priceFor } = await import("../../../record/prices/prices.ts")
  return openCaptures({
    ...{ files: capturesPlace(terminal), variables: terminal.env, now: terminal.now, metadataOnly },
    priceOf: (model, at) => priceFor(model, { at }),
  })
}
