// Reads Claude Code's transcripts: one file for each session and each sub-agent, below `projects` in its configuration
// folder. Since 2.1.282 they hold what every request was made of; of older versions, only a part of it is known.
import { basename, join, sep } from "node:path"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { fromHome } from "../../../files/real-path.ts"
import { clientFiles } from "../client-files.ts"
import { createSkipped, jsonRows } from "../json-rows.ts"
import type { CaptureFile, CaptureReader, ReaderMachine } from "../reader.ts"
import { textAt } from "../row-fields.ts"
import { callsOf } from "./claude-code-calls.ts"
import { usageOf } from "./claude-code-usage.ts"

export const CLAUDE_CODE: CaptureReader = {
  client: "claude-code",
  title: "Claude Code",
  folders,
  files,
  usage: (file, from) => usageOf(file, sessionOf(file), { from }),
  calls: (file) => callsOf(file, sessionOf(file)),
}

const PROJECTS = "projects"
const SUBAGENTS = "subagents"

/** `CLAUDE_CONFIG_DIR` may list several, separated by commas, and each may be the folder of projects itself. */
function folders({ home, variables }: ReaderMachine): readonly string[] {
  const named = (variables.CLAUDE_CONFIG_DIR ?? "").split(",").map((path) => path.trim())
  const given = named.filter((path) => path !== "").map((path) => fromHome(path, home))
  const config = variables.XDG_CONFIG_HOME || join(home, ".config")
  const all = given.length > 0 ? given : [join(config, "claude"), join(home, ".claude")]
  return [...new Set(all.map((path) => (basename(path) === PROJECTS ? path : join(path, PROJECTS))))]
}

/** Results of tools that were too long for a transcript, and notes: many files, none of them a transcript. */
const ASIDE: ReadonlySet<string> = new Set(["tool-results", "memory"])

async function files(
  folder: string,
  note?: (diagnostic: Diagnostic) => void,
): Promise<readonly CaptureFile[]> {
  const found = clientFiles(folder, {
    client: "claude-code",
    isOne: (way) => way.endsWith(".jsonl"),
    skips: (name) => ASIDE.has(name),
    note,
  })
  const transcripts: CaptureFile[] = []
  for (const file of found) if (await isTranscript(file)) transcripts.push(file)
  return transcripts
}

/** Many clients write JSON Lines: outside of this client's own folder, the first row decides. */
async function isTranscript(file: CaptureFile): Promise<boolean> {
  if (file.path.split(sep).includes(PROJECTS)) return true
  for await (const { row } of jsonRows(file, {}, createSkipped(file)))
    return textAt(row, "type") !== undefined && (row.sessionId ?? row.leafUuid) !== undefined
  return false
}

/** For rows that do not name it. Transcripts of sub-agents are below a folder with the name of their session. */
function sessionOf({ path }: CaptureFile): string {
  const parts = path.split(sep)
  const below = parts.lastIndexOf(SUBAGENTS)
  return (below > 0 && parts[below - 1]) || basename(path, ".jsonl")
}
