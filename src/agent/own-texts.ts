// The agent's own texts, as its tools may change them: the instructions in AGENTS.md and the responsibilities in
// incipit.yaml.
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { errorCode } from "../sources/file.ts"
import { removeResponsibility } from "../sources/responsibilities.ts"
import { shownPath, type Workspace } from "../sources/workspace.ts"
import { type OwnTexts, ToolFailure } from "../tools/host.ts"

export function ownTexts(workspace: () => Workspace): OwnTexts {
  const path = () => join(workspace().folder, "AGENTS.md")
  return {
    instructions: () => ({ path: shownPath(path(), workspace()), text: textAt(path()) }),
    writeInstructions(text) {
      const part = `${path()}.${process.pid}.part`
      writeFileSync(part, text.endsWith("\n") ? text : `${text}\n`)
      renameSync(part, path())
    },
    responsibilities: () => (workspace().config.responsibilities ?? []).map(({ title }) => title),
    removeResponsibility(title) {
      try {
        return removeResponsibility(join(workspace().root, "incipit.yaml"), title)
      } catch (error) {
        const code = errorCode(error)
        if (code === undefined) throw error
        throw new ToolFailure(`incipit.yaml can not be changed (${code}).`)
      }
    },
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined
    throw error
  }
}
