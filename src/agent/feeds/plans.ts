// Plans of one person, kept as files in `.incipit/plans` so that they can be read and edited by hand. Files are written
// atomically. A bad file is a diagnostic, and the others still count.
import { chmodSync, readdirSync, rmSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { digest } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import type { Trust } from "../../base/trust.ts"
import { PLANS_FOLDER } from "../../files/paths.ts"
import { realPath } from "../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { readSource } from "../../sources/read/file.ts"
import type { Gathered } from "../../sources/workspace.ts"
import { type PlanFile, parsePlan, planFrom, planName, planText, resumeText } from "./plan-text.ts"

export interface Plans {
  /** Saves a plan found in an answer. */
  save(plan: { readonly goal: string; readonly text: string }, session: string): PlanFile
  /** Oldest first. */
  list(): Gathered<readonly PlanFile[]>
  approve(name: string): PlanFile
  /** Replaces the text, which must be approved again. */
  change(name: string, text: string): PlanFile
  /** Returns the message that tells the model to carry it out. */
  resume(name: string): string
  markDone(name: string): PlanFile
}

export interface PlansOptions {
  /** The agent's folder. */
  readonly folder: string
  readonly who: string
  /** The session's trust. */
  readonly trust: Trust
  readonly now: () => number
}

const ENDING = ".md"

export function openPlans({ folder, who, trust, now }: PlansOptions): Plans {
  const at = join(folder, PLANS_FOLDER)
  const list = () => listIn(at, folder, [who])
  const find = (name: string): PlanFile => {
    const plan = list().value.find((one) => one.name === name)
    if (plan === undefined) throw new IncipitError("no-such-plan", `there is no plan "${name}"`)
    return plan
  }
  const replace = (plan: PlanFile): PlanFile => {
    put(join(realPath(folder), PLANS_FOLDER, plan.name + ENDING), plan, "any")
    return plan
  }
  return {
    list,
    save({ goal, text }, session) {
      const created = now()
      const plan = { status: "proposed", who, session, created, goal, text } as const
      return addPlan(folder, { ...plan, name: planName(goal, created) + markOf(who, trust) })
    },
    approve(name) {
      const plan = find(name)
      return replace({ ...plan, status: "approved", approved: digest(plan.text) })
    },
    change(name, text) {
      const { approved, ...plan } = find(name)
      const found = planFrom(text)
      if (found === undefined)
        throw new IncipitError("bad-argument", 'a plan needs "# Plan: <goal>" and numbered "## Steps"')
      return replace({ ...plan, ...found, status: "changed" })
    },
    resume(name) {
      const plan = find(name)
      if (plan.status !== "approved")
        throw new IncipitError("plan-not-approved", `the plan "${name}" is ${plan.status}, not approved`)
      return resumeText(plan)
    },
    markDone(name) {
      const { approved, ...plan } = find(name)
      return replace({ ...plan, status: "done" })
    },
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

/**
 * A suffix of the file name, so that one person's plans never collide with another's: a number after the name would
 * reveal that another person has a plan with the same goal. Goals contain no underscore.
 */
function markOf(who: string, trust: Trust): string {
  return trust === "full" ? "" : `_${digest(who).slice(-8)}`
}

/** Uses the plan's name, or adds the first free number. */
function addPlan(folder: string, plan: PlanFile): PlanFile {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plan.name : `${plan.name}-${number}`
    if (put(join(realPath(folder), PLANS_FOLDER, name + ENDING), plan, undefined)) return { ...plan, name }
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
