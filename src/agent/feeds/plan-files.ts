// Plans kept as files in `.incipit/plans`, so that they can be read and edited by hand. Files are written atomically. A
// bad file is a diagnostic, and the others still count.
import { chmodSync, readdirSync, rmSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { PLANS_FOLDER } from "../../files/paths.ts"
import { realPath } from "../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { readSource } from "../../sources/read/file.ts"
import type { Gathered } from "../../sources/workspace.ts"
import { type PlanFile, parsePlan, planText } from "./plan-text.ts"
import type { PlanStore } from "./plans.ts"

const ENDING = ".md"

/** `folder`: the agent's. */
export function plansInFolder(folder: string): PlanStore {
  const at = join(folder, PLANS_FOLDER)
  const pathOf = ({ name }: PlanFile) => join(realPath(folder), PLANS_FOLDER, name + ENDING)
  return {
    list: (whose) => listIn(at, folder, whose),
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
  const { value, diagnostics } = listIn(at, folder, whose)
  if (!isDry) for (const { name } of value) rmSync(join(at, name + ENDING), { force: true })
  return {
    removed: value.map(({ name }) => `${PLANS_FOLDER}/${name}${ENDING}`),
    unread: diagnostics.flatMap((diagnostic) =>
      diagnostic.code !== "plan-edited" && "path" in diagnostic ? [diagnostic.path] : [],
    ),
  }
}

function listIn(given: string, folder: string, whose: readonly string[]): Gathered<readonly PlanFile[]> {
  const diagnostics: Diagnostic[] = []
  const roots = [realPath(folder)]
  const at = join(realPath(folder), relative(folder, given))
  const value = namesIn(at).flatMap((name): readonly PlanFile[] => {
    const path = `${PLANS_FOLDER}/${name}`
    const found = readSource(join(at, name), { roots, shown: path, followsLinks: false })
    // The owner of the file is unknown, so only the operator sees the diagnostic.
    if (found.kind === "refused") diagnostics.push({ ...found.diagnostic, needs: "full" })
    if (found.kind === "unavailable")
      diagnostics.push({ code: "source-unavailable", path, reason: found.reason, needs: "full" })
    if (found.kind !== "read") return []
    const parsed = parsePlan(found.text, name.slice(0, -ENDING.length))
    if (parsed.kind === "bad")
      diagnostics.push({ code: "bad-plan", path, problem: parsed.problem, needs: "full" })
    if (parsed.kind === "bad" || !whose.includes(parsed.plan.who)) return []
    if (parsed.isEdited) diagnostics.push({ code: "plan-edited", path })
    return [parsed.plan]
  })
  return { value, diagnostics }
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
