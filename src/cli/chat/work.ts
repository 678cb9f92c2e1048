// What goes on in a chat besides writing: one turn, or one command of the user's own, at a time. Messages that come
// meanwhile wait.
import type { StoredReply } from "../../agent/store/stored.ts"
import type { LiveEvent } from "../../agent/turn/live.ts"
import { cells, fitCell, type Page, painter, wrap } from "../views/terminal.ts"
import { runOwn, shellOf } from "./commands/shell.ts"
import { isSlash, runSlash } from "./commands/slash.ts"
import { type Desk, sendOptions } from "./desk.ts"
import { failureText } from "./failure.ts"
import { sentLines } from "./screen/composer.ts"
import { EMPTY, type Input, textOf } from "./screen/input.ts"
import { visible } from "./screen/visible.ts"
import type { ToolUse } from "./tool-line.ts"
import { type TurnView, viewTurn } from "./turn-view.ts"

export interface Work {
  readonly isBusy: boolean
  readonly queue: readonly Input[]
  /** Of the turn that goes on, else of the last. */
  readonly tools: readonly ToolUse[]
  /** What is not finished, as it stands. */
  open(page: Page, isAsking: boolean): readonly string[]
  /** At once, or when what goes on is over. What only asks does not wait. */
  submit(input: Input): void
  /** Takes up what waits from an earlier time; nothing is seen if there is nothing. */
  resume(): void
  /** Stops what goes on, and gives back what waited: it may no longer fit. */
  stop(): { readonly times: number; readonly waiting: readonly Input[] }
  /** An answer that nobody waited for; nothing is said twice. */
  deliver(reply: StoredReply): void
  /** Stops what goes on and waits for its end, though not for long. */
  close(): Promise<void>
}

export interface WorkOptions {
  readonly desk: Desk
  readonly print: (lines: readonly string[]) => void
  /** Puts a text where messages are written. */
  readonly write: (text: string) => void
  /** What goes on is over, or is about to be: nobody waits for an answer any more. */
  readonly onStop: () => void
  /** For mistakes of our own. */
  readonly onFailure: (error: unknown) => void
}

export function openWork(options: WorkOptions): Work {
  return new OneAtATime(options)
}

interface Running {
  readonly stop: AbortController
  readonly turn: TurnView
  stops: number
  done: Promise<void>
}

type Tell = (event: LiveEvent, isOwn?: boolean) => void
type Doing = (tell: Tell, signal: AbortSignal) => Promise<unknown>

/** How long a turn that was told to stop may take to do so when one leaves. */
const GRACE_MS = 2_000
/** A message that waits is not tried more often. */
const LEAST_WAIT_MS = 1_000

class OneAtATime implements Work {
  readonly #options: WorkOptions
  #running: Running | undefined
  #queue: readonly Input[] = []
  #later: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false
  /** Turns whose end was told. */
  readonly #finished = new Set<string>()
  /** Messages that could not be answered yet, by turn. */
  readonly #waiting = new Map<string, string>()
  /** Changes of the prompt that were told: the agent tells them with every turn. */
  readonly #changes = new Set<string>()

  constructor(options: WorkOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  get queue(): readonly Input[] {
    return this.#queue
  }

  get tools(): readonly ToolUse[] {
    return this.#running?.turn.tools ?? this.#options.desk.talk.tools
  }

  open(page: Page, isAsking: boolean): readonly string[] {
    if (this.#running === undefined) return []
    const { turn, stops } = this.#running
    return turn.open(page, { now: this.#options.desk.view.now(), isStopping: stops > 0, isAsking })
  }

  submit(input: Input): void {
    if (this.isBusy && !isSlash(textOf(input))) this.#queue = [...this.#queue, input]
    else this.#do(input)
  }

  resume(): void {
    const { desk, print } = this.#options
    // What is taken up may be anybody's: only a turn of this conversation changes what is known of it.
    let isOwn = false
    let wasOwn = false
    this.#start(async (tell, signal) => {
      await desk.agent.resume((event) => {
        if (event.kind === "turn-started") {
          isOwn = event.session === desk.talk.session
          wasOwn ||= isOwn
          print(["", this.#lateLine(event.turn)])
        }
        tell(event, isOwn)
      }, signal)
      if (wasOwn) desk.answered(await desk.agent.preview("", sendOptions(desk.talk)))
    })
  }

  deliver(reply: StoredReply): void {
    const { desk, print } = this.#options
    if (this.#finished.has(reply.turn)) return
    this.#finished.add(reply.turn)
    const turn = viewTurn(desk.view.now())
    print(["", this.#lateLine(reply.turn)])
    print(turn.tell({ kind: "turn-finished", reply }, desk.view))
  }

  /** Which message an answer is to that comes late. */
  #lateLine(turn: string): string {
    const { view } = this.#options.desk
    const text = this.#waiting.get(turn)?.replaceAll(/\s+/g, " ")
    const line = text === undefined ? "to an earlier message:" : `to "${visible(text)}":`
    return painter(view)("dim", fitCell(line, Math.min(view.columns, cells(line))))
  }

  stop(): { readonly times: number; readonly waiting: readonly Input[] } {
    const waiting = this.#queue
    this.#queue = []
    const running = this.#running
    if (running === undefined) return { times: 0, waiting }
    running.stops += 1
    this.#options.onStop()
    // What was refused comes to its own end first: nobody need be told that it may have taken effect.
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
    const { desk, print } = this.#options
    const text = textOf(input)
    if (isSlash(text)) {
      this.#look(input)
      return
    }
    print(["", ...sentLines(input, desk.view.columns, painter(desk.view))])
    const own = shellOf(text)
    if (own === undefined) this.#start((tell, signal) => this.#send(text, tell, signal))
    else this.#start(async (_tell, signal) => print(["", ...(await runOwn(desk, own, signal))]))
  }

  async #send(text: string, tell: Tell, signal: AbortSignal): Promise<void> {
    const { desk } = this.#options
    const reply = await desk.agent.send(text, { ...sendOptions(desk.talk), observe: tell, signal })
    desk.answered(reply.prompt)
    await desk.settle()
    if (reply.state === "queued") this.#waiting.set(reply.turn, text)
  }

  /** One after the other, so that each answer stands under its question. */
  #look(input: Input): void {
    const { desk, print } = this.#options
    this.#looking = this.#looking.then(() =>
      this.#guarded(async () => {
        print(["", ...sentLines(input, desk.view.columns, painter(desk.view))])
        const { lines, send, write } = await runSlash(desk, textOf(input), this.isBusy)
        print(lines.length > 0 ? ["", ...lines] : [])
        if (write !== undefined) this.#options.write(write)
        if (send !== undefined) this.submit({ ...EMPTY, units: [send] })
      }),
    )
  }

  #start(doing: Doing): void {
    const { desk, print, onStop } = this.#options
    const stop = new AbortController()
    const turn = viewTurn(desk.view.now())
    const running: Running = { stop, turn, stops: 0, done: Promise.resolve() }
    this.#running = running
    const tell: Tell = (event, isOwn) => this.#take(event, turn, isOwn)
    running.done = this.#guarded(() => doing(tell, stop.signal)).finally(() => {
      this.#running = undefined
      if (turn.tools.length > 0) desk.change({ tools: turn.tools })
      onStop()
      const [next, ...rest] = this.#queue
      this.#queue = rest
      if (next !== undefined && !this.#isClosed) this.#do(next)
      print([])
    })
    print([])
  }

  #take(event: LiveEvent, turn: TurnView, isOwn = true): void {
    const { desk, print } = this.#options
    if (isOwn) desk.take(event)
    if (event.kind === "queued") this.#tryLater(event.notBefore)
    if (event.kind === "turn-finished" && event.reply.state !== "queued") this.#finished.add(event.reply.turn)
    if (this.#isNews(event)) print(turn.tell(event, desk.view))
  }

  /** A change of the prompt is one until an epoch takes it up. */
  #isNews(event: LiveEvent): boolean {
    if (event.kind === "epoch-started") this.#changes.clear()
    if (event.kind !== "section-updated") return true
    const change = `${event.id} ${event.why} ${event.how}`
    const isKnown = this.#changes.has(change)
    this.#changes.add(change)
    return !isKnown
  }

  /** A message that could not be answered is tried again when it is time, and when nothing else goes on. */
  #tryLater(notBefore: number): void {
    clearTimeout(this.#later)
    const wait = Math.max(LEAST_WAIT_MS, notBefore - this.#options.desk.view.now())
    this.#later = setTimeout(() => (this.isBusy ? this.#tryLater(notBefore) : this.resume()), wait)
  }

  /** What cannot be done is said, and the chat goes on. */
  async #guarded(doing: () => Promise<unknown>): Promise<void> {
    const { desk, print, onFailure } = this.#options
    try {
      await doing()
    } catch (error) {
      const text = failureText(error)
      if (text === undefined) return onFailure(error)
      const lines = wrap(text, desk.view.columns)
      print(["", ...lines.map((line) => painter(desk.view)("red", line))])
    }
  }
}
