// The agent's own texts, as its tools may change them: the instructions in AGENTS.md and the responsibilities in
// incipit.yaml.

import { randomBytes } from "node:crypto"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { errorCode } from "../core/system-error.ts"
import { MAX_TEXT_BYTES, readBounded } from "../files/read-bounded.ts"
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
    writeResponsibilities(text) {
      try {
        replace(configuration(), text)
      } catch (error) {
        const code = errorCode(error)
        if (code === undefined) throw error
        throw new ToolFailure(`incipit.yaml can not be changed (${code}).`)
      }
    },
  }
}

/** Under a name that nobody can have put there beforehand. */
function replace(path: string, text: string): void {
  const part = `${path}.${randomBytes(6).toString("hex")}.part`
  try {
    writeFileSync(part, text, { flag: "wx" })
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

function textAt(path: string): string | undefined {
  try {
    return readBounded(path, MAX_TEXT_BYTES)
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined
    throw error
  }
}
