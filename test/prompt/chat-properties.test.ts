// Random conversations: say, ask, add, answer, update, save and resume, other formats and models. Whatever the order,
// what was sent keeps its bytes, a resumed chat is the same chat, and nobody is sent what they may not see.
import fc from "fast-check"
import { expect, test } from "vitest"
import { digest } from "../../src/base/digest.ts"
import { IncipitError } from "../../src/base/error.ts"
import { atLeast, TRUSTS, type Trust } from "../../src/base/trust.ts"
import type { SourceFile } from "../../src/core/model/source.ts"
import { bodyOf } from "../../src/core/model/source.ts"
import { definePrompt } from "../../src/prompt/define-with-o200k.ts"
import { type DefinedSection, perSession, perTurn, text } from "../../src/prompt/defined-section.ts"
import type { Format } from "../../src/prompt/formats.ts"
import { FORMATS, itemsOf, OUTPUTS, requestIn } from "./outputs.ts"

interface Note {
  readonly text: string
  readonly trust?: Trust
}

const marked = (trust: Trust, words: string): Note => ({ text: `${words} [for ${trust}]`, trust })

function file(path: string, trust: Trust): SourceFile {
  const body = `Rule of ${path}. [for ${trust}]\n`
  return {
    role: "any",
    path,
    identity: path,
    trust,
    text: body,
    firstLine: 1,
    digest: digest(body),
    fields: {},
  }
}

const rules: DefinedSection<"stable"> = {
  pace: "stable",
  options: {},
  source: {
    kind: "files",
    files: TRUSTS.map((trust) => file(`${trust}.md`, trust)),
    diagnostics: [],
    write: (files) => (files.length === 0 ? undefined : { parts: files.map(bodyOf) }),
  },
}

function promptWith(budget: number) {
  return definePrompt({
    budget,
    tools: [
      { name: "look", description: "Looks.", parameters: {} },
      { name: "burn", description: "Burns. [for full]", parameters: {}, trust: "full" },
    ],
    sections: {
      base: text("You are the support agent.", { priority: "required" }),
      rules,
      secret: text("Only for insiders. [for inner]", { trust: "inner" }),
      notes: perSession((s: { notes: readonly Note[] }) => s.notes, { priority: "high" }),
      mood: perSession((s: { mood?: string }) => s.mood, { onChange: "rebuild" }),
      plan: perSession((s: { plan?: string }) => s.plan, { onChange: "wait" }),
      tasks: perTurn((t: { tasks: readonly string[] }) => t.tasks),
      aside: perTurn((t: { aside: Note }) => [t.aside]),
      clock: perTurn((t: { now: number }) => `It is ${t.now}.`, { onChange: "always", voice: "operator" }),
      live: perTurn((t: { live?: string }) => t.live, { onChange: "step" }),
    },
  })
}

type Prompt = ReturnType<typeof promptWith>
type Chat = ReturnType<Prompt["open"]>

const trust = fc.constantFrom(...TRUSTS)
const words = fc.oneof(
  fc.lorem({ maxCount: 6 }),
  fc.constantFrom(
    "<turn-context>",
    "</turn-context>\n# Now",
    "日本語 \u{1F600}",
    "line one\nline two",
    '<update section="notes">',
  ),
)
const notes = fc.array(
  fc.tuple(trust, words).map(([needs, said]) => marked(needs, said)),
  { maxLength: 4 },
)
const turn = fc
  .record({
    tasks: fc.array(words, { maxLength: 3 }),
    aside: fc.tuple(trust, words).map(([needs, said]) => marked(needs, said)),
    now: fc.nat(1000),
    live: fc.option(words, { nil: undefined }),
  })
  .map(({ live, ...rest }) => (live === undefined ? rest : { ...rest, live }))

const MODELS: Readonly<Record<Format, readonly string[]>> = {
  openai: ["gpt-5.2", "gpt-5.6"],
  openaiChat: ["gpt-5.2"],
  openaiCompatible: ["qwen3.5"],
  anthropic: ["claude-sonnet-5-5", "claude-sonnet-4-5"],
  google: ["gemini-3.5-flash"],
  aiSdk: ["anthropic/claude-sonnet-5-5", "openai/gpt-5.6"],
  bedrock: ["anthropic.claude-sonnet-4-5-20250929-v1:0"],
}
const target = fc
  .constantFrom(...FORMATS)
  .chain((format) => fc.record({ format: fc.constant(format), model: fc.constantFrom(...MODELS[format]) }))

const move = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("say" as const), words, turn }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      target: fc.option(target, { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("add" as const), text: words, calls: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("answer" as const),
      output: words,
      turn: fc.option(turn, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("update" as const), notes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("mood" as const), mood: words }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("plan" as const), plan: words }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("trust" as const), trust }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("resume" as const) }) },
)
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never

interface Sent {
  readonly format: Format
  readonly bytes: string
  readonly request: object
  /** A request for another model that replaces one without an answer has the same number. */
  readonly epoch: string
  readonly trust: Trust
  readonly head: string
  readonly included: readonly string[]
  /** A request without an answer isn't continued: what comes next may be sent before its late system message. */
  isAnswered: boolean
}

interface Player {
  chat: Chat
  given: { notes: readonly Note[]; trust: Trust; mood?: string; plan?: string }
  target: { readonly format: Format; readonly model: string }
  open: readonly { readonly id: string }[]
  calls: number
  sent: Sent[]
}

function begin(prompt: Prompt, given: Player["given"]): Player {
  const chat = prompt.open({ id: "x", ...given })
  return { chat, given, target: { format: "openai", model: "gpt-5.2" }, open: [], calls: 0, sent: [] }
}

/** Does one move. A move that isn't possible now is refused and changes nothing. */
function play(prompt: Prompt, player: Player, step: Move, isResuming: boolean): void {
  const before = player.chat.save()
  try {
    make(prompt, player, step, isResuming)
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    expect(["chat-order", "bad-tool-results", "bad-chat-input", "bad-sdk-messages"]).toContain(error.code)
    expect(player.chat.save()).toEqual(before)
  }
}

function make(prompt: Prompt, player: Player, step: Move, isResuming: boolean): void {
  const { chat } = player
  if (step.kind === "say") chat.say(step.words, step.turn)
  if (step.kind === "ask") ask(player, step.target ?? player.target)
  if (step.kind === "add") {
    const ids = Array.from({ length: step.calls }, (_call, at) => `call_${player.calls + at}`)
    const calls = ids.map((id) => ({ id, name: "look", input: { at: id } }))
    player.open = chat.add(OUTPUTS[player.target.format]({ text: step.text, calls }))
    player.calls += ids.length
    const answered = player.sent.at(-1)
    if (answered !== undefined) answered.isAnswered = true
    expect(player.open).toEqual(calls)
  }
  if (step.kind === "answer") {
    chat.answer(
      player.open.map(({ id }) => ({ id, output: step.output })),
      step.turn,
    )
    player.open = []
  }
  if (step.kind === "resume") {
    const saved = chat.save()
    expect(saved).toStrictEqual(JSON.parse(JSON.stringify(saved)))
    if (isResuming) player.chat = prompt.resume(saved, player.given)
  }
  const change =
    step.kind === "update"
      ? { notes: step.notes }
      : step.kind === "mood"
        ? { mood: step.mood }
        : step.kind === "plan"
          ? { plan: step.plan }
          : step.kind === "trust"
            ? { trust: step.trust }
            : undefined
  if (change === undefined) return
  chat.update(change)
  player.given = { ...player.given, ...change }
}

function ask(player: Player, to: Player["target"]): void {
  const { chat } = player
  const request = requestIn(chat, to.format, to.model)
  const bytes = JSON.stringify(request)
  player.target = to
  expect(JSON.stringify(requestIn(chat, to.format, to.model))).toBe(bytes)
  const plan = chat.plan
  // The frame of a tail isn't sent if all of the tail is sent as a system message.
  const included = plan?.entries.flatMap(({ kind, spans }) =>
    (kind === "envelope" ? [] : spans).map(
      ({ block, start, end }) => plan.blocks[block]?.text.slice(start, end) ?? "?",
    ),
  )
  player.sent.push({
    format: to.format,
    bytes,
    request,
    epoch: `${chat.report().steps.at(-1)?.epoch} ${to.format} ${to.model}`,
    trust: player.given.trust,
    head: chat.prompt?.head.map((block) => block.text).join("") ?? "",
    included: included ?? [],
    isAnswered: false,
  })
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

const conversation = fc.record({
  budget: fc.constantFrom(150, 400, 3000),
  given: fc.record({ notes, trust }),
  // A turn to begin with, so that most conversations get somewhere.
  moves: fc.array(move, { minLength: 4, maxLength: 40 }),
  first: fc.record({ words, turn }),
})

function all(budget: number, given: Player["given"], moves: readonly Move[], isResuming: boolean): Player {
  const prompt = promptWith(budget)
  const player = begin(prompt, given)
  for (const step of moves) play(prompt, player, step, isResuming)
  return player
}

test("whatever happens in a conversation", () => {
  fc.assert(
    fc.property(conversation, ({ budget, given, moves: rest, first }) => {
      const moves: readonly Move[] = [{ kind: "say", ...first }, ...rest]
      const { sent } = all(budget, given, moves, false)
      const resumed = all(budget, given, moves, true)
      expect(resumed.sent.map(({ bytes }) => bytes)).toEqual(sent.map(({ bytes }) => bytes))
      for (const [at, now] of sent.entries()) {
        const strings = stringsIn(now.request)
        for (const needs of TRUSTS.filter((level) => !atLeast(now.trust, level)))
          expect(strings.filter((one) => one.includes(`[for ${needs}]`))).toEqual([])
        for (const part of now.included)
          expect([part, strings.some((one) => one.includes(part))]).toEqual([part, true])
        const before = sent[at - 1]
        if (before?.epoch === now.epoch) expect(now.head).toBe(before.head)
        const answered = sent.slice(0, at).findLast(({ isAnswered }) => isAnswered)
        if (answered?.epoch !== now.epoch) continue
        const items = itemsOf(answered.request)
        expect(itemsOf(now.request).slice(0, items.length)).toEqual(items)
      }
    }),
    { numRuns: 150 },
  )
})

/** The same without what an audience may not see: as if it had never existed. */
function seenBy(trust: Trust, step: Move): Move {
  const visible = (note: Note) => atLeast(trust, note.trust ?? "public")
  const turnFor = <T extends { aside: Note }>(given: T): T =>
    visible(given.aside) ? given : { ...given, aside: { text: "" } }
  if (step.kind === "say") return { ...step, turn: turnFor(step.turn) }
  if (step.kind === "answer" && step.turn !== undefined) return { ...step, turn: turnFor(step.turn) }
  return step.kind === "update" ? { ...step, notes: step.notes.filter(visible) } : step
}

test("what an audience may not see changes no byte that it is sent", () => {
  fc.assert(
    fc.property(conversation, ({ budget, given, moves: rest, first }) => {
      const moves: readonly Move[] = [
        { kind: "say" as const, ...first },
        ...rest.filter(({ kind }) => kind !== "trust"),
      ]
      const { sent } = all(budget, given, moves, false)
      const visible = given.notes.filter((note) => atLeast(given.trust, note.trust ?? "public"))
      const without = moves.map((step) => seenBy(given.trust, step))
      const other = all(budget, { ...given, notes: visible }, without, false)
      expect(other.sent.map(({ bytes }) => bytes)).toEqual(sent.map(({ bytes }) => bytes))
    }),
    { numRuns: 150 },
  )
})
