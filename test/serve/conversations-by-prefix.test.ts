// Clients that send the whole conversation: whatever they continue, repeat or edit, the session that answers has exactly
// that conversation, and is of that person.
import fc from "fast-check"
import { expect, test } from "vitest"
import { type Message, wordsIn } from "../../src/core/model/message.ts"
import { callerOf, echo, type Served, serve } from "./served.ts"

interface Line {
  readonly role: "user" | "assistant"
  readonly content: string
}

interface Answered extends Line {
  /** The id of the answer, without what each API puts before it. */
  readonly answer?: string
}

const plain = ({ role, content }: Answered): Line => ({ role, content })

/** How each API takes the same conversation. */
const APIS: Readonly<Record<string, (messages: readonly Answered[]) => readonly [string, object]>> = {
  chat: (messages) => ["/v1/chat/completions", { messages: messages.map(plain) }],
  messages: (messages) => ["/v1/messages", { messages: messages.map(plain), max_tokens: 100 }],
  responses: (messages) => ["/v1/responses", { input: messages.map(plain) }],
  previous: (messages) => {
    const answer = messages.at(-2)?.answer
    if (answer === undefined) return ["/v1/responses", { input: messages.map(plain) }]
    return ["/v1/responses", { input: messages.at(-1)?.content, previous_response_id: `resp_${answer}` }]
  },
}

const STEP = fc.record({
  person: fc.constantFrom("ada", "bo"),
  api: fc.constantFrom(...Object.keys(APIS)),
  // Few words, so that conversations of both people begin alike.
  says: fc.constantFrom("a", "b", " b\n"),
  /** Which of the person's conversations, and after how many of its answers. */
  which: fc.nat(),
  after: fc.nat(),
})

test("a session has the conversation that its client sent, whoever else said the same", async () => {
  const served = await serve(echo)
  let run = 0
  const steps = fc.array(STEP, { minLength: 3, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      run += 1
      const held = new Map<string, Answered[][]>()
      for (const { person, api, says, which, after } of all) {
        const known = held.get(person) ?? [[]]
        held.set(person, known)
        const from = known[which % known.length] ?? []
        const begun = from.slice(0, 2 * (after % (from.length / 2 + 1)))
        const asked: Answered[] = [...begun, { role: "user", content: says }]
        const name = `${person}${run}`
        const { session, answer } = await ask(served, name, { api, asked })
        const said = `You said: ${says.trim()}`
        const whole: Answered[] = [...asked, { role: "assistant", content: said, answer }]
        known.push(whole)
        expect(await conversationIn(served, session)).toEqual(whole.map(({ content }) => content.trim()))
        expect((await served.store.sessions.get(session))?.who).toBe(`person:${name}`)
      }
    }),
    { numRuns: 12 },
  )
})

async function ask(
  { as }: Served,
  person: string,
  { api, asked }: { readonly api: string; readonly asked: readonly Answered[] },
): Promise<{ readonly session: string; readonly answer: string }> {
  const [path, body] = APIS[api]!(asked)
  const response = await as(callerOf(person, "public"))(`http://127.0.0.1${path}`, {
    method: "POST",
    body: JSON.stringify({ model: "keeper", ...body }),
  })
  expect(response.status).toBe(200)
  const { id } = (await response.json()) as { readonly id: string }
  return {
    session: response.headers.get("x-incipit-session")!,
    answer: id.replace(/^(?:chatcmpl-|msg_|resp_)/, ""),
  }
}

/** Without what the compiler adds, and without the line about what a branch left behind. */
async function conversationIn({ store }: Served, session: string): Promise<readonly string[]> {
  const items = await store.transcripts.read(session)
  return items.flatMap(({ item }) => (item.kind === "message" ? [ownWords(item.message)] : []))
}

function ownWords({ parts }: Message): string {
  return wordsIn(parts.filter((part) => part.kind !== "text" || part.tail !== true)).trim()
}
