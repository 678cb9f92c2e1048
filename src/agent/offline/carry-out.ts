// Carries out an approved plan as far as rules go: runs a step that a rule fits, looks at the lines of a file that
// another step names, and reports the rest. After a failed step it stops; after a step that it cannot do, it changes
// nothing more.
import { isFailedCommand, shellTool } from "../../tools/agent/shell.ts"
import { planFrom } from "../feeds/plan-text.ts"
import { clipped, linesText, troubleOf } from "./answer.ts"
import { fileNamedIn } from "./files.ts"
import { ask, type Call, type Intent, type Script } from "./script.ts"
import { taskId } from "./tasks.ts"
import type { Called, OfflineView } from "./view.ts"

export interface Rule {
  readonly intent: Intent
  readonly script: Script
}

/** The rule for one step, if one fits and has what it needs. */
type RuleFor = (step: string) => Rule | undefined

interface Step {
  readonly title: string
  readonly rule: Rule | undefined
  /** The file to look at if no rule fits. */
  readonly path: string | undefined
}

interface Plan {
  readonly goal: string
  readonly steps: readonly Step[]
  /** Number of further steps, which are too many for one turn. */
  readonly more: number
}

type Outcome =
  | { readonly kind: "done"; readonly said: string }
  | { readonly kind: "looked"; readonly path: string; readonly lines: number }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "cannot" }
  | { readonly kind: "left" }

/** Each step may take a few calls, and the calls of a turn are limited. */
const MOST_STEPS = 15
const MOST_ROUNDS = 45
const LONGEST_TITLE = 300
const LONGEST_SAID = 160

export function carryOut(text: string, view: OfflineView, ruleFor: RuleFor): Script {
  const plan = planIn(text, view, ruleFor)
  const play = (made: readonly Called[]) => played(plan.steps, tasksOf(plan, view), made)
  return {
    steps: Array.from({ length: MOST_ROUNDS }, () => (made) => play(made).wants),
    answer: (made) => report(plan, play(made).outcomes),
  }
}

function planIn(text: string, view: OfflineView, ruleFor: RuleFor): Plan {
  const goal = clipped(planFrom(text)?.goal ?? "the plan", LONGEST_TITLE - 3)
  const titles = titlesIn(text)
  const steps = titles.slice(0, MOST_STEPS).map((title): Step => {
    const found = ruleFor(title)
    // A rule that only answers does not complete a step.
    const rule = found?.intent.tool === undefined ? undefined : found
    return {
      title,
      rule,
      path: rule === undefined && view.tools.has("read") ? fileNamedIn(title) : undefined,
    }
  })
  return { goal, steps, more: titles.length - steps.length }
}

const NUMBERED = /^\d{1,3}[.)][ \t]+(\S.*?)(?:; touches .*)?$/

function titlesIn(plan: string): readonly string[] {
  const [, steps = ""] = /^## Steps[ \t]*\n(.*?)(?=^## |(?![\s\S]))/ms.exec(plan) ?? []
  return steps.split("\n").flatMap((line) => NUMBERED.exec(line)?.[1] ?? [])
}

interface Tasks {
  readonly open: Script
  readonly close: (opened: readonly Called[], outcomes: readonly Outcome[]) => Script
}

const NOTHING: Script = { steps: [], answer: () => "" }

/** One task with all steps, reused if the plan is carried out again. A single step needs no task. */
function tasksOf({ goal, steps, more }: Plan, view: OfflineView): Tasks {
  if (steps.length < 2 || !view.tools.get("task_write")?.includes("steps"))
    return { open: NOTHING, close: () => NOTHING }
  const known = taskId(goal, view)
  const write = (id: string | undefined, status: string, outcomes: readonly Outcome[]) => {
    const listed = steps.map(({ title }, at) => ({
      title: clipped(title, LONGEST_TITLE - 3),
      done: outcomes[at]?.kind === "done",
    }))
    const which = id === undefined ? { title: goal } : { id }
    return ask([{ tool: "task_write", input: { ...which, status, steps: listed } }])
  }
  return {
    open: write(known === goal ? undefined : known, "working", []),
    close([opened], outcomes) {
      const id = /^Task (\d+) /.exec(opened?.result?.lines[0] ?? "")?.[1]
      if (id === undefined) return NOTHING
      const isDone = more === 0 && outcomes.every(({ kind }) => kind === "done")
      return write(id, isDone ? "done" : "open", outcomes)
    },
  }
}

interface Played {
  /** The next calls; empty when all is done. */
  readonly wants: readonly Call[]
  readonly outcomes: readonly Outcome[]
}

/** Replays the steps in order over the calls made so far. */
function played(steps: readonly Step[], tasks: Tasks, made: readonly Called[]): Played {
  const opened = playedOne(tasks.open, made)
  const outcomes: Outcome[] = []
  if (opened.wants.length > 0) return { wants: opened.wants, outcomes }
  let left = made.slice(opened.got.length)
  for (const step of steps) {
    const script = isLeft(step, outcomes) ? NOTHING : scriptOf(step)
    const { wants, got } = playedOne(script, left)
    if (wants.length > 0) return { wants, outcomes }
    left = left.slice(got.length)
    outcomes.push(isLeft(step, outcomes) ? { kind: "left" } : outcomeOf(step, got))
  }
  return { wants: playedOne(tasks.close(opened.got, outcomes), left).wants, outcomes }
}

function playedOne({ steps }: Script, made: readonly Called[]) {
  let got: readonly Called[] = []
  for (const step of steps) {
    const wants = step(got)
    if (wants.length === 0) break
    if (got.length + wants.length > made.length) return { wants, got }
    got = made.slice(0, got.length + wants.length)
  }
  return { wants: [], got }
}

function isLeft({ rule }: Step, before: readonly Outcome[]): boolean {
  const isHalf = before.some(({ kind }) => kind === "looked" || kind === "cannot")
  return before.some(({ kind }) => kind === "failed") || (isHalf && rule?.intent.changes === true)
}

function scriptOf({ rule, path }: Step): Script {
  return rule?.script ?? (path === undefined ? NOTHING : ask([{ tool: "read", input: { path } }]))
}

function outcomeOf({ rule, path }: Step, got: readonly Called[]): Outcome {
  if (rule === undefined && path === undefined) return { kind: "cannot" }
  const why = got.map(whyFailed).find((reason) => reason !== undefined)
  if (rule === undefined)
    return why === undefined && path !== undefined
      ? { kind: "looked", path, lines: got[0]?.result?.lines.length ?? 0 }
      : { kind: "cannot" }
  if (why !== undefined) return { kind: "failed", why }
  const said = got.at(-1)?.result?.lines.find((line) => line.trim() !== "") ?? ""
  return { kind: "done", said: clipped(said, LONGEST_SAID) }
}

/** A failed command is an answer, but not a completed step. */
function whyFailed(called: Called): string | undefined {
  const [end = ""] = called.result?.lines ?? []
  const isFailed = called.tool === shellTool.name && isFailedCommand(end)
  return troubleOf(called) ?? (isFailed ? `the command failed (${end}).` : undefined)
}

function report({ steps, more }: Plan, outcomes: readonly Outcome[]): string {
  const done = outcomes.filter(({ kind }) => kind === "done").length
  const lines = steps.map(({ title }, at) => `${at + 1}. ${title}: ${outcomeText(outcomes[at])}`)
  const all = steps.length + more
  const left =
    more === 0
      ? []
      : ["", `From step ${steps.length + 1} on: not started; I carry out at most ${MOST_STEPS} steps.`]
  const rest =
    done === all
      ? "All steps are done. Close the plan with /plan done."
      : `${done} of ${all} steps are done. /plan approve runs the plan again; a real model (/model) can do more of it.`
  return ["I carry out plans by fixed rules. Step by step:", "", ...lines, ...left, "", rest].join("\n")
}

function outcomeText(outcome: Outcome | undefined): string {
  if (outcome === undefined || outcome.kind === "left")
    return "not started, because an earlier step is not done."
  if (outcome.kind === "cannot") return "not done; it needs a real model."
  if (outcome.kind === "failed") return `not done; ${outcome.why}`
  if (outcome.kind === "looked")
    return `not done; I looked at ${outcome.path} (${linesText(outcome.lines)}), but changing it needs a real model.`
  return outcome.said === "" ? "done." : `done. The tool returned: ${outcome.said}`
}
