// Chat commands about what the agent keeps for one person: tasks, the current workflow, writing habits.
import { taskText } from "../../../agent/feeds/tasks.ts"
import { sentence } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { nearest } from "../../../base/nearest.ts"
import { plural } from "../../../base/text/figures.ts"
import { localTime } from "../../../record/ask/zone.ts"
import type { WorkflowPlace } from "../../../tools/host.ts"
import { painter } from "../../views/colour.ts"
import type { ChatContext } from "../chat-context.ts"
import { broken, table } from "../screen/lines.ts"
import { visible } from "../screen/visible.ts"

export async function tasks(
  { agent, talk, view }: ChatContext,
  [word]: readonly string[],
): Promise<readonly string[] | undefined> {
  if (word !== undefined && word !== "all") return undefined
  const all = await agent.kept(talk.from).tasks.list()
  const open = all.filter(({ status }) => status === "open" || status === "working")
  const over = all.length - open.length
  const shown = word === "all" ? all : open
  const hidden = over > 0 && word !== "all" ? [`${plural(over, "task")} done or dropped: /tasks all`] : []
  if (shown.length === 0) return [...(all.length === 0 ? ["no tasks"] : ["no open tasks"]), ...hidden]
  const lines = shown.flatMap((task) => taskText(task).split("\n").map(visible))
  return [...lines.flatMap((line) => broken(line, view.columns)), ...hidden]
}

export async function workflow(
  chat: ChatContext,
  [verb = "list", ...names]: readonly string[],
): Promise<readonly string[] | undefined> {
  const { workflows } = chat.agent.kept(chat.talk.from)
  const name = names.join(" ")
  if (verb === "list") return workflowList(chat)
  if (verb === "start" && name !== "") {
    const place = await workflows.start(name)
    if (place === undefined) throw await noWorkflow(chat, name)
    return [...placeLines(place), "the model sees this with your next message"]
  }
  const move = { next: () => workflows.advance(), back: () => workflows.back() }
  if (verb === "stop") return [(await workflows.stop()) ? "workflow stopped" : "no workflow is in progress"]
  if (verb !== "next" && verb !== "back") return undefined
  const place = await move[verb]()
  if (place === undefined) return ["no workflow is in progress; /workflow start NAME starts one"]
  return place.isFinished ? [`"${visible(place.title)}" is finished`] : placeLines(place)
}

export async function workflowNames({ agent, talk }: ChatContext): Promise<readonly string[]> {
  const { value } = await agent.kept(talk.from).workflows.list()
  return value.map(({ name }) => name)
}

async function workflowList({ agent, talk, view }: ChatContext): Promise<readonly string[]> {
  const { workflows } = agent.kept(talk.from)
  const { value, diagnostics } = await workflows.list()
  const place = await workflows.current()
  const rows = value.map(({ name, title, steps }) => [
    visible(name),
    plural(steps.length, "step"),
    visible(title),
  ])
  const none = ["no workflows; to add one, write a file with numbered steps in workflows/"]
  return [
    ...(rows.length === 0 ? none : table(rows, view.columns)),
    ...(place === undefined ? [] : ["", ...placeLines(place)]),
    ...diagnostics.map((diagnostic) => painter(view)("yellow", visible(sentence(diagnostic)))),
  ]
}

function placeLines({ title, current, of, step, notes }: WorkflowPlace): readonly string[] {
  return [
    `${visible(title)}, step ${current} of ${of}: ${visible(step)}`,
    ...notes.map((note) => `  ${visible(note)}`),
  ]
}

async function noWorkflow(chat: ChatContext, name: string): Promise<IncipitError> {
  const [near] = nearest(name, await workflowNames(chat))
  const hint = near === undefined ? "/workflow lists the workflows" : `did you mean ${near}?`
  return new IncipitError("bad-argument", `there is no workflow "${name}"; ${hint}`)
}

export async function profile(
  { agent, talk, view }: ChatContext,
  [word]: readonly string[],
): Promise<readonly string[] | undefined> {
  const { communication } = agent.kept(talk.from)
  if (word === "erase") {
    await communication.erase()
    return ["your writing profile was erased"]
  }
  if (word !== undefined) return undefined
  const learned = await communication.show()
  if (learned === undefined) return ["nothing is known about how you write yet"]
  const { messages, since, words, reported, candidates } = learned
  const often = candidates.filter(({ weight }) => weight > 1).slice(0, MAX_WORDS)
  return [
    `from ${plural(messages, "message")} since ${localTime(since, view.timeZone).slice(0, 10)}, about ${plural(words, "word")} each`,
    ...(often.length === 0
      ? []
      : [`frequent words: ${often.map(({ word: one }) => visible(one)).join(", ")}`]),
    reported === undefined
      ? "not sent to the model yet: it takes a few more messages"
      : `sent to the model: ${reported.formality} tone, ${reported.length} messages${reported.topics.length === 0 ? "" : `, about ${reported.topics.map(visible).join(", ")}`}`,
    "/profile erase deletes it",
  ]
}

const MAX_WORDS = 12
