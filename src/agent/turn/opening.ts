// What opens a turn before its first step: messages and prompt changes of hooks, the person's own message, and small talk
// that needs no step at all.
import type { Trust } from "../../base/trust.ts"
import { userMessage } from "../../core/model/message.ts"
import { envelopeMessage } from "../../core/view/envelope.ts"
import { guard } from "../../core/write/markup.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import type { Item } from "../../database/contract/transcripts.ts"
import { feedSwitches } from "../../sources/config/feed-switches.ts"
import { leavesOpenQuestion, type Swallowed, swallowNoise } from "../feeds/noise.ts"
import { type PlanServices, planWaits, suggestPlan } from "../feeds/planning.ts"
import { fileParts, textOfFiles } from "../inbox/message/message-files.ts"
import { isRoom, speakerAttributes, speakerOf } from "../inbox/speaker.ts"
import type { Services } from "../setup/services.ts"
import { isAnswer } from "./begin.ts"
import { messageText } from "./finish.ts"
import type { Prompts } from "./prompt/compile.ts"
import type { Work } from "./work.ts"

export type OpeningServices = PlanServices &
  Pick<Services, "store" | "workspace" | "hooks" | "secrets"> & {
    readonly prompts: Pick<Prompts, "headText">
  }

/** A turn that was interrupted has its messages in the conversation already. */
export function isBegun({ items, turn }: Work): boolean {
  return items.some((item) => item.turn === turn.id)
}

/** Undefined if the message needs a model. A reply to a question of the agent is never small talk. */
export async function noiseIn(services: OpeningServices, work: Work): Promise<Swallowed | undefined> {
  const { noise: isOn } = feedSwitches(services.workspace.current().config)
  if (!isOn || isBegun(work) || work.waiting.message.files !== undefined) return undefined
  const openQuestion = (await asksBack(services.store, work)) || planWaits(services, work)
  return swallowNoise(work.waiting.message.text, { isOn, openQuestion })
}

/** The agent's last text may be in a summary, which does not mark questions. */
async function asksBack(
  { notices: sent }: Pick<Services["store"], "notices">,
  { items, session }: Work,
): Promise<boolean> {
  const last = items.findLast(({ item }) => item.kind === "summary" || isAnswer(item))
  if (last?.item.kind === "summary") return true
  const notice = await sent.last(session)
  const notices = notice !== undefined && notice.at >= (last?.at ?? 0) ? [notice.text] : []
  const answers = last?.item.kind === "message" ? [messageText(last.item.message)] : []
  return [...answers, ...notices].some(leavesOpenQuestion)
}

/** The items that open the turn: messages of hooks, then the person's own, which the tail is written into. */
export async function openingItems(services: OpeningServices, work: Work): Promise<readonly Item[]> {
  suggestPlan(work)
  const messages = await runHooks(services, work)
  return [...messages, personsItem(services, work, { message: work.waiting.message, trust: work.trust })]
}

/** What a person said. `trust`: theirs, in this conversation. */
export interface Said {
  readonly message: Incoming
  readonly trust: Trust
}

/** In a room the item names the speaker; elsewhere the words stay as written. */
export function personsItem(
  { workspace, secrets }: Pick<OpeningServices, "workspace" | "secrets">,
  { session }: Pick<Work, "session">,
  { message, trust }: Said,
): Item {
  const by = speakerOf(workspace.current().config, message, trust)
  const text = `${message.text}${textOfFiles(message.files, secrets.redact)}`.trimStart()
  const said = isRoom(session)
    ? envelopeMessage({ kind: "said-by", attributes: speakerAttributes(by), text })
    : userMessage(guard(text))
  const parts = [...said.parts, ...fileParts(message.files)]
  return { kind: "message", message: { ...said, parts }, by }
}

/** Returns the hooks' messages; their prompt changes are stored in `work`. */
export async function runHooks(
  { hooks, secrets, prompts }: Pick<OpeningServices, "hooks" | "secrets" | "prompts">,
  work: Work,
): Promise<readonly Item[]> {
  const { gathered, turn, signal } = work
  const { agent, session } = gathered.seen
  if (!hooks.has("before_agent_start")) return []
  const systemPrompt = prompts.headText(work)
  const found = secrets.within(await hooks.beforeAgentStart({ agent, session, turn, systemPrompt }, signal))
  work.edits = found.edits
  work.rewrite = found.rebase
  return found.messages.map(({ by, text, data }) => ({ kind: "custom", by, text, data }))
}
