// Plans of one person: saved from answers, then approved, changed and carried out. Where they are kept is another
// file's business.
import { digest } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { byCodePoint } from "../../base/order.ts"
import type { Trust } from "../../base/trust.ts"
import type { Gathered } from "../../sources/workspace.ts"
import { type PlanFile, planFrom, planName, resumeText } from "./plan-text.ts"

export interface Plans {
  /** Saves a plan found in an answer. */
  save(plan: { readonly goal: string; readonly text: string }, session: string): PlanFile
  /** Oldest first. */
  list(): Gathered<readonly PlanFile[]>
  /** With `read`, throws `plan-not-approved` if the text has become another one; the read that decides is its own. */
  approve(name: string, read?: ReadPlan): PlanFile
  /** Replaces the text, which must be approved again. */
  change(name: string, text: string): PlanFile
  /** Returns the message that tells the model to carry it out. */
  resume(name: string): string
  markDone(name: string): PlanFile
}

/** What somebody had in front of them when they approved. */
export interface ReadPlan {
  readonly text: string
  /** When the session was last used, if nothing has carried the plan out yet. */
  readonly usedAt?: number
}

/** Keeps the plans of all people. */
export interface PlanStore {
  /** Those of these people, by name. */
  list(whose: readonly string[]): Gathered<readonly PlanFile[]>
  /** Returns false if the name is taken. */
  add(plan: PlanFile): boolean
  replace(plan: PlanFile): void
}

export interface PlansOptions {
  readonly store: PlanStore
  readonly who: string
  /** The session's trust. */
  readonly trust: Trust
  readonly now: () => number
}

export function openPlans({ store, who, trust, now }: PlansOptions): Plans {
  const list = () => {
    const { value, diagnostics } = store.list([who])
    return { value: value.toSorted(oldestFirst), diagnostics }
  }
  const find = (name: string): PlanFile => {
    const plan = list().value.find((one) => one.name === name)
    if (plan === undefined) throw new IncipitError("no-such-plan", `there is no plan "${name}"`)
    return plan
  }
  const replace = (plan: PlanFile): PlanFile => {
    store.replace(plan)
    return plan
  }
  return {
    list,
    save({ goal, text }, session) {
      const created = now()
      const plan = { status: "proposed", who, session, created, goal, text } as const
      return addPlan(store, { ...plan, name: planName(goal, created) + markOf(who, trust) })
    },
    approve(name, read) {
      const { usedAt: _before, ...plan } = find(name)
      if (read !== undefined && plan.text !== read.text)
        throw new IncipitError("plan-not-approved", `the plan "${name}" has changed since it was read`)
      const used = read?.usedAt === undefined ? {} : { usedAt: read.usedAt }
      return replace({ ...plan, ...used, status: "approved", approved: digest(plan.text) })
    },
    change(name, text) {
      const { approved, usedAt, ...plan } = find(name)
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
      const { approved, usedAt, ...plan } = find(name)
      return replace({ ...plan, status: "done" })
    },
  }
}

/** Of those made at the same moment, the one with the larger number is later. */
function oldestFirst(a: PlanFile, b: PlanFile): number {
  return a.created - b.created || a.name.length - b.name.length || byCodePoint(a.name, b.name)
}

/** Gone when the agent is closed. */
export function plansInMemory(): PlanStore {
  const plans = new Map<string, PlanFile>()
  return {
    list: (whose) => ({
      value: [...plans.values()]
        .filter(({ who }) => whose.includes(who))
        .toSorted((a, b) => byCodePoint(a.name, b.name)),
      diagnostics: [],
    }),
    add(plan) {
      if (plans.has(plan.name)) return false
      plans.set(plan.name, plan)
      return true
    },
    replace: (plan) => void plans.set(plan.name, plan),
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
function addPlan(store: PlanStore, plan: PlanFile): PlanFile {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plan.name : `${plan.name}-${number}`
    if (store.add({ ...plan, name })) return { ...plan, name }
  }
}
