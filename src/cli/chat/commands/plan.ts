// `/plan`: plan mode, and the plans made in it: show, approve, change, carry out.
import type { PlanFile, PlanState } from "../../../agent/feeds/plan-text.ts"
import { sentence } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { nearest } from "../../../base/nearest.ts"
import { atLeast } from "../../../base/trust.ts"
import { painter } from "../../views/colour.ts"
import type { ChatContext } from "../chat-context.ts"
import { markdownLines } from "../markdown/markdown.ts"
import { table } from "../screen/lines.ts"
import { paintLine } from "../screen/styled.ts"
import { visible } from "../screen/visible.ts"
import type { CommandResult } from "./slash-command.ts"

export async function plan(
  chat: ChatContext,
  [verb, ...rest]: readonly string[],
  body: string,
): Promise<readonly string[] | CommandResult | undefined> {
  if (verb === undefined) return toggled(chat)
  const name = rest.join(" ")
  if (verb === "list") return planList(chat)
  if (verb === "show") return planLines(chat, name)
  if (verb === "approve") return approved(chat, name)
  if (verb === "change") return requestChange(chat, name, body)
  return verb === "done" ? done(chat, name) : undefined
}

/** The plans that the verb applies to, newest first. */
export function planNames(chat: ChatContext, [verb]: readonly string[]): readonly string[] {
  const states = DEFAULT_STATES[verb ?? ""] ?? []
  return plansOf(chat)
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

function plansOf({ agent, talk }: ChatContext): readonly PlanFile[] {
  return agent.kept(talk.from).plans.list().value
}

async function toggled(chat: ChatContext): Promise<readonly string[]> {
  const { talk } = chat
  await usePlanMode(chat, !talk.isPlanning)
  return [talk.isPlanning ? "plan mode is off" : "plan mode is on: the agent plans and changes nothing"]
}

/** Takes effect at once, even for a running turn. */
async function usePlanMode({ agent, talk, change }: ChatContext, isPlanning: boolean): Promise<void> {
  change({ isPlanning })
  if (talk.session !== undefined && !talk.isNew) await agent.setPlanMode(talk.session, isPlanning)
}

function planList({ agent, talk, view }: ChatContext): readonly string[] {
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
function found(chat: ChatContext, verb: string, name: string): PlanFile {
  const all = plansOf(chat)
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

function planLines(chat: ChatContext, wanted: string): readonly string[] {
  const { name, status, text } = found(chat, "show", wanted)
  const paint = painter(chat.view)
  const next = WAITING.includes(status) ? "; /plan approve runs it" : ""
  return [
    ...markdownLines(text, chat.view).map((line) => paintLine(line, paint)),
    "",
    paint("dim", `${visible(name)} is ${status}${next}`),
  ]
}

async function approved(chat: ChatContext, wanted: string): Promise<CommandResult> {
  const { plans } = chat.agent.kept(chat.talk.from)
  const { name } = plans.approve(found(chat, "approve", wanted).name)
  await usePlanMode(chat, false)
  const text = plans.resume(name)
  return {
    lines: [`approved: ${visible(name)}; plan mode is off`, `when it is finished: /plan done`],
    send: { text, shown: `[the plan ${visible(name)}]` },
  }
}

/** Lines below the command replace the plan; without them, the plan is opened for editing. */
function requestChange(chat: ChatContext, wanted: string, body: string): CommandResult {
  const { name, text } = found(chat, "change", wanted)
  if (body.trim() === "")
    return {
      lines: [`edit ${visible(name)} below the first line; Enter saves it, Alt-Enter adds a new line`],
      write: `/plan change ${name}\n${text}`,
    }
  const plan = chat.agent.kept(chat.talk.from).plans.change(name, body)
  return { lines: [`changed: ${visible(plan.name)}; /plan approve runs it`] }
}

function done(chat: ChatContext, wanted: string): readonly string[] {
  const { name } = chat.agent.kept(chat.talk.from).plans.markDone(found(chat, "done", wanted).name)
  return [`done: ${visible(name)}`]
}
