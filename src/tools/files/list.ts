// `list`: the names in a folder, folders with a slash. A link is shown as its target, if that may be read.
import { statSync } from "node:fs"
import { join } from "node:path"
import { existingPathOf } from "../../files/real-path.ts"
import { LIST } from "../../profiles/incipit/tools/files.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { type FileAccess, ToolFailure } from "../host.ts"
import { foundText } from "./found.ts"
import { isSkipped, rulesAbove, rulesIn } from "./git-ignore.ts"
import { readablePath, shownName, shownPath } from "./open-file.ts"
import { entriesOf } from "./walk.ts"

export const listTool = defineTool({
  ...LIST,
  async run({ path = "." }, given) {
    const context = acting(given)
    const { files } = context.host
    const folder = readablePath(files, path)
    if (!isFolder(folder)) throw new ToolFailure(`${shownPath(files, folder)} is not a folder.`)
    const rules = await rulesIn(files, await rulesAbove(files, folder), folder)
    const readable = entriesOf(folder).flatMap(({ name }) => entryOf(files, folder, name))
    const shown = readable.filter(({ name, isFolder: isOne }) => !isSkipped(rules, join(folder, name), isOne))
    const ignored = readable.length - shown.length
    const lines = shown.map(({ name, isFolder: isOne }) => `${shownName(name)}${isOne ? "/" : ""}`)
    return foundText(
      {
        lines,
        nouns: "names",
        isCut: false,
        notes: ignored === 0 ? [] : [`${ignored} skipped: ignored by git, .git or node_modules`],
      },
      context,
    )
  },
})

function entryOf(files: FileAccess, folder: string, name: string) {
  const real = existingPathOf(join(folder, name))
  return real === undefined || !files.mayRead(real) ? [] : [{ name, isFolder: isFolder(real) }]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
