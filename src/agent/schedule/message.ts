// What the agent is told when a run of its schedule begins.
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { sentence } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { listedPath } from "../../sources/config/configured-trust.ts"
import { readSource } from "../../sources/read/file.ts"
import { splitFrontMatter } from "../../sources/read/frontmatter.ts"
import { type Firing, MOST_COUNTED } from "./due-runs.ts"

/** In `system` situations it is a section of the prompt, so the message need only name it. */
const HEARTBEAT = "HEARTBEAT.md"

/** Throws `IncipitError` for a file that is there and cannot be read. `root` is the agent's folder. */
export function messageOf({ run, missed }: Pick<Firing, "run" | "missed">, root: string): string {
  const text = textOf(run, realpathSync(root))
  if (missed === 0) return text
  const runs = missed === 1 ? "1 run" : `${missed}${missed === MOST_COUNTED ? " or more" : ""} runs`
  return `${text}\n\n(Missed before this run, and not made up for: ${runs}.)`
}

function textOf(run: string, root: string): string {
  const read = isPath(run) ? readSource(join(root, run), { roots: [root], shown: run }) : undefined
  if (read === undefined || read.kind === "absent") return run
  if (read.kind === "refused") throw new IncipitError("unreadable-file", sentence(read.diagnostic))
  if (read.kind === "unavailable")
    throw new IncipitError("unreadable-file", `cannot read ${run} (${read.reason})`)
  if (listedPath(run) === HEARTBEAT) return `Go through ${HEARTBEAT}.`
  return splitFrontMatter(read.text, run).body.trim()
}

/** Whether it could be the path of a file at all: file systems take no longer names. */
function isPath(run: string): boolean {
  return !/[\0\n]/.test(run) && Buffer.byteLength(run) <= 255
}
