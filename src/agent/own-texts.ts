// The agent's own texts, as its tools may change them: the instructions in AGENTS.md and the responsibilities in
// incipit.yaml.

import { basename, join } from "node:path"
import { errorCode } from "../core/system-error.ts"
import { NotReplaced, replaceFile } from "../files/replace-file.ts"
import { readBytes, withSafeFile } from "../files/safe-file.ts"
import { shownPath } from "../sources/configured-trust.ts"
import { withoutResponsibility } from "../sources/responsibilities.ts"
import type { Workspace } from "../sources/workspace.ts"
import { type OwnTexts, ToolFailure } from "../tools/host.ts"

export function ownTexts(workspace: () => Workspace): OwnTexts {
  const path = () => join(workspace().folder, "AGENTS.md")
  const configuration = () => join(workspace().root, "incipit.yaml")
  return {
    instructions: () => ({ path: shownPath(path(), workspace()), text: textAt(path()) }),
    writeInstructions: (text) => replace(path(), text.endsWith("\n") ? text : `${text}\n`),
    responsibilities: () => (workspace().config.responsibilities ?? []).map(({ title }) => title),
    withoutResponsibility(title) {
      const before = textAt(configuration()) ?? ""
      const after = withoutResponsibility(before, title)
      return after === undefined ? undefined : { path: "incipit.yaml", before, after }
    },
    writeResponsibilities: (text) => replace(configuration(), text),
  }
}

/** No larger file is one of these. */
const MOST_BYTES = 1024 * 1024

function replace(path: string, text: string): void {
  try {
    replaceFile({ path, before: "any", after: Buffer.from(text) })
  } catch (error) {
    const code = error instanceof NotReplaced ? error.why : errorCode(error)
    if (code === undefined) throw error
    throw new ToolFailure(`${basename(path)} cannot be changed (${code}).`)
  }
}

/** Nothing for a file that is not there. */
function textAt(path: string): string | undefined {
  const options = { followsLinks: true, mostBytes: MOST_BYTES }
  const found = withSafeFile(path, options, (file) => readBytes(file).toString("utf8"))
  if (found.kind === "opened") return found.value
  if (found.kind === "absent") return undefined
  const why = found.kind === "unavailable" ? found.reason : found.refused.why
  throw new ToolFailure(`${basename(path)} cannot be read (${why}).`)
}
