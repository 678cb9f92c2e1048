// Plans kept as files in `.incipit/plans`, so that they can be read and edited by hand. Files are written atomically. A
// bad file is a diagnostic, and the others still count.
import { chmodSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { stampOf, statAt } from "../../files/identity.ts"
import { PLANS_FOLDER } from "../../files/paths.ts"
import { realPath } from "../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { readSource } from "../../sources/read/file.ts"
import type { Gathered } from "../../sources/workspace.ts"
import { type ParsedPlan, type PlanFile, parsePlan, planText } from "./plan-text.ts"
import type { PlanStore } from "./plans.ts"

const ENDING = ".md"

/** A file changed a moment ago could change again with the same times and size. */
const SETTLED_MS = 2_000

/** `folder`: the agent's. Files are read again only once they change. */
export function plansInFolder(folder: string, now: () => number = Date.now): PlanStore {
  const at = join(folder, PLANS_FOLDER)
  const known: KnownPlans = { now, byName: new Map() }
  const pathOf = ({ name }: PlanFile) => join(realPath(folder), PLANS_FOLDER, name + ENDING)
  return {
    list: (whose) => listIn({ at, folder, known }, whose),
    add: (plan) => put(pathOf(plan), plan, undefined),
    replace: (plan) => void put(pathOf(plan), plan, "any"),
  }
}

export interface ErasedPlans {
  readonly removed: readonly string[]
  /** Files whose owner cannot be determined. */
  readonly unread: readonly string[]
}

/** Removes all plans of these people. Paths are relative to the agent's folder. */
export function erasePlans(folder: string, whose: readonly string[], isDry: boolean): ErasedPlans {
  const at = join(folder, PLANS_FOLDER)
  const { value, diagnostics } = listIn({ at, folder }, whose)
  if (!isDry) for (const { name } of value) rmSync(join(at, name + ENDING), { force: true })
  return {
    removed: value.map(({ name }) => `${PLANS_FOLDER}/${name}${ENDING}`),
    unread: diagnostics.flatMap((diagnostic) =>
      diagnostic.code !== "plan-edited" && "path" in diagnostic ? [diagnostic.path] : [],
    ),
  }
}

interface KnownPlans {
  readonly now: () => number
  /** Files as they were read, with the stamp that they had before. */
  readonly byName: Map<string, { readonly stamp: string; readonly parsed: ParsedPlan }>
}

interface Listing {
  readonly at: string
  readonly folder: string
  readonly known?: KnownPlans
}

function listIn(
  { at: given, folder, known }: Listing,
  whose: readonly string[],
): Gathered<readonly PlanFile[]> {
  const diagnostics: Diagnostic[] = []
  const roots = [realPath(folder)]
  const at = join(realPath(folder), relative(folder, given))
  const names = namesIn(at)
  // A folder that has become a link leads to the same files, and is refused.
  const kept = realPath(at) === at ? known : undefined
  // Some were removed.
  if (known !== undefined && known.byName.size > names.length) known.byName.clear()
  const value = names.flatMap((name): readonly PlanFile[] => {
    const path = `${PLANS_FOLDER}/${name}`
    const read = () => {
      const found = readSource(join(at, name), { roots, shown: path, followsLinks: false })
      // The owner of the file is unknown, so only the operator sees the diagnostic.
      if (found.kind === "refused") diagnostics.push({ ...found.diagnostic, needs: "full" })
      if (found.kind === "unavailable")
        diagnostics.push({ code: "source-unavailable", path, reason: found.reason, needs: "full" })
      return found.kind === "read" ? parsePlan(found.text, name.slice(0, -ENDING.length)) : undefined
    }
    const parsed = kept === undefined ? read() : readOnce(kept, join(at, name), read)
    if (parsed === undefined) return []
    if (parsed.kind === "bad")
      diagnostics.push({ code: "bad-plan", path, problem: parsed.problem, needs: "full" })
    if (parsed.kind === "bad" || !whose.includes(parsed.plan.who)) return []
    if (parsed.isEdited) diagnostics.push({ code: "plan-edited", path })
    return [parsed.plan]
  })
  return { value, diagnostics }
}

function readOnce(
  { now, byName }: KnownPlans,
  path: string,
  read: () => ParsedPlan | undefined,
): ParsedPlan | undefined {
  const name = basename(path)
  const stat = statAt(path)
  const stamp = stat && stampOf(stat)
  const known = byName.get(name)
  if (known !== undefined && known.stamp === stamp) return known.parsed
  byName.delete(name)
  const parsed = read()
  const isSettled = stat !== undefined && Math.abs(now() - Number(stat.ctimeMs)) > SETTLED_MS
  if (parsed !== undefined && stamp !== undefined && isSettled) byName.set(name, { stamp, parsed })
  return parsed
}

function namesIn(at: string): readonly string[] {
  try {
    return readdirSync(at)
      .filter((name) => name.endsWith(ENDING) && !name.startsWith("."))
      .sort(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

/** Writes a file that only the operator can read. Returns false if the name is taken. */
function put(path: string, plan: PlanFile, before: "any" | undefined): boolean {
  try {
    replaceFile({ path, before, after: Buffer.from(planText(plan)), mode: 0o600 })
    // Plans reveal what was talked about, while the folder above may be shared.
    chmodSync(dirname(path), 0o700)
    return true
  } catch (error) {
    if (error instanceof NotReplaced && error.why === "file-changed" && before === undefined) return false
    const code = error instanceof NotReplaced ? "ELOOP" : errorCode(error)
    if (code === undefined) throw error
    throw new IncipitError("unwritable-file", `cannot write to ${PLANS_FOLDER} (${code})`, { cause: error })
  }
}
