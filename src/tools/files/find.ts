// `find`: files by a glob, below a folder.
import { relative, sep } from "node:path"
import { FIND } from "../../profiles/incipit/tools/files.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { foundText } from "./found.ts"
import { globMatcher } from "./glob.ts"
import { readablePath, shownPath } from "./open-file.ts"
import { walkFiles } from "./walk.ts"

export const findTool = defineTool({
  ...FIND,
  async run({ pattern, path = "." }, given) {
    const context = acting(given)
    const { files } = context.host
    const matches = globMatcher(pattern)
    const start = readablePath(files, path)
    const walk = await walkFiles(start, context)
    const found = walk.files.filter((file) => matches(relative(start, file).split(sep).join("/")))
    const lines = found.map((file) => shownPath(files, file))
    return foundText({ lines, nouns: "files", isCut: walk.isCut }, context)
  },
})
