// Plans of one person, kept as files in `.incipit/plans` so that they can be read and edited by hand. A file is written
// whole or not at all; a bad one is a finding, and the others still count.

import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import type { Diagnostic } from "../../core/diagnostic.ts"
import { digest } from "../../core/digest.ts"
import { IncipitError } from "../../core/error.ts"
import { byCodePoint } from "../../core/order.ts"
import { errorCode } from "../../core/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { PLANS_FOLDER } from "../../files/paths.ts"
import { readSource } from "../../sources/file.ts"
import type { Gathered } from "../../sources/workspace.ts"
import { type PlanFile, parsePlan, planFrom, planName, planText, resumeText } from "./plan-text.ts"

export interface Plans {
  /** Keeps a plan that was found in an answer. */
  save(plan: { readonly goal: string; readonly text: string }, session: string): PlanFile
  /** Oldest first. */
  list(): Gathered<readonly PlanFile[]>
  approve(name: string): PlanFile
  /** Another text for it, which has to be approved again. */
  change(name: string, text: string): PlanFile
  /** The message that has it carried out. */
  resume(name: string): string
  markDone(name: string): PlanFile
}

export interface PlansOptions {
  /** The folder of the agent. */
  readonly folder: string
  readonly who: string
  readonly now: () => number
}

const ENDING = ".md"

export function openPlans({ folder, who, now }: PlansOptions): Plans {
  const at = join(folder, PLANS_FOLDER)
  const list = () => listIn(at, folder, [who])
  const find = (name: string): PlanFile => {
    const plan = list().value.find((one) => one.name === name)
    if (plan === undefined) throw new IncipitError("no-such-plan", `there is no plan "${name}"`)
    return plan
  }
  const replace = (plan: PlanFile): PlanFile => {
    written(at, folder, planText(plan), (temporary) => renameSync(temporary, join(at, plan.name + ENDING)))
    return plan
  }
  return {
    list,
    save({ goal, text }, session) {
      const created = now()
      const plan = { status: "proposed", who, session, created, goal, text } as const
      const name = planName(goal, created)
      return addPlan(at, folder, { ...plan, name })
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
  /** Files of which nobody can say whose they are. */
  readonly unread: readonly string[]
}

/** Removes all plans of these. Paths are those in the folder of the agent. */
export function erasePlans(folder: string, whose: readonly string[], isDry: boolean): ErasedPlans {
  const at = join(folder, PLANS_FOLDER)
  const { value, diagnostics } = listIn(at, folder, whose)
  if (!isDry) for (const { name } of value) rmSync(join(at, name + ENDING), { force: true })
  return {
    removed: value.map(({ name }) => `${PLANS_FOLDER}/${name}${ENDING}`),
    unread: diagnostics.flatMap((finding) =>
      finding.code !== "plan-edited" && "path" in finding ? [finding.path] : [],
    ),
  }
}

function listIn(at: string, folder: string, whose: readonly string[]): Gathered<readonly PlanFile[]> {
  const diagnostics: Diagnostic[] = []
  const roots = [realOf(folder)]
  const value = namesIn(at).flatMap((name): readonly PlanFile[] => {
    const path = `${PLANS_FOLDER}/${name}`
    const found = readSource(join(at, name), { roots, shown: path })
    // Whose it would be is not known, so nobody but who runs the agent is told of it.
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

/** Under its name, or under that with the first number that is free. */
function addPlan(at: string, folder: string, plan: PlanFile): PlanFile {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plan.name : `${plan.name}-${number}`
    const path = join(at, name + ENDING)
    if (written(at, folder, planText(plan), (temporary) => isLinked(temporary, path)))
      return { ...plan, name }
  }
}

/** False if the name is taken. */
function isLinked(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error
    return false
  }
}

let made = 0

/** The text is whole on the disk before it gets its name. */
function written<T>(at: string, folder: string, text: string, place: (temporary: string) => T): T {
  made += 1
  const temporary = join(at, `.${process.pid}-${made}.tmp`)
  try {
    makeInside(dirname(at), folder)
    makeInside(at, folder)
    // Plans say what was talked about. The folder above may hold what others are to read.
    chmodSync(at, 0o700)
    // One that died under the same number may have left it.
    discard(temporary)
    writeFileSync(temporary, text, { flag: "wx", flush: true, mode: 0o600 })
    return place(temporary)
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    throw new IncipitError("unwritable-file", `can not write to ${PLANS_FOLDER} (${code})`, { cause: error })
  } finally {
    discard(temporary)
  }
}

/** What can not be removed was not made, or is in nobody's way. */
function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

/** Nothing is made where a link leads outside. */
function makeInside(path: string, folder: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (isInside(realpathSync(path), realOf(folder))) return
  throw Object.assign(new Error(`${path} leads outside the workspace`), { code: "ELOOP" })
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return folder
  }
}
