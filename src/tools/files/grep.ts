// `grep`: lines that match a regular expression, in a file or in all text files below a folder.
import { readBytes } from "../../files/safe-file.ts"
import { GREP } from "../../profiles/incipit/tools/files.ts"
import { type ActingContext, acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { type FileAccess, ToolFailure } from "../host.ts"
import { foundText } from "./found.ts"
import { isBinary } from "./line-scan.ts"
import { readablePath, shownPath, useFile } from "./open-file.ts"
import { type Search, searchFor } from "./pattern.ts"
import { walkFiles } from "./walk.ts"

export const grepTool = defineTool({
  ...GREP,
  run: ({ pattern, path = "." }, context) => grep(searchFor(pattern), path, acting(context)),
})

const MOST_FILE_BYTES = 5 * 1024 * 1024
/** Lines tested at once, and how much of each is searched and shown. */
const BATCH_LINES = 2_000
const LINE_CHARACTERS = 10_000
const SHOWN_CHARACTERS = 300
const MOST_MATCHES = 50_000
const MOST_MS = 20_000

async function grep(search: Search, path: string, context: ActingContext): Promise<string> {
  const { host, now } = context
  const start = readablePath(host.files, path)
  const end = now() + MOST_MS
  const walk = await walkFiles(start, context)
  const matches: string[] = []
  let large = 0
  let isCut = walk.isCut
  for (const file of walk.files) {
    host.signal.throwIfAborted()
    if (matches.length >= MOST_MATCHES || now() > end) {
      isCut = true
      break
    }
    const text = await readForSearch(host.files, file)
    if (text === "too large") large += 1
    else
      matches.push(
        ...shownIn(text.lines, search, host).map((match) => `${shownPath(host.files, file)}:${match}`),
      )
  }
  const notes =
    large === 0 ? [] : [`${large} ${large === 1 ? "file is" : "files are"} too large and left out`]
  return foundText({ lines: matches, nouns: "lines", isCut, notes }, context)
}

interface Text {
  readonly lines: readonly string[]
}

async function readForSearch(files: FileAccess, path: string): Promise<Text | "too large"> {
  try {
    return await useFile(files, path, (file) => {
      if (file.size > MOST_FILE_BYTES) return "too large"
      const bytes = readBytes(file)
      return { lines: isBinary(bytes) ? [] : bytes.toString("utf8").split(/\r?\n/) }
    })
  } catch (error) {
    // The file is gone or may no longer be read.
    if (error instanceof ToolFailure) return { lines: [] }
    throw error
  }
}

/** Searches again if a text with a match contains a key: what is shown must not depend on the key. */
function shownIn(
  lines: readonly string[],
  search: Search,
  { redact }: ActingContext["host"],
): readonly string[] {
  const found = matchesIn(lines, search)
  if (found.length === 0 || redact === undefined) return found
  const text = lines.join("\n")
  const shown = redact(text)
  return shown === text ? found : matchesIn(shown.split("\n"), search)
}

/** `12: the line`. */
function matchesIn(lines: readonly string[], search: Search): readonly string[] {
  const found: string[] = []
  for (let from = 0; from < lines.length; from += BATCH_LINES) {
    const batch = lines.slice(from, from + BATCH_LINES)
    const places = search(batch.map((line) => line.slice(0, LINE_CHARACTERS)))
    for (const [at, place] of places.entries())
      if (place >= 0) found.push(`${from + at + 1}: ${around(batch[at] ?? "", place)}`)
  }
  return found
}

/** The part of a long line around the match. */
function around(line: string, place: number): string {
  if (line.length <= SHOWN_CHARACTERS) return line
  const from = Math.max(0, Math.min(place - SHOWN_CHARACTERS / 3, line.length - SHOWN_CHARACTERS))
  const part = line.slice(Math.floor(from), Math.floor(from) + SHOWN_CHARACTERS).toWellFormed()
  return `${from > 0 ? "..." : ""}${part}${from + SHOWN_CHARACTERS < line.length ? "..." : ""}`
}
