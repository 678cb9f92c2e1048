// `/plan`: plan mode, and the plans made in it: show, approve, change, carry out.
import { type PlanFile, type PlanState, resumeText } from "../../../agent/feeds/plan-text.ts"
import { sentence } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { nearest } from "../../../base/nearest.ts"
import { atLeast } from "../../../base/trust.ts"
import { painter } from "../../views/colour.ts"
import { exactLines, warningOf } from "../approval.ts"
import type { ChatContext } from "../chat-context.ts"
import { table } from "../screen/lines.ts"
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
  if (verb === "show") return shown(chat, name)
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

function shown(chat: ChatContext, wanted: string): readonly string[] {
  const plan = found(chat, "show", wanted)
  return planLines(chat, plan, WAITING.includes(plan.status) ? "; /plan approve runs it" : "")
}

/** The source: drawn as Markdown, a part of what is carried out would not be seen. */
function planLines(chat: ChatContext, { name, status, text }: PlanFile, next: string): readonly string[] {
  chat.change({ shownPlan: { name, text } })
  const paint = painter(chat.view)
  const warning = warningOf(text, "plan")
  return [
    ...exactLines(text),
    "",
    ...(warning === undefined ? [] : [paint("red", warning)]),
    paint("dim", `${visible(name)} is ${status}${next}`),
  ]
}

async function approved(chat: ChatContext, wanted: string): Promise<CommandResult> {
  const { shownPlan, from } = chat.talk
  const plan = found(chat, "approve", wanted)
  if (shownPlan?.name !== plan.name || shownPlan.text !== plan.text) {
    const why = shownPlan?.name === plan.name ? " and has changed; read it again" : "; read it"
    return { lines: planLines(chat, plan, `${why}, then /plan approve again`) }
  }
  const { text } = chat.agent.kept(from).plans.approve(plan.name, { text: shownPlan.text })
  await usePlanMode(chat, false)
  const name = visible(plan.name)
  return {
    lines: [`approved: ${name}; plan mode is off`, `when it is finished: /plan done`],
    send: { text: resumeText({ text }), shown: `[the plan ${name}]` },
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
