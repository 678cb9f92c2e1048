// The people of the load test: sessions that send their whole conversation with each message, as OpenAI's clients do,
// and read the answer as it is streamed. Turns begin on time, whether or not earlier ones have ended.
import { Agent, request } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import type { Processes } from "./processes.ts"

interface Session {
  readonly token: string
  readonly target: URL
  readonly messages: { readonly role: "user" | "assistant"; readonly content: string }[]
}

/** How a phase went. */
export interface Phase {
  /** What the server added to the time that the provider took, for each turn; ascending. */
  readonly addedMs: readonly number[]
  readonly errors: readonly string[]
  /** How much later than planned the generator began a turn, at worst. */
  readonly lateMs: number
}

export interface People {
  /** Begins so many turns a second, each in a session that is free, and waits for the last answer. */
  talk(options: { readonly perSecond: number; readonly turns: number }): Promise<Phase>
  close(): void
}

export function gatherPeople(sessions: number, { urls, tokens }: Pick<Processes, "urls" | "tokens">): People {
  const agent = new Agent({ keepAlive: true })
  const targets = urls.map((url) => new URL("/v1/chat/completions", url))
  // A person stays with one server, as behind a proxy that chooses by the token.
  const sessionOf = (person: number): Session[] => {
    const [token, target] = [tokens[person], targets[person % targets.length]]
    return token === undefined || target === undefined ? [] : [{ token, target, messages: [] }]
  }
  const free = Array.from({ length: sessions }, (_, at) => sessionOf(at % tokens.length)).flat()
  return {
    async talk({ perSecond, turns }) {
      const [addedMs, errors, running]: [number[], string[], Promise<void>[]] = [[], [], []]
      const start = performance.now()
      let lateMs = 0
      for (let at = 0; at < turns; at += 1) {
        const planned = start + (at * 1_000) / perSecond
        if (planned > performance.now()) await wait(planned - performance.now())
        lateMs = Math.max(lateMs, performance.now() - planned)
        const session = free.shift()
        if (session === undefined) {
          errors.push("every session was still waiting for its answer")
          continue
        }
        const turn = ask(session, agent)
          .then((added) => void addedMs.push(added))
          .catch((error: unknown) => void errors.push(String(error)))
          .finally(() => void free.push(session))
        running.push(turn)
      }
      await Promise.all(running)
      return { addedMs: addedMs.toSorted((a, b) => a - b), errors, lateMs }
    },
    close: () => agent.destroy(),
  }
}

/** One turn; returns what the server added. */
async function ask(session: Session, agent: Agent): Promise<number> {
  const content = `Does boat ${session.messages.length / 2 + 1} run on the 17th, and who steers it?`
  const messages = [...session.messages, { role: "user" as const, content }]
  const start = performance.now()
  const text = await post(session.target, {
    agent,
    token: session.token,
    body: JSON.stringify({ model: "main", stream: true, messages }),
  })
  const took = performance.now() - start
  const answer = textOf(text)
  const [, provider] = /\[([\d.]+)\]$/.exec(answer) ?? []
  if (provider === undefined) throw new Error(`the answer is incomplete: ${text.slice(-200)}`)
  session.messages.push({ role: "user", content }, { role: "assistant", content: answer })
  return took - Number(provider)
}

interface Posted {
  readonly agent: Agent
  readonly token: string
  readonly body: string
}

function post(target: URL, { agent, token, body }: Posted): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` }
  const call = request(target, { method: "POST", agent, headers }, (response) => {
    let text = ""
    response.setEncoding("utf8")
    response.on("data", (chunk: string) => {
      text += chunk
    })
    response.on("error", reject)
    response.on("end", () => {
      if (response.statusCode === 200) resolve(text)
      else reject(new Error(`${response.statusCode}: ${text.slice(0, 200)}`))
    })
  })
  call.on("error", reject)
  call.end(body)
  return promise
}

function textOf(stream: string): string {
  const events = [...stream.matchAll(/^data: (\{.*\})$/gm)].map(([, json = ""]) => json)
  return events.map((json) => deltaOf(json)).join("")
}

function deltaOf(json: string): string {
  // The shape of a chunk; a field that is missing is an empty text.
  const { choices } = JSON.parse(json) as { choices?: { delta?: { content?: string | null } }[] }
  return choices?.[0]?.delta?.content ?? ""
}
