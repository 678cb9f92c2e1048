// Decides which runs of a text belong to which file: the heaviest first, and of files with the same text the one that
// the envelope names, then the one that the client reads first. Pure.
import { isWholeFile, type LineIndex, type Run, type SourceFile, weightIn } from "./line-index.ts"
import type { TextLines } from "./text-lines.ts"

/** Some lines of a text and their file. `others`: files that have the same lines, if nothing says which was read. */
export interface Claim {
  readonly run: Run
  readonly others: readonly SourceFile[]
}

export interface ClaimOptions {
  readonly index: LineIndex
  readonly text: TextLines
  /** Lines of the text; `to` is not included. */
  readonly from: number
  readonly to: number
  /** How well the text above a line names a file: 0 if it does not. */
  readonly named: (file: SourceFile, line: number) => number
}

/** Fewer letters and digits may be in two files by chance. */
const ENOUGH = 60

/** In the order of the text, without overlaps. */
export function claimRuns({ index, text, from, to, named }: ClaimOptions): readonly Claim[] {
  const isEnough = (run: Run) => run.weight >= ENOUGH || (isWholeFile(run) && named(run.file, run.from) > 0)
  const waiting = index.runs(text, from, to).filter(isEnough).toSorted(byWeight)
  const taken = new Uint8Array(Math.max(0, to - from))
  const used = new Set<string>()
  const claims: Claim[] = []
  for (let at = 0; at < waiting.length; at++) {
    const run = waiting[at]
    if (run === undefined) continue
    const free = freeRuns(run, text, (line) => taken[line - from] === 1)
    if (free.length !== 1 || free[0] !== run) {
      insert(waiting, at, free.filter(isEnough))
      continue
    }
    const same = [run]
    for (let next = at + 1; next < waiting.length && byWeight(run, waiting[next] ?? run) === 0; next++) {
      const other = waiting[next]
      if (other !== undefined && other.from === run.from && other.length === run.length) same.push(other)
    }
    const claim = preferred(same, named, used)
    taken.fill(1, run.from - from, run.from - from + run.length)
    used.add(claim.run.file.path)
    claims.push(claim)
  }
  return claims.toSorted((one, other) => one.run.from - other.run.from)
}

/** Equal only for runs over the same lines, or for unrelated ones. */
function byWeight(one: Run, other: Run): number {
  return other.weight - one.weight || one.from - other.from
}

/** What is left of a run: itself, if nothing of it is taken. */
function freeRuns(run: Run, text: TextLines, isTaken: (line: number) => boolean): readonly Run[] {
  const free: Run[] = []
  let start: number | undefined
  for (let at = run.from; at <= run.from + run.length; at++) {
    const isFree = at < run.from + run.length && !isTaken(at)
    if (isFree) start ??= at
    else if (start !== undefined) {
      const weight = weightIn(text, start, at)
      free.push({ ...run, from: start, line: run.line + start - run.from, length: at - start, weight })
      start = undefined
    }
  }
  return free.length === 1 && free[0]?.length === run.length ? [run] : free
}

/** Keeps the order of what waits behind a position. */
function insert(waiting: Run[], after: number, runs: readonly Run[]): void {
  for (const run of runs) {
    let [low, high] = [after + 1, waiting.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (byWeight(waiting[middle] ?? run, run) <= 0) low = middle + 1
      else high = middle
    }
    waiting.splice(low, 0, run)
  }
}

const VERSIONS = ["seen", "current", "earlier"]

function preferred(same: readonly Run[], named: ClaimOptions["named"], used: ReadonlySet<string>): Claim {
  const strengths = same.map(({ file, from }) => named(file, from))
  const best = Math.max(...strengths)
  const told = best > 0 ? same.filter((_run, at) => strengths[at] === best) : []
  const listed = same.filter(({ file }) => file.order !== undefined)
  const [choice] = [told, listed, same].filter((runs) => runs.length > 0)
  const inOrder = (choice ?? same).toSorted(
    (one, other) =>
      // The same text twice: once from each of the files that have it.
      Number(used.has(one.file.path)) - Number(used.has(other.file.path)) ||
      (one.file.order ?? 0) - (other.file.order ?? 0) ||
      VERSIONS.indexOf(one.file.version) - VERSIONS.indexOf(other.file.version),
  )
  const run = inOrder[0] ?? same[0]
  if (run === undefined) throw new Error("a claim needs a run")
  const isDecided = told.length > 0 || listed.length > 0
  const others = isDecided ? [] : same.map(({ file }) => file).filter(({ path }) => path !== run.file.path)
  return { run, others: distinct(others) }
}

function distinct(files: readonly SourceFile[]): readonly SourceFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}
