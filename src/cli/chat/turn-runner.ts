// Runs what a chat does beside writing: one turn, or one of the user's commands, at a time. Further messages wait.
import type { LiveEvent } from "../../agent/turn/live-event.ts"
import type { StoredReply } from "../../database/contract/reply.ts"
import { asTyped, eventAsTyped } from "../command-line/as-typed.ts"
import { painter } from "../views/colour.ts"
import type { Page } from "../views/page.ts"
import { cells, fitCell, wrap } from "../views/widths.ts"
import { attachedTo } from "./attached.ts"
import { type ChatContext, sendOptions } from "./chat-context.ts"
import { parseUserCommand, runUserCommand } from "./commands/shell.ts"
import { isQuit, isSlash, runSlash } from "./commands/slash.ts"
import { failureText } from "./failure.ts"
import { sentLines } from "./screen/composer.ts"
import { EMPTY, type Input, inputText } from "./screen/input.ts"
import { visible } from "./screen/visible.ts"
import type { ToolUse } from "./tool-line.ts"
import { continuesAnswer, type TurnView, viewTurn } from "./turn-view.ts"

export interface TurnRunner {
  readonly isBusy: boolean
  readonly queue: readonly Input[]
  /** Tools of the running turn, else of the last one. */
  readonly tools: readonly ToolUse[]
  /** The unfinished lines as they are so far. */
  open(page: Page, isAsking: boolean): readonly string[]
  /** Runs now, or when the current work is over. Commands that only query do not wait. */
  submit(input: Input): void
  /** Processes messages from an earlier chat; shows nothing if there are none. */
  resume(): void
  /** Stops the current work and returns the waiting messages, which may no longer fit. */
  stop(): { readonly times: number; readonly waiting: readonly Input[] }
  /** Shows an answer that no caller waited for; nothing is shown twice. */
  deliver(reply: StoredReply): void
  /** Stops the current work and waits briefly for its end. */
  close(): Promise<void>
}

export interface TurnRunnerOptions {
  readonly chat: ChatContext
  readonly print: (lines: readonly string[]) => void
  /** Puts a text into the composer. */
  readonly write: (text: string) => void
  /** The current work is over, or about to be: no question needs an answer any more. */
  readonly onStop: () => void
  /** Receives our own mistakes. */
  readonly onFailure: (error: unknown) => void
}

export function openTurnRunner(options: TurnRunnerOptions): TurnRunner {
  return new SerialRunner(options)
}

interface Running {
  readonly stop: AbortController
  readonly turn: TurnView
  stops: number
  done: Promise<void>
}

type Report = (event: LiveEvent, isOwn?: boolean) => void
type Task = (tell: Report, signal: AbortSignal) => Promise<unknown>

/** How long a stopped turn may take to end when the user leaves. */
const GRACE_MS = 2_000
/** A waiting message is not retried more often. */
const MIN_WAIT_MS = 1_000

class SerialRunner implements TurnRunner {
  readonly #options: TurnRunnerOptions
  #running: Running | undefined
  #queue: readonly Input[] = []
  #later: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #showing: Promise<void> = Promise.resolve()
  /** Commands whose results wait for the end of a text, so that they do not split it. */
  #held: readonly Input[] = []
  /** Resolves when no text is being written. */
  #textOver: PromiseWithResolvers<void> | undefined
  #isClosed = false
  /** Turns whose end was shown. */
  readonly #finished = new Set<string>()
  /** Messages that could not be answered yet, by turn. */
  readonly #waiting = new Map<string, string>()
  /** Prompt changes that were shown: the agent reports them with every turn. */
  readonly #changes = new Set<string>()

  constructor(options: TurnRunnerOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  get queue(): readonly Input[] {
    return [...this.#held, ...this.#queue]
  }

  get tools(): readonly ToolUse[] {
    return this.#running?.turn.tools ?? this.#options.chat.talk.tools
  }

  open(page: Page, isAsking: boolean): readonly string[] {
    if (this.#running === undefined) return []
    const { turn, stops } = this.#running
    return turn.open(page, { now: this.#options.chat.view.now(), isStopping: stops > 0, isAsking })
  }

  submit(input: Input): void {
    if (this.isBusy && !isSlash(inputText(input))) this.#queue = [...this.#queue, input]
    else this.#do(input)
  }

  resume(): void {
    const { chat, print } = this.#options
    // A resumed turn may belong to anybody: only one of this conversation changes the talk.
    let isOwn = false
    let wasOwn = false
    this.#start(async (tell, signal) => {
      await chat.agent.resume((event) => {
        if (event.kind === "turn-started") {
          isOwn = event.session === chat.talk.session
          wasOwn ||= isOwn
          print(["", this.#lateLine(event.turn)])
        }
        tell(event, isOwn)
      }, signal)
      if (wasOwn) chat.answered(await chat.agent.preview("", sendOptions(chat.talk)))
    })
  }

  deliver(reply: StoredReply): void {
    const { chat, print } = this.#options
    if (this.#finished.has(reply.turn)) return
    this.#finished.add(reply.turn)
    const turn = viewTurn(chat.view.now())
    print(["", this.#lateLine(reply.turn)])
    print(turn.tell({ kind: "turn-finished", reply }, chat.view))
  }

  /** Which message a late answer belongs to. */
  #lateLine(turn: string): string {
    const { view } = this.#options.chat
    const text = this.#waiting.get(turn)?.replaceAll(/\s+/g, " ")
    const line = text === undefined ? "answer to an earlier message:" : `answer to "${visible(text)}":`
    return painter(view)("dim", fitCell(line, Math.min(view.columns, cells(line))))
  }

  stop(): { readonly times: number; readonly waiting: readonly Input[] } {
    const waiting = this.#queue
    this.#queue = []
    const running = this.#running
    if (running === undefined) return { times: 0, waiting }
    running.stops += 1
    this.#options.onStop()
    // Refused calls end first, so that none is reported as possibly having taken effect.
    setImmediate(() => running.stop.abort())
    return { times: running.stops, waiting }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#later)
    this.stop()
    let timer: NodeJS.Timeout | undefined
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS)
    })
    await Promise.race([this.#running?.done, grace])
    clearTimeout(timer)
  }

  #do(input: Input): void {
    const { chat, print } = this.#options
    const text = inputText(input)
    if (isSlash(text)) {
      this.#look(input)
      return
    }
    this.#echo(input)
    const own = parseUserCommand(text)
    if (own === undefined) this.#start((tell, signal) => this.#send(input, tell, signal))
    else this.#start(async (_tell, signal) => print(["", ...(await runUserCommand(chat, own, signal))]))
  }

  async #send(input: Input, tell: Report, signal: AbortSignal): Promise<void> {
    const { chat, print } = this.#options
    const text = inputText(input)
    const { files, lines } = attachedTo(input.units, chat.view.cwd)
    print(
      lines.map((line) => painter(chat.view)("dim", `  ${fitCell(line, chat.view.columns - 2).trimEnd()}`)),
    )
    const sent = { ...sendOptions(chat.talk), ...(files.length > 0 && { files }) }
    const reply = await chat.agent.send(text, { ...sent, observe: tell, signal })
    chat.answered(reply.prompt)
    await chat.settle()
    if (reply.state === "queued") this.#waiting.set(reply.turn, text)
  }

  /** One after the other, so that each answer is below its question. */
  #look(input: Input): void {
    const { chat, write } = this.#options
    const text = inputText(input)
    if (isQuit(text)) {
      this.#echo(input)
      chat.leave()
      return
    }
    const isEchoed = this.#textOver === undefined && this.#held.length === 0
    if (isEchoed) this.#echo(input)
    else this.#held = [...this.#held, input]
    this.#looking = this.#looking.then(() =>
      this.#guarded(async () => {
        const said = await runSlash(chat, text, this.isBusy)
        this.#showing = this.#showing.then(() => this.#show(input, said.lines, isEchoed))
        // What follows from it comes below it.
        if (this.#textOver === undefined) await this.#showing
        if (said.write !== undefined) write(said.write)
        if (said.send !== undefined) this.submit({ ...EMPTY, units: [said.send] })
        const { retry } = said
        if (retry !== undefined) this.#start((tell, signal) => this.#retry(retry, tell, signal))
      }),
    )
  }

  #echo(input: Input): void {
    const { chat, print } = this.#options
    print(["", ...sentLines(input, chat.view.columns, painter(chat.view))])
  }

  async #show(input: Input, lines: readonly string[], isEchoed: boolean): Promise<void> {
    // Another text may have begun when this one was over.
    while (this.#textOver !== undefined) await this.#textOver.promise
    this.#held = this.#held.filter((one) => one !== input)
    if (!isEchoed) this.#echo(input)
    this.#options.print(lines.length > 0 ? ["", ...lines] : [])
  }

  async #retry(turn: string, tell: Report, signal: AbortSignal): Promise<void> {
    const { chat } = this.#options
    const { from } = chat.talk
    let isOwn = false
    const observe = (event: LiveEvent) => {
      if (event.kind === "turn-started") isOwn = event.session === chat.talk.session
      tell(event, isOwn)
    }
    const { prompt } = await chat.agent.queue.retry(turn, { from, signal, observe })
    if (isOwn) chat.answered(prompt)
    await chat.settle()
  }

  /** A text begins and ends with these events. */
  #follow(event: LiveEvent): void {
    if (event.kind === "text") this.#textOver ??= Promise.withResolvers()
    else if (!continuesAnswer(event)) this.#endText()
  }

  #endText(): void {
    this.#textOver?.resolve()
    this.#textOver = undefined
  }

  #start(doing: Task): void {
    const { chat, print, onStop } = this.#options
    const stop = new AbortController()
    const turn = viewTurn(chat.view.now())
    const running: Running = { stop, turn, stops: 0, done: Promise.resolve() }
    this.#running = running
    const tell: Report = (event, isOwn) => this.#take(event, turn, isOwn)
    running.done = this.#guarded(() => doing(tell, stop.signal)).finally(() => {
      this.#running = undefined
      this.#endText()
      if (turn.tools.length > 0) chat.change({ tools: turn.tools })
      onStop()
      const [next, ...rest] = this.#queue
      this.#queue = rest
      if (next !== undefined && !this.#isClosed) this.#do(next)
      print([])
    })
    print([])
  }

  #take(event: LiveEvent, turn: TurnView, isOwn = true): void {
    const { chat, print } = this.#options
    if (isOwn) chat.take(event)
    this.#follow(event)
    if (event.kind === "queued") this.#tryLater(event.notBefore)
    if (event.kind === "turn-finished" && event.reply.state !== "queued") this.#finished.add(event.reply.turn)
    if (this.#isNews(event)) print(turn.tell(eventAsTyped(event, chat.view), chat.view))
  }

  /** A prompt change is news until an epoch includes it. */
  #isNews(event: LiveEvent): boolean {
    if (event.kind === "epoch-started") this.#changes.clear()
    if (event.kind !== "section-updated") return true
    const change = `${event.id} ${event.why} ${event.how}`
    const isKnown = this.#changes.has(change)
    this.#changes.add(change)
    return !isKnown
  }

  /** Retries an unanswered message when it is due and nothing else is running. */
  #tryLater(notBefore: number): void {
    clearTimeout(this.#later)
    const wait = Math.max(MIN_WAIT_MS, notBefore - this.#options.chat.view.now())
    this.#later = setTimeout(() => (this.isBusy ? this.#tryLater(notBefore) : this.resume()), wait)
  }

  /** Shows a failure, and the chat continues. */
  async #guarded(doing: () => Promise<unknown>): Promise<void> {
    const { chat, print, onFailure } = this.#options
    try {
      await doing()
    } catch (error) {
      const text = failureText(error)
      if (text === undefined) return onFailure(error)
      const lines = wrap(asTyped(text, chat.view), chat.view.columns)
      print(["", ...lines.map((line) => painter(chat.view)("red", line))])
    }
  }
}
