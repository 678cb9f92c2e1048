// `/plan`: plan mode, and the plans made in it: show, approve, change, carry out.
import type { PlanFile, PlanState } from "../../../agent/feeds/plan-text.ts"
import { sentence } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { nearest } from "../../../base/nearest.ts"
import { atLeast } from "../../../base/trust.ts"
import { painter } from "../../views/colour.ts"
import type { Desk } from "../desk.ts"
import { markdownLines } from "../markdown/markdown.ts"
import { table } from "../screen/lines.ts"
import { paintLine } from "../screen/styled.ts"
import { visible } from "../screen/visible.ts"
import type { CommandResult } from "./slash-command.ts"

export async function plan(
  desk: Desk,
  [verb, ...rest]: readonly string[],
  body: string,
): Promise<readonly string[] | CommandResult | undefined> {
  if (verb === undefined) return toggled(desk)
  const name = rest.join(" ")
  if (verb === "list") return planList(desk)
  if (verb === "show") return planLines(desk, name)
  if (verb === "approve") return approved(desk, name)
  if (verb === "change") return requestChange(desk, name, body)
  return verb === "done" ? done(desk, name) : undefined
}

/** The plans that the verb applies to, newest first. */
export function planNames(desk: Desk, [verb]: readonly string[]): readonly string[] {
  const states = DEFAULT_STATES[verb ?? ""] ?? []
  return plansOf(desk)
    .filter(({ status }) => states.includes(status))
    .map(({ name }) => name)
    .toReversed()
}

const WAITING: readonly PlanState[] = ["proposed", "changed"]

/** Which plans a verb applies to if none is named. */
const DEFAULT_STATES: Readonly<Record<string, readonly PlanState[]>> = {
  show: ["proposed", "changed", "approved", "done"],
  approve: [...WAITING, "approved"],
  change: [...WAITING, "approved"],
  done: ["approved"],
}

function plansOf({ agent, talk }: Desk): readonly PlanFile[] {
  return agent.kept(talk.from).plans.list().value
}

async function toggled(desk: Desk): Promise<readonly string[]> {
  const { talk } = desk
  await usePlanMode(desk, !talk.isPlanning)
  return [talk.isPlanning ? "plan mode is off" : "plan mode is on: the agent plans and changes nothing"]
}

/** Takes effect at once, even for a running turn. */
async function usePlanMode({ agent, talk, change }: Desk, isPlanning: boolean): Promise<void> {
  change({ isPlanning })
  if (talk.session !== undefined && !talk.isNew) await agent.setPlanMode(talk.session, isPlanning)
}

function planList({ agent, talk, view }: Desk): readonly string[] {
  const { value, diagnostics } = agent.kept(talk.from).plans.list()
  const trust = talk.prompt?.plan.audience.trust ?? "public"
  const rows = value.map(({ name, status }) => [status, visible(name)])
  return [
    ...(rows.length === 0 ? ["no plans; to make one, turn on plan mode with /plan"] : []),
    ...table(rows, view.columns),
    ...diagnostics
      .filter(({ needs = "public" }) => atLeast(trust, needs))
      .map((diagnostic) => painter(view)("yellow", visible(sentence(diagnostic)))),
  ]
}

/** The named plan, else the newest one that the verb applies to. */
function found(desk: Desk, verb: string, name: string): PlanFile {
  const all = plansOf(desk)
  const states = DEFAULT_STATES[verb] ?? []
  const one =
    name === ""
      ? all.findLast(({ status }) => states.includes(status))
      : all.find((plan) => plan.name === name)
  if (one !== undefined) return one
  if (name === "") throw new IncipitError("bad-argument", `there is no plan to ${VERBS[verb] ?? verb}`)
  const [near] = nearest(
    name,
    all.map((plan) => plan.name),
  )
  const hint = near === undefined ? "/plan list shows the plans" : `did you mean ${near}?`
  throw new IncipitError("bad-argument", `there is no plan "${name}"; ${hint}`)
}

const VERBS: Readonly<Record<string, string>> = { done: "mark as done" }

function planLines(desk: Desk, wanted: string): readonly string[] {
  const { name, status, text } = found(desk, "show", wanted)
  const paint = painter(desk.view)
  const next = WAITING.includes(status) ? "; /plan approve runs it" : ""
  return [
    ...markdownLines(text, desk.view).map((line) => paintLine(line, paint)),
    "",
    paint("dim", `${visible(name)} is ${status}${next}`),
  ]
}

async function approved(desk: Desk, wanted: string): Promise<CommandResult> {
  const { plans } = desk.agent.kept(desk.talk.from)
  const { name } = plans.approve(found(desk, "approve", wanted).name)
  await usePlanMode(desk, false)
  const text = plans.resume(name)
  return {
    lines: [`approved: ${visible(name)}; plan mode is off`, `when it is finished: /plan done`],
    send: { text, shown: `[the plan ${visible(name)}]` },
  }
}

/** Lines below the command replace the plan; without them, the plan is opened for editing. */
function requestChange(desk: Desk, wanted: string, body: string): CommandResult {
  const { name, text } = found(desk, "change", wanted)
  if (body.trim() === "")
    return {
      lines: [`edit ${visible(name)} below the first line; Enter saves it, Alt-Enter adds a new line`],
      write: `/plan change ${name}\n${text}`,
    }
  const plan = desk.agent.kept(desk.talk.from).plans.change(name, body)
  return { lines: [`changed: ${visible(plan.name)}; /plan approve runs it`] }
}

function done(desk: Desk, wanted: string): readonly string[] {
  const { name } = desk.agent.kept(desk.talk.from).plans.markDone(found(desk, "done", wanted).name)
  return [`done: ${visible(name)}`]
}
