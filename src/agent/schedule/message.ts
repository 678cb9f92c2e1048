// The message that starts a scheduled run.
import { join } from "node:path"
import { sentence } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { requireRealPath } from "../../files/real-path.ts"
import { listedPath } from "../../sources/config/configured-trust.ts"
import { readSource } from "../../sources/read/file.ts"
import { splitFrontMatter } from "../../sources/read/frontmatter.ts"
import { type Firing, MOST_COUNTED } from "./due-runs.ts"

/** A section of the prompt in `system` situations, so the message only names it. */
const HEARTBEAT = "HEARTBEAT.md"

/** Throws `IncipitError` for a file that exists but cannot be read. `root` is the agent's folder. */
export function messageOf({ run, missed }: Pick<Firing, "run" | "missed">, root: string): string {
  const text = runText(run, requireRealPath(root))
  if (missed === 0) return text
  const runs = missed === 1 ? "1 run" : `${missed}${missed === MOST_COUNTED ? " or more" : ""} runs`
  return `${text}\n\n(Missed and skipped before this run: ${runs}.)`
}

function runText(run: string, root: string): string {
  const read = isPath(run) ? readSource(join(root, run), { roots: [root], shown: run }) : undefined
  if (read === undefined || read.kind === "absent") return run
  if (read.kind === "refused") throw new IncipitError("unreadable-file", sentence(read.diagnostic))
  if (read.kind === "unavailable")
    throw new IncipitError("unreadable-file", `cannot read ${run} (${read.reason})`)
  if (listedPath(run) === HEARTBEAT) return `Work through ${HEARTBEAT}.`
  return splitFrontMatter(read.text, run).body.trim()
}

/** Whether it could be a path at all: file systems allow no longer names. */
function isPath(run: string): boolean {
  return !/[\0\n]/.test(run) && Buffer.byteLength(run) <= 255
}
