// One step of the tour: announces it, does it if the person wants, and shows what happened behind it.
import type { LiveEvent } from "../../agent/turn/live-event.ts"
import { simulatedModel } from "../../record/prices/offline-calls.ts"
import { o200k } from "../../tokens/o200k.ts"
import { questionOf } from "../chat/approval.ts"
import { failureText } from "../chat/failure.ts"
import { visible, visibleLines } from "../chat/screen/visible.ts"
import { type ToolUse, toolLine } from "../chat/tool-line.ts"
import { asTyped } from "../command-line/as-typed.ts"
import { flagsFor } from "../command-line/invocation.ts"
import { painter } from "../views/colour.ts"
import { wrap } from "../views/widths.ts"
import { LOOKS, titled, turnFigures } from "./looks.ts"
import { makeChange, type SoulChange, soulChange } from "./place.ts"
import type { Tour, TurnResult } from "./running-tour.ts"
import type { TourStep } from "./steps.ts"
import { type Bill, billOf, indented, turnFiguresView } from "./views.ts"

export interface StepResult {
  readonly isChanged: boolean
  /** The bill of the message, if one was sent. */
  readonly bill?: Bill
}

const NOTHING: StepResult = { isChanged: false }

/** Everything it shows begins with a blank line. */
export async function playStep(tour: Tour, step: TourStep, number: string): Promise<StepResult> {
  const { say, terminal } = tour
  const paint = painter(terminal)
  const message = tour.place.isSample ? step.message : (step.elsewhere ?? step.message)
  const title = `${paint("bold", step.title)} ${paint("dim", `(${number})`)}`
  say(["", title, ...wrap(asTyped(step.text, terminal), terminal.columns)])
  const change = step.action === "change-soul" ? soulChange(tour.place) : undefined
  if (step.action === "change-soul" && change === undefined) {
    say(["This workspace has no SOUL.md to change."])
    return NOTHING
  }
  if (change !== undefined) say(changeLines(change, tour))
  if (message !== undefined)
    say(["", ...broken(`> ${message}`, terminal.columns).map((line) => paint("cyan", line))])
  const choice = await tour.person.choose(message)
  if (choice.kind !== "go") return NOTHING
  if (change !== undefined && !(await changeSoul(tour, change))) return NOTHING
  if (step.action === "new-epoch") await tour.agent.reload()
  const result = message === undefined ? undefined : await sendMessage(tour, choice.text)
  for (const look of step.looks) if (!tour.leaving.aborted) say(await LOOKS[look](tour, result))
  return { isChanged: change !== undefined, ...(result && { bill: billOf(result.figures) }) }
}

function changeLines({ before, after }: SoulChange, { terminal }: Tour): readonly string[] {
  const paint = painter(terminal)
  const texts = { before: before.toString(), after: after.toString() }
  const { body } = questionOf({ kind: "edit", path: "SOUL.md", ...texts })
  const lines = body
    .filter(({ text }) => text.trim() !== "")
    .flatMap(({ text, style }) =>
      indented(text, terminal).map((line) => (style === undefined ? line : paint(style, line))),
    )
  return ["", paint("bold", "SOUL.md"), ...lines]
}

async function changeSoul(tour: Tour, change: SoulChange): Promise<boolean> {
  const { place, person, terminal, flags, agent } = tour
  const question = "Add this line to your SOUL.md? It is removed again at the end."
  if (!place.isSample && !(await person.agrees(question))) {
    tour.say(["", "SOUL.md was not changed."])
    return false
  }
  makeChange(change, place, terminal)
  const { plan } = await agent.preview("")
  tour.say([""])
  const { run: price } = await import("../commands/prompt/price.ts")
  await price({
    words: [],
    flags: flagsFor("price", {
      workspace: place.folder,
      home: flags.home,
      edit: "SOUL.md",
      adds: o200k.count(`${change.line}\n\n`),
      conversation: plan.budget.conversation,
      model: simulatedModel(agent.model.id),
    }),
    terminal: { ...terminal, cwd: place.folder },
  })
  return true
}

/** Returns undefined if there is no answer to look behind. */
async function sendMessage(tour: Tour, text: string): Promise<TurnResult | undefined> {
  const { agent, leaving, say, terminal } = tour
  const answer = showAnswer(tour)
  try {
    const reply = await agent.send(text, { signal: leaving, observe: answer.tell })
    if (reply.prompt === undefined || leaving.aborted) return undefined
    const figures = await turnFigures(tour, reply, reply.prompt)
    say(titled(tour, "Behind the answer", turnFiguresView(figures, terminal)))
    return { turn: reply.turn, figures, tools: answer.tools() }
  } catch (error) {
    const failure = failureText(error)
    if (failure === undefined) throw error
    say(["", ...wrap(asTyped(failure, terminal), terminal.columns)])
    return undefined
  }
}

/** Shows each tool call as a line, and the answer once it is complete. */
function showAnswer({ say, terminal }: Tour) {
  const uses = new Map<string, ToolUse>()
  const { columns } = terminal
  let words = ""
  let isFirst = true
  const tell = (event: LiveEvent) => {
    if (event.kind === "text") words += event.text
    if (event.kind === "step-discarded") words = ""
    if (event.kind === "step-finished") {
      if (words.trim() !== "")
        say(["", ...visibleLines(words.trim()).flatMap((line) => broken(line, columns))])
      words = ""
    }
    if (event.kind === "tool-started") uses.set(event.call, event)
    if (event.kind === "tool-finished") {
      const { call, name, text, isError, durationMs } = event
      const use = {
        ...(uses.get(call) ?? { call, name, input: undefined }),
        result: { text, isError, durationMs },
      }
      uses.set(call, use)
      say([...(isFirst ? [""] : []), toolLine(use, columns, painter(terminal))])
      isFirst = false
    }
    if (event.kind === "turn-finished" && event.reply.state !== "answered")
      say(["", ...wrap(visible(event.reply.text || event.reply.state), columns)])
  }
  return { tell, tools: () => [...uses.values()] }
}

/** Keeps the prefix of quotes and list items. */
function broken(line: string, columns: number): readonly string[] {
  const [mark = ""] = /^(?:> ?)*(?:[-*] )?/.exec(line) ?? []
  const [first = "", ...rest] = wrap(line.slice(mark.length), columns - mark.length)
  return [mark + first, ...rest.map((text) => mark.replace(/[-*] $/, "  ") + text)]
}
