// `incipit capture`: reads new calls from the files of coding agents into the record of captured calls.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import type { CaptureReader } from "../../../capture/clients/reader.ts"
import { READERS } from "../../../capture/clients/readers.ts"
import { type FoundFile, keepFiles } from "../../../capture/keep/keep-files.ts"
import { existingPathOf } from "../../../files/real-path.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { rangeOf } from "../record/record-file.ts"
import { capturesPlace, openCapturesFor } from "./captures-place.ts"

export async function run({ words, flags, terminal }: Invocation<"capture">): Promise<number> {
  const { since = 0 } = rangeOf({ since: flags.since, until: undefined }, terminal)
  const found = await filesOf(words, flags, terminal)
  const captures = await openCapturesFor(terminal, flags.metadataOnly)
  try {
    const place = existingPathOf(capturesPlace(terminal).folder) ?? capturesPlace(terminal).folder
    const kept = await keepFiles(found, { captures, since, placesFile: resolve(place, "places.json") })
    const { diagnostics, ...counts } = kept
    print({ flags, terminal }, kept, () => [
      `Captured ${plural(counts.calls, "new call")} from ${plural(counts.filesRead, "file")}; ${plural(counts.filesUnchanged, "file")} had nothing new.`,
    ])
    if (!flags.json) printDiagnostics(diagnostics, terminal)
  } finally {
    await captures.close()
  }
  return 0
}

/** Not our own records: what they hold is captured already. */
async function filesOf(
  words: readonly string[],
  { client }: FlagsOf<"capture">,
  terminal: Terminal,
): Promise<readonly FoundFile[]> {
  const given = words.map((word) => resolve(terminal.cwd, word))
  const missing = given.find((path) => !existsSync(path))
  if (missing !== undefined) throw new IncipitError("bad-argument", `there is no file or folder ${missing}`)
  const machine = { home: terminal.home ?? terminal.cwd, variables: terminal.env }
  const isWanted = (reader: CaptureReader) =>
    reader.client !== "incipit" && (client === undefined || reader.client === client)
  const found: FoundFile[] = []
  for (const reader of READERS.filter(isWanted))
    for (const folder of given.length > 0 ? given : reader.folders(machine))
      for (const file of await reader.files(folder)) found.push({ reader, file })
  return found
}
