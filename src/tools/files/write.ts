// `write`: creates a file or replaces its whole text. An existing file keeps its mode, line ends and byte order mark.
import { existingPathOf } from "../../files/real-path.ts"
import { WRITE } from "../../profiles/incipit/tools/files.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import type { FileAccess } from "../host.ts"
import { changeableBytes, changeFile, refuseRedacted, writablePath } from "./change-file.ts"
import { shownPath, useFile } from "./open-file.ts"
import { formOf, inForm, lineCount } from "./text-file.ts"

export const writeTool = defineTool({
  ...WRITE,
  asksFirst: true,
  async run({ path: wanted, text }, given) {
    refuseRedacted(text)
    const context = acting(given)
    const { files } = context.host
    const path = writablePath(files, wanted)
    const before = await bytesAt(files, path)
    const after = inForm(text, formOf(before))
    const name = shownPath(files, path)
    if (before?.equals(after)) return `${name} already has this text.`
    await changeFile({ path, before, after }, context)
    return before === undefined
      ? `Created ${name}, ${lineCount(text)}.`
      : `Replaced ${name}: ${lineCount(before.toString())} became ${lineCount(text)}.`
  },
})

async function bytesAt(files: FileAccess, path: string): Promise<Buffer | undefined> {
  return existingPathOf(path) === undefined
    ? undefined
    : useFile(files, path, (file) => changeableBytes(files, file))
}
