// `find`: files by a glob, below a folder.
import { relative, sep } from "node:path"
import { z } from "zod"
import { defineAction } from "../action.ts"
import { foundText } from "./found.ts"
import { globMatcher } from "./glob.ts"
import { readablePath, shownPath } from "./open-file.ts"
import { walkFiles } from "./walk.ts"

const input = z.strictObject({
  pattern: z.string().describe("A glob such as *.md, at any depth, or src/**/*.{ts,js}."),
  path: z.string().optional().describe("The folder; the working directory if absent."),
})

export const findAction = defineAction({
  name: "find",
  isRepeatable: true,
  isReadOnly: true,
  input,
  async run({ pattern, path = "." }, context) {
    const { files } = context.host
    const matches = globMatcher(pattern)
    const start = readablePath(files, path)
    const walk = await walkFiles(start, context)
    const found = walk.files.filter((file) => matches(relative(start, file).split(sep).join("/")))
    const lines = found.map((file) => shownPath(files, file))
    return foundText({ lines, nouns: "files", isCut: walk.isCut }, context)
  },
})
