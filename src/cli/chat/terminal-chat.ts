// A chat in a terminal: reads keys and draws frames. Layout, text editing and the agent's work are in other files.
import type { AgentOptions, RunningAgent } from "../../agent/setup/agent.ts"
import type { ApprovalRequest } from "../../tools/host.ts"
import { asTyped } from "../command-line/as-typed.ts"
import type { Streams, Terminal } from "../terminal.ts"
import { painter, type Style } from "../views/colour.ts"
import type { Page } from "../views/page.ts"
import { wrap } from "../views/widths.ts"
import { type Answer, answeredLine, questionLines } from "./approval.ts"
import { type ChatContext, openChatContext } from "./chat-context.ts"
import { formFiller } from "./form.ts"
import { greeting } from "./greeting.ts"
import { openQuestions } from "./questions.ts"
import { type Candidate, completed, offered } from "./screen/complete.ts"
import { textWidth } from "./screen/composer.ts"
import { edited, keyName, lineBroken } from "./screen/edit.ts"
import { chatFrame } from "./screen/frame.ts"
import type { History } from "./screen/history.ts"
import { EMPTY, type Input, inputText, openedText, withText } from "./screen/input.ts"
import { listenToKeys } from "./screen/keyboard.ts"
import type { Key, KeyPress } from "./screen/keys.ts"
import { openScreen } from "./screen/screen.ts"
import { visible } from "./screen/visible.ts"
import { statusFigures, type Talk } from "./talk.ts"
import { unfolded } from "./tool-line.ts"
import { openTurnRunner, type TurnRunner } from "./turn-runner.ts"
import { noticeLines } from "./turn-view.ts"

/** Opens the agent with what only a chat can provide. */
export type OpenAgent = (given: AgentCallbacks) => Promise<RunningAgent>

export type AgentCallbacks = Pick<AgentOptions, "approve" | "fill" | "notify" | "trouble" | "deliver">

export interface ChatOptions {
  readonly open: OpenAgent
  readonly start: (agent: RunningAgent) => Promise<Pick<Talk, "from" | "session" | "isNew" | "isPlanning">>
  readonly history: History
  /** Runs the schedule during the chat. */
  readonly isScheduled: boolean
  readonly terminal: Terminal
  readonly streams: Streams
}

/** Resolves when the user leaves, with their final identity and session. */
export async function chatInTerminal(options: ChatOptions): Promise<Pick<Talk, "from" | "session">> {
  const chat = new TerminalChat(options)
  const agent = await options.open(chat.given())
  try {
    return await chat.run(agent)
  } finally {
    await agent.close()
  }
}

/** No more frames than the eye can follow. */
const FRAME_MS = 25
const SPIN_MS = 100

class TerminalChat {
  readonly #options: ChatOptions
  readonly #questions = openQuestions()
  readonly #screen: ReturnType<typeof openScreen>
  readonly #left: Promise<void>
  #leave: () => void = () => {}
  #fail: (error: unknown) => void = () => {}
  #talking: { readonly chat: ChatContext; readonly runner: TurnRunner } | undefined
  #input: Input = EMPTY
  #candidates: readonly Candidate[] = []
  /** Keys that were pressed while a completion is looked up. */
  #held: Key[] | undefined
  /** Finished lines that are not on the screen yet. */
  #finished: string[] = []
  #timer: NodeJS.Timeout | undefined
  /** The last key was Ctrl-C; another one leaves. */
  #isLeaving = false
  /** The terminal currently belongs to the shell. */
  #isAway = false

  constructor(options: ChatOptions) {
    this.#options = options
    this.#screen = openScreen((text) => void options.streams.output.write(text))
    this.#left = new Promise((resolve, reject) => {
      this.#leave = resolve
      this.#fail = reject
    })
    // The rejection is handled when the chat runs.
    this.#left.catch(() => undefined)
  }

  /** What the agent needs a person for. */
  given(): AgentCallbacks {
    return {
      approve: (request, { session }) => this.#ask(request, session),
      fill: formFiller(this.#questions, () => this.#schedule()),
      notify: (text) => this.#notice(text),
      trouble: (text) => this.#print(this.#lines(text, "yellow")),
      deliver: (reply) => this.#talking?.runner.deliver(reply),
    }
  }

  /** A notice on the screen counts as seen. */
  #notice(text: string): void {
    this.#print(["", ...noticeLines(text, this.#page)])
    const { agent, talk } = this.#talking?.chat ?? {}
    agent?.notices(talk?.from).catch((error: unknown) => this.#fail(error))
  }

  #lines(text: string, style: Style): readonly string[] {
    const shown = visible(asTyped(text, this.#options.terminal))
    return wrap(shown, this.#size().columns).map((line) => this.#paint(style, line))
  }

  get #page(): Page {
    return { columns: this.#size().columns, colour: this.#options.terminal.colour }
  }

  async run(agent: RunningAgent): Promise<Pick<Talk, "from" | "session">> {
    const { streams, terminal } = this.#options
    const chat = await this.#contextFor(agent)
    await chat.refresh()
    const runner = openTurnRunner({
      chat,
      print: (lines) => this.#print(lines),
      write: (text) => {
        this.#input = openedText(this.#input, text)
      },
      onStop: () => this.#questions.refuseAll(),
      onFailure: (error) => this.#fail(error),
    })
    this.#talking = { chat, runner }
    const redraw = () => this.#schedule()
    const silence = listenToKeys(streams.input, {
      onKey: (key) => this.#press(key, runner),
      onEnd: () => this.#leave(),
    })
    streams.output.on("resize", redraw)
    const spin = setInterval(() => runner.isBusy && redraw(), SPIN_MS)
    try {
      this.#print(await greeting(chat, this.#page, (text) => this.#lines(text, "dim")))
      runner.resume()
      const schedule = this.#options.isScheduled ? this.#keepSchedule(agent) : undefined
      await Promise.race([this.#left, terminal.stopped()])
      await Promise.all([runner.close(), schedule?.stop()])
    } finally {
      clearInterval(spin)
      streams.output.off("resize", redraw)
      silence()
      this.#close()
    }
    return chat.talk
  }

  /** No caller waits for a run's answer; it reports by notices. */
  #keepSchedule(agent: RunningAgent): { stop(): Promise<void> } {
    const stop = new AbortController()
    const say = (text: string) => this.#print(["", ...this.#lines(text, "dim")])
    const kept = agent.keepSchedule({
      ...{ onlyApproved: true, signal: stop.signal },
      fired: ({ run }, { state }) => say(`scheduled: ${run}: ${state}`),
      trouble: (error, firing) => say(`scheduled: ${firing === undefined ? "" : `${firing.run}: `}${error}`),
    })
    return {
      async stop() {
        const ended = kept.stop()
        stop.abort()
        await ended
      },
    }
  }

  async #contextFor(agent: RunningAgent): Promise<ChatContext> {
    const { start, terminal } = this.#options
    const { timeZone, now, colour, cwd, env } = terminal
    const size = () => this.#size()
    const view = {
      get columns() {
        return size().columns
      },
      colour,
      ...{ timeZone, now, cwd, env },
    }
    return openChatContext({ agent, view, start: await start(agent), leave: () => this.#leave() })
  }

  /** Finished lines stay on the screen; the composer is removed. */
  #close(): void {
    clearTimeout(this.#timer)
    this.#screen.draw(this.#finished, { lines: [] }, this.#size())
    this.#screen.close()
  }

  get #paint() {
    return painter(this.#options.terminal)
  }

  #size() {
    const { columns = 80, rows = 24 } = this.#options.streams.output
    return { columns: Math.max(20, columns), rows: Math.max(5, rows) }
  }

  #print(lines: readonly string[]): void {
    this.#finished.push(...lines)
    this.#schedule()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#draw(), FRAME_MS)
  }

  #draw(): void {
    this.#timer = undefined
    if (this.#talking === undefined || this.#isAway) return
    const { chat, runner } = this.#talking
    const size = this.#size()
    const { first } = this.#questions
    const isWriting = this.#input.units.length > 0
    const { takesText } = this.#questions
    const isAnswer = takesText || this.#questions.answerIn(inputText(this.#input)) !== undefined
    const frame = chatFrame({
      ...size,
      colour: chat.view.colour,
      open: runner.open(this.#page, first !== undefined),
      question: first && { ...first, isWriting: isWriting && !isAnswer },
      queue: runner.queue,
      input: this.#input,
      candidates: this.#candidates,
      isLeaving: this.#isLeaving && this.#isIdle(runner),
      figures: statusFigures(chat.talk, chat.agent),
    })
    const finished = this.#finished
    this.#finished = []
    this.#screen.draw(finished, frame, size)
    this.#questions.shown({ isWriting, isLocked: frame.isLocked })
  }

  #press(key: Key, runner: TurnRunner): void {
    if (this.#held !== undefined) return void this.#held.push(key)
    const isAgain = this.#isLeaving
    this.#isLeaving = key.kind === "key" && keyName(key) === "ctrl-c"
    if (isAgain && this.#isLeaving && this.#isIdle(runner)) this.#leave()
    else if (!(key.kind === "key" && (this.#answered(key, runner) || this.#command(key, runner))))
      this.#edit(key)
    if (this.#input.units.length === 0) this.#questions.cleared()
    this.#schedule()
  }

  #edit(key: Key): void {
    const context = { history: this.#options.history.entries, width: textWidth(this.#size().columns) }
    this.#input = edited(this.#input, key, context) ?? this.#input
    this.#candidates = offered(inputText(this.#input), this.#talking?.chat)
  }

  /** Ctrl-C has nothing to stop or clear. */
  #isIdle({ isBusy }: TurnRunner): boolean {
    return !isBusy && this.#input.units.length === 0
  }

  /** Keys that do something other than edit. */
  #command(key: KeyPress, runner: TurnRunner): boolean {
    const name = keyName(key)
    const broken = lineBroken(this.#input, key)
    const isEmpty = this.#input.units.length === 0
    if (broken !== undefined) this.#input = broken
    else if (name === "enter") this.#submit(runner)
    else if (name === "tab") void this.#complete(runner)
    else if (name === "ctrl-c") this.#interrupt(runner)
    else if (name === "ctrl-d" && isEmpty) this.#leave()
    else if (name === "ctrl-o") this.#unfold(runner)
    else if (name === "ctrl-l") this.#screen.clear()
    else if (name === "ctrl-z") this.#suspend()
    else return false
    return true
  }

  #submit(runner: TurnRunner): void {
    const input = this.#input
    const text = inputText(input)
    if (text.trim() === "") return
    this.#input = { ...EMPTY, killed: input.killed }
    this.#candidates = []
    this.#options.history.add(text)
    runner.submit(input)
  }

  /** Names of sessions and workflows are in the store. Keys that come meanwhile are typed after the completion. */
  async #complete(runner: TurnRunner): Promise<void> {
    this.#held = []
    try {
      const { text, candidates } = await completed(inputText(this.#input), this.#talking?.chat)
      this.#input = withText(this.#input, text)
      this.#candidates = candidates
    } catch (error) {
      this.#fail(error)
    }
    const keys = this.#held
    this.#held = undefined
    for (const key of keys) this.#press(key, runner)
    this.#schedule()
  }

  #unfold({ tools }: TurnRunner): void {
    const { columns } = this.#size()
    const lines = tools.flatMap((use) => unfolded(use, columns, this.#paint))
    this.#print([
      "",
      ...(lines.length > 0 ? lines : [this.#paint("dim", "no tool was used in the last turn")]),
    ])
  }

  #interrupt(runner: TurnRunner): void {
    const { units, killed } = this.#input
    if (!runner.isBusy) {
      this.#input = { ...EMPTY, killed: units.length > 0 ? units : killed }
      return
    }
    const { times, waiting } = runner.stop()
    if (times > 1) this.#leave()
    const texts = [...waiting, this.#input].map(inputText).filter((text) => text !== "")
    if (waiting.length > 0) this.#input = withText(this.#input, texts.join("\n"))
  }

  /** No timer runs while the program is suspended, so the first timer that fires shows that it is back. */
  #suspend(): void {
    const { streams, terminal } = this.#options
    if (terminal.suspend === undefined) return
    this.#draw()
    this.#screen.close()
    this.#isAway = true
    streams.input.setRawMode?.(false)
    terminal.suspend()
    setTimeout(() => {
      streams.input.setRawMode?.(true)
      this.#isAway = false
      this.#schedule()
    }, FRAME_MS)
  }

  #ask(request: ApprovalRequest, session: string) {
    const answer = this.#questions.ask(request, session)
    this.#schedule()
    return answer
  }

  /** Keys with another meaning while a question waits. */
  #answered(key: KeyPress, runner: TurnRunner): boolean {
    const { first } = this.#questions
    if (first === undefined) return false
    const name = keyName(key)
    const { units } = this.#input
    if (name === "enter" && this.#questions.takesText) {
      this.#type(first.isLocked, runner)
      return true
    }
    if (name === "enter") {
      const answer = this.#questions.answerIn(inputText(this.#input))
      if (answer !== undefined) this.#answer(answer, runner)
      return answer !== undefined
    }
    const isEscape = name === "escape" && first.isShown
    if (isEscape && units.length > 0) this.#input = { ...EMPTY, killed: units }
    else if (isEscape && this.#questions.takesText) this.#answer("no", runner)
    else if (isEscape || name === "ctrl-c") this.#answer("stop", runner)
    else return false
    return true
  }

  /** Nothing of what was typed stays on the screen or in the history. */
  #type(isLocked: boolean, runner: TurnRunner): void {
    const text = inputText(this.#input)
    if (isLocked) this.#answer("show", runner)
    else {
      this.#input = { ...EMPTY, killed: this.#input.killed }
      this.#questions.take(text)
    }
  }

  #answer(answer: Answer, runner: TurnRunner): void {
    const question = this.#questions.first?.question
    if (question === undefined) return
    const { columns } = this.#size()
    if (answer !== "stop") this.#input = { ...EMPTY, killed: this.#input.killed }
    if (answer === "show") {
      this.#print(["", ...questionLines(question, columns, this.#paint)])
      this.#questions.seen()
      return
    }
    if (question.isKept && answer === "yes")
      this.#print(["", ...questionLines(question, columns, this.#paint)])
    this.#print(["", answeredLine(question, answer, columns, this.#paint)])
    this.#questions.answer(answer === "stop" ? "no" : answer)
    if (answer === "stop") this.#interrupt(runner)
  }
}
