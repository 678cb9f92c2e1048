// Compaction: when the window fills, what was said so far becomes a summary and the newest part stays as it is. A new
// epoch begins, and it is checked that what must be in every prompt is in the new one.
import { inCountedTokens, inModelTokens } from "../core/budget.ts"
import { firstCharacters, lastCharacters } from "../core/characters.ts"
import { insideEnvelope } from "../core/envelope.ts"
import { type Baseline, headTokens } from "../core/epoch.ts"
import type { Message } from "../core/message.ts"
import { isSeen } from "../core/plan.ts"
import { detach } from "../core/tail.ts"
import { toolsetOf } from "../core/toolset.ts"
import { o200k } from "../tokens/o200k.ts"
import { bothEnds } from "../tools/both-ends.ts"
import { askAside } from "./aside.ts"
import { withPatience } from "./ask.ts"
import { ModelFailure } from "./call.ts"
import { type Split, splitItems } from "./compact-cut.ts"
import { conversationTokens, headNow } from "./compile.ts"
import { speakerLabel } from "./speaker.ts"
import { type Item, messageOf, messagesOf, type Speaker, type StoredItem } from "./store/transcript.ts"
import { addCost, heldBy, stateChange, type Work } from "./work.ts"

/** Of the room for head, tools and conversation: from here on it counts as full. */
const FULL = 0.85
/** Of that room, what may stay as it is. */
const KEPT = 0.25
/** Of that room, what a summary may take, and what it may be made from. */
const SUMMARY = 0.2
const MATERIAL = 0.5
const SUMMARY_TOKENS = 1_500

export async function compactIfFull(work: Work, opening: readonly Item[]): Promise<void> {
  const { room, taken, factor } = roomOf(work)
  const coming = conversationTokens(messagesOf(opening.map((item) => ({ item }))), factor)
  if (taken + coming > room * FULL) await compactNow(work, "the window was nearly full")
}

/** In the model's tokens. */
export function roomOf(work: Work) {
  const { agent, session, budget } = work.gathered
  const { window, reserve, ratio } = budget
  const factor = work.baseline?.ratio.factor ?? ratio?.factor ?? 1
  const head = work.baseline === undefined ? 0 : headTokens(work.baseline)
  // The turn's first step has no prompt yet, and its tools take as much as those of any other.
  const tools =
    work.prompt?.plan.budget.tools ??
    inModelTokens(toolsetOf(agent, session.audience.trust, "sorted", o200k).tokens, { factor, exact: false })
  const conversation = conversationTokens(messagesOf(work.items), factor)
  const fixed = inModelTokens(head, { factor, exact: false }) + tools
  return { room: window - reserve, factor, fixed, taken: fixed + conversation }
}

/** False if there was nothing that could be summed up, so that nothing has changed. */
export async function compactNow(
  work: Work,
  why: string,
  { keepsNewest = true }: { readonly keepsNewest?: boolean } = {},
): Promise<boolean> {
  const { runtime, scope } = work
  const before = roomOf(work)
  const { factor } = before
  const { summed, kept } = keepsNewest
    ? splitItems(work.items, { turn: work.turn.id, most: before.room * KEPT, factor })
    : allDone(work)
  if (summed.length === 0) return false
  const summary = await summaryOf(work, summed)
  const pinned = pinnedIn(work.baseline?.entries ?? [])
  const { lastCall: _cold, ...state } = work.state
  work.state = { ...state, rebase: "the conversation was compacted" }
  work.items = runtime.store.compact(heldBy(work), {
    at: runtime.now(),
    known: work.items.map(({ id }) => id),
    items: [
      { turn: undefined, item: { kind: "summary", text: summary.text } },
      ...kept.map(({ turn, item }) => ({ turn, item: withoutTail(item) })),
    ],
    state: stateChange(work),
  })
  work.saved = work.state
  const after = pinnedIn(headNow(work, work.state.rebase).baseline.entries)
  const lost = pinned.filter((id) => !after.includes(id))
  const [from, to] = [before.taken, roomOf(work).taken]
  const data = { why, from, to, items: summed.length, by: summary.by, pinned: pinned.length, lost }
  scope.event("session_compacted", { data, ...(lost.length > 0 && { level: "warn" as const }) })
  work.tell({ kind: "compacted", from, to, lost })
  return true
}

/** Not what belongs to a message that waits for its answer: its turn goes on from there. */
function allDone({ runtime, session, items }: Work): Split {
  const open = runtime.store.nextOf(session.id)
  const begins = items.findIndex(({ turn }) => turn !== undefined && turn === open?.turn)
  const cut = begins === -1 ? items.length : begins
  return { summed: items.slice(0, cut), kept: items.slice(cut) }
}

function withoutTail(item: Item): Item {
  if (item.kind !== "message") return item
  const [message] = detach([item.message])
  return message === undefined ? item : { ...item, message }
}

/** Sections without which no prompt may be, that are in this one. */
function pinnedIn(entries: Baseline["entries"]): readonly string[] {
  return entries.filter((entry) => entry.need === "required" && isSeen(entry)).map(({ id }) => id)
}

const INSTRUCTION = `Sum up this conversation for the agent that goes on with it. Keep, under these headings: Goal; Decisions (with who made them); Facts (names, numbers, dates, paths, ids, exactly as they stand); Done; Open (questions and promises). Leave out what no longer matters. Never keep keys or passwords.`

/** What stands for the items, and who wrote it. */
interface Summary {
  readonly text: string
  readonly by: "model" | "excerpt"
}

async function summaryOf(work: Work, items: readonly StoredItem[]): Promise<Summary> {
  const made = await askForSummary(work, items)
  const isMade = typeof made === "string" && made !== ""
  if (!isMade) reportExcerpt(work, made instanceof ModelFailure ? made.message : "its answer was empty")
  const text = isMade ? made : excerptOf(items)
  return { text: within(work, SUMMARY, `${text}\n\n${factsText(work)}`), by: isMade ? "model" : "excerpt" }
}

/** Returns the failure if there is no answer after every try: the session goes on without one. */
async function askForSummary(work: Work, items: readonly StoredItem[]): Promise<string | ModelFailure> {
  const { runtime, gathered, turn, scope, signal } = work
  const purpose = "summary"
  const material = within(work, MATERIAL, transcriptText(items))
  const once = () =>
    askAside(runtime, {
      ...{ purpose, instruction: INSTRUCTION, material, turn, scope, signal },
      ...{ agent: gathered.agent, session: gathered.session, maxTokens: SUMMARY_TOKENS },
      spent: (cost) => {
        work.cost = addCost(work.cost, cost)
      },
    })
  try {
    return await withPatience(work, { model: runtime.model(), once, purpose })
  } catch (error) {
    if (!(error instanceof ModelFailure) || error.kind === "stopped") throw error
    return error
  }
}

function reportExcerpt({ scope, tell }: Work, why: string): void {
  const text = `The model could not sum up the conversation (${why}), so only the first words of each message were kept.`
  scope.event("finding", { level: "warn", data: { code: "summary-excerpt", text } })
  tell({ kind: "finding", text })
}

/** Both ends of a text, in a share of the room: what a larger window held may be more than this one does. */
function within(work: Work, share: number, text: string): string {
  const { room, factor } = roomOf(work)
  const ends = bothEnds()
  ends.add(text.trim())
  return ends.text(inCountedTokens(room * share, { factor, exact: false }), o200k)
}

/** What is known for sure, whatever the summary says. */
function factsText({ state }: Work): string {
  const files = (state.touched ?? []).slice(-20)
  return files.length === 0 ? "" : `Files touched:\n${files.map((path) => `- ${path}`).join("\n")}`
}

const PART_CHARACTERS = 4_000
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g

function transcriptText(items: readonly StoredItem[]): string {
  return items.flatMap(linesOf).join("\n\n")
}

function linesOf({ item }: StoredItem): readonly string[] {
  const message = messageOf(item)
  return message === undefined ? [] : partLines(message, item.kind === "message" ? item.by : undefined)
}

function partLines({ role, parts }: Message, by: Speaker | undefined): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind === "reasoning" || (part.kind === "text" && part.tail)) return []
    if (part.kind === "tool-call") return [`${role} calls ${part.name} ${JSON.stringify(part.input)}`]
    const isSaid = part.kind === "text" && part.envelope === true && by !== undefined
    const who = part.kind === "tool-result" ? "tool" : isSaid ? speakerLabel(by) : role
    const whole = isSaid ? insideEnvelope(part.text) : part.text
    const first = firstCharacters(whole, PART_CHARACTERS)
    const text = first === whole ? whole : `${first} ...`
    // Further lines are set in, so that none of them is taken for what somebody else said.
    return [`${who}: ${text.trim().replaceAll(LINE_END, "\n  ")}`]
  })
}

const EXCERPT_CHARACTERS = 200
const OLD_CHARACTERS = 8_000

/** Without a model: the summary so far, then what people asked and what they were answered, by its first words. */
function excerptOf(items: readonly StoredItem[]): string {
  const old = items.flatMap(({ item }) =>
    item.kind === "summary" ? [lastCharacters(item.text, OLD_CHARACTERS)] : [],
  )
  const spoken = items.filter(({ item }) => item.kind !== "summary")
  const lines = spoken.flatMap((one) =>
    linesOf(one)
      .filter((line) => !line.startsWith("tool:") && !line.includes(" calls "))
      .map((line) => `- ${firstCharacters(line.replaceAll(/\s+/g, " "), EXCERPT_CHARACTERS)}`),
  )
  return [...old, ...lines].join("\n")
}
