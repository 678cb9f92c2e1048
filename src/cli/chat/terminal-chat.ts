// A chat in a terminal: keys come in, turns of the agent go out to the screen. The only part that holds the state of both;
// what things look like and what keys do to a text is elsewhere.
import type { AgentOptions, RunningAgent } from "../../agent/agent.ts"
import type { LiveEvent } from "../../agent/live.ts"
import { IncipitError } from "../../core/error.ts"
import { painter, plural, type Streams, type Terminal, wrap } from "../terminal.ts"
import { answeredLine, answerOf, questionLines, wholeQuestion } from "./approval.ts"
import { composerFrame, sentLines, textWidth } from "./composer.ts"
import { type Desk, openDesk, sendOptions } from "./desk.ts"
import { edited, lineBroken, nameOf } from "./edit.ts"
import type { History } from "./history.ts"
import { EMPTY, type Input, textOf, withText } from "./input.ts"
import { listenToKeys } from "./keyboard.ts"
import type { Key, KeyPress } from "./keys.ts"
import { openQuestions } from "./questions.ts"
import { type Frame, openScreen } from "./screen.ts"
import { shellLines, shellOf } from "./shell.ts"
import { completed, isSlash, runSlash } from "./slash.ts"
import { statusLine } from "./status-line.ts"
import { statusFigures, type Talk } from "./talk.ts"
import { unfolded } from "./tool-line.ts"
import { type TurnView, viewTurn } from "./turn-view.ts"
import { visible } from "./visible.ts"

/** Opens the agent with what only a chat can give it. */
export type OpenAgent = (given: Pick<AgentOptions, "approve" | "notify">) => Promise<RunningAgent>

export interface ChatOptions {
  readonly open: OpenAgent
  readonly start: (agent: RunningAgent) => Pick<Talk, "from" | "session" | "isNew" | "isPlanning">
  readonly history: History
  readonly terminal: Terminal
  readonly streams: Streams
}

/** Resolves when the person has left, with the session they were in. */
export async function chatInTerminal(options: ChatOptions): Promise<string | undefined> {
  const chat = new TerminalChat(options)
  return chat.run()
}

/** What is going on besides writing: a turn, or a command of the user's own. */
interface Work {
  readonly stop: AbortController
  readonly turn: TurnView
  stops: number
  done: Promise<void>
}

/** No more frames than an eye can follow. */
const FRAME_MS = 25
const SPIN_MS = 100
/** How long a turn that was told to stop may take to do so when one leaves. */
const GRACE_MS = 2_000
const MOST_ROWS = 10

class TerminalChat {
  readonly #options: ChatOptions
  readonly #questions = openQuestions()
  readonly #screen: ReturnType<typeof openScreen>
  #desk: Desk | undefined
  #input: Input = EMPTY
  #candidates: readonly string[] = []
  /** Messages that wait for the turn to end. */
  #queue: readonly Input[] = []
  #finished: string[] = []
  #work: Work | undefined
  #timer: NodeJS.Timeout | undefined
  #leave: () => void = () => {}
  #later: NodeJS.Timeout | undefined
  #isLeaving = false

  constructor(options: ChatOptions) {
    this.#options = options
    this.#screen = openScreen((text) => void options.streams.output.write(text))
  }

  async run(): Promise<string | undefined> {
    const { streams, open, start, terminal } = this.#options
    const left = new Promise<void>((resolve) => {
      this.#leave = () => {
        this.#isLeaving = true
        resolve()
      }
    })
    const agent = await open({
      approve: (request) => this.#ask(request),
      notify: (text) => this.#print(notice(text, this.#paint)),
    })
    const { timeZone, now } = terminal
    const size = () => this.#size()
    const view = {
      get columns() {
        return size().columns
      },
      colour: terminal.colour,
      timeZone,
      now,
    }
    this.#desk = openDesk({ agent, view, start: start(agent), leave: this.#leave })
    const redraw = () => this.#schedule()
    const silence = listenToKeys(streams.input, { onKey: (key) => this.#press(key), onEnd: this.#leave })
    streams.output.on("resize", redraw)
    const spin = setInterval(() => this.#work !== undefined && redraw(), SPIN_MS)
    try {
      await this.#begin(this.#desk)
      await Promise.race([left, terminal.stopped()])
      await this.#stopWork()
    } finally {
      clearInterval(spin)
      clearTimeout(this.#later)
      streams.output.off("resize", redraw)
      silence()
      this.#draw({ lines: [] })
      clearTimeout(this.#timer)
      this.#screen.close()
      await agent.close()
    }
    return this.#desk.talk.session
  }

  get #paint() {
    return painter(this.#options.terminal)
  }

  #size() {
    const { columns = 80, rows = 24 } = this.#options.streams.output
    return { columns: Math.max(20, columns), rows: Math.max(5, rows) }
  }

  /** What waits from an earlier time is worked off first; it stays silent if there is nothing. */
  async #begin(desk: Desk): Promise<void> {
    const { agent } = desk
    await desk.refresh()
    this.#print([`${this.#paint("bold", visible(agent.name))} · ${agent.model.id} · /help for commands`])
    const { session } = desk.talk
    const known = agent.sessions(desk.talk.from).find(({ id }) => id === session)
    if (known !== undefined)
      this.#print([
        this.#paint("dim", `going on with "${visible(known.title)}", ${plural(known.turns, "turn")}`),
      ])
    const unseen = agent.notices(desk.talk.from).filter(({ isNew }) => isNew)
    this.#print(unseen.flatMap(({ text }) => notice(text, this.#paint)))
    this.#start(async (tell, signal) => void (await agent.resume(tell, signal)))
  }

  #print(lines: readonly string[]): void {
    this.#finished.push(...lines)
    this.#schedule()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#draw(this.#frame()), FRAME_MS)
  }

  #draw(frame: Frame): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const finished = this.#finished
    this.#finished = []
    this.#screen.draw(finished, frame, this.#size())
  }

  #frame(): Frame {
    const desk = this.#desk
    if (desk === undefined) return { lines: [] }
    const { columns, rows } = this.#size()
    const paint = this.#paint
    const status = paint("dim", statusLine(statusFigures(desk.talk, desk.agent), columns))
    const { first } = this.#questions
    const most = Math.max(3, rows - 10)
    const asked =
      first === undefined
        ? []
        : questionLines(first.question, { columns, most, isWaiting: first.isHeld }, paint)
    const isWriting = first === undefined || first.isHeld
    const view = { columns, most: Math.max(1, Math.min(MOST_ROWS, rows - 6)), candidates: this.#candidates }
    const composer = isWriting ? composerFrame(this.#input, view, paint) : { lines: [] }
    const queued = this.#queue.flatMap((input) =>
      sentLines(input, columns, (_style, text) => paint("dim", text)).slice(0, 3),
    )
    const below = ["", ...asked, ...queued, ...composer.lines, status]
    const page = { columns, colour: desk.view.colour }
    const open = this.#work?.turn.open(page, desk.view.now()) ?? []
    // The question and what is being written are seen whole; of an answer that is being written, the end.
    const above = open.slice(Math.max(0, open.length - Math.max(0, rows - 1 - below.length)))
    const cursor = composer.cursor && {
      row: above.length + 1 + asked.length + queued.length + composer.cursor.row,
      column: composer.cursor.column,
    }
    return { lines: [...above, ...below], ...(cursor && { cursor }) }
  }

  #press(key: Key): void {
    const { first } = this.#questions
    if (first !== undefined && !first.isHeld) this.#answer(key)
    else if (key.kind === "key" && this.#command(key)) this.#schedule()
    else {
      this.#candidates = []
      const context = { history: this.#options.history.entries, width: textWidth(this.#size().columns) }
      this.#input = edited(this.#input, key, context) ?? this.#input
    }
    this.#schedule()
  }

  /** Keys that do something else than write. */
  #command(key: KeyPress): boolean {
    const name = nameOf(key)
    const broken = lineBroken(this.#input, key)
    const isEmpty = this.#input.units.length === 0
    if (broken !== undefined) this.#input = broken
    else if (name === "enter") this.#submit()
    else if (name === "tab" && this.#questions.first !== undefined) this.#questions.turnTo()
    else if (name === "tab") this.#complete()
    else if (name === "ctrl-c") this.#interrupt(isEmpty)
    else if (name === "ctrl-d" && isEmpty) this.#leave()
    else if (name === "ctrl-o") this.#unfold()
    else if (name === "ctrl-l") this.#screen.clear()
    else return false
    return true
  }

  #complete(): void {
    const { text, candidates } = completed(textOf(this.#input))
    this.#input = withText(this.#input, text)
    this.#candidates = candidates
  }

  #unfold(): void {
    const tools = this.#work?.turn.tools ?? this.#desk?.talk.tools ?? []
    const { columns } = this.#size()
    const lines = tools.flatMap((use) => unfolded(use, columns, this.#paint))
    this.#print([
      "",
      ...(lines.length > 0 ? lines : [this.#paint("dim", "no tool was used in the last turn")]),
    ])
  }

  #interrupt(isEmpty: boolean): void {
    const work = this.#work
    if (work !== undefined) {
      work.stops += 1
      if (work.stops > 1) this.#leave()
      else this.#stop(work)
    } else if (isEmpty) this.#leave()
    else this.#input = { ...EMPTY, killed: this.#input.units }
  }

  /** What was to be said after this turn may no longer fit, so it goes back to where it can be changed. */
  #stop(work: Work): void {
    work.stop.abort()
    this.#questions.refuseAll()
    const waiting = [...this.#queue.map(textOf), textOf(this.#input)].filter((text) => text !== "")
    if (this.#queue.length > 0) this.#input = withText(this.#input, waiting.join("\n"))
    this.#queue = []
  }

  #submit(): void {
    const input = this.#input
    const text = textOf(input)
    if (text.trim() === "") return
    this.#input = { ...EMPTY, killed: input.killed }
    this.#candidates = []
    this.#options.history.add(text)
    // What only asks need not wait.
    if (this.#work === undefined || isSlash(text)) this.#do(input)
    else this.#queue = [...this.#queue, input]
  }

  #do(input: Input): void {
    const desk = this.#desk
    if (desk === undefined) return
    const text = textOf(input)
    this.#print(["", ...sentLines(input, this.#size().columns, this.#paint)])
    if (isSlash(text)) {
      void this.#told(async () =>
        this.#print(["", ...(await runSlash(desk, text, this.#work !== undefined))]),
      )
      return
    }
    const command = shellOf(text)
    if (command === undefined)
      this.#start(
        async (tell, signal) =>
          void (await desk.agent.send(text, { ...sendOptions(desk.talk), tell, signal })),
      )
    else
      this.#start(async (_tell, signal) => {
        const { planMode, ...who } = sendOptions(desk.talk)
        const result = await desk.agent.shell(command.command, { ...who, isTold: command.isTold, signal })
        this.#print(shellLines(result, command.isTold, this.#paint))
      })
  }

  #start(work: (tell: (event: LiveEvent) => void, signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController()
    const turn = viewTurn(this.#options.terminal.now())
    const started: Work = { stop, turn, stops: 0, done: Promise.resolve() }
    this.#work = started
    started.done = this.#told(() => work((event) => this.#take(event, turn), stop.signal)).finally(() => {
      this.#work = undefined
      if (turn.tools.length > 0) this.#desk?.change({ tools: turn.tools })
      this.#questions.refuseAll()
      const [next, ...rest] = this.#queue
      this.#queue = rest
      if (next !== undefined && !this.#isLeaving) this.#do(next)
      this.#schedule()
    })
    this.#schedule()
  }

  #take(event: LiveEvent, turn: TurnView): void {
    this.#desk?.take(event)
    if (event.kind === "turn-started") this.#desk?.change({ tools: [] })
    if (event.kind === "queued") this.#tryLater(event.notBefore)
    this.#print(turn.tell(event, { columns: this.#size().columns, colour: this.#options.terminal.colour }))
  }

  /** A message that could not be answered is tried again when it is time, if nothing else goes on then. */
  #tryLater(notBefore: number): void {
    clearTimeout(this.#later)
    const wait = Math.max(1_000, notBefore - this.#options.terminal.now())
    this.#later = setTimeout(() => {
      if (this.#work !== undefined) return this.#tryLater(notBefore)
      this.#start(async (tell, signal) => void (await this.#desk?.agent.resume(tell, signal)))
    }, wait)
  }

  /** What can not be done is said, and the chat goes on. */
  async #told(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof IncipitError)) throw error
      const { columns } = this.#size()
      const lines = wrap(`${visible(error.message)}. ${error.help}`, columns)
      this.#print(["", ...lines.map((line) => this.#paint("red", line))])
    }
  }

  #ask(request: Parameters<NonNullable<AgentOptions["approve"]>>[0]) {
    const answer = this.#questions.ask(request, this.#input.units.length > 0)
    this.#schedule()
    return answer
  }

  #answer(key: Key): void {
    const question = this.#questions.first?.question
    const answer = answerOf(key)
    if (question === undefined || answer === undefined) return
    const { columns } = this.#size()
    if (answer === "show") return this.#print(["", ...wholeQuestion(question, columns, this.#paint)])
    this.#print(["", answeredLine(question, answer, columns, this.#paint)])
    if (answer !== "stop") return this.#questions.answer(answer)
    this.#questions.answer("no")
    if (this.#work !== undefined) this.#interrupt(true)
  }

  async #stopWork(): Promise<void> {
    const work = this.#work
    if (work === undefined) return
    this.#queue = []
    work.stop.abort()
    this.#questions.refuseAll()
    let timer: NodeJS.Timeout | undefined
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS)
    })
    await Promise.race([work.done, grace])
    clearTimeout(timer)
  }
}

function notice(text: string, paint: ReturnType<typeof painter>): readonly string[] {
  return [
    "",
    ...text.split("\n").map((line, at) => paint("cyan", `${at === 0 ? "!" : " "} ${visible(line)}`)),
  ]
}
