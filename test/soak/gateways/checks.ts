// What must hold after all rounds, in the store and at the receiver.
import { expect } from "vitest"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { schemaOf, type TestServer } from "../../database/postgres/postgres-server.ts"
import { answerText, MESSAGE_ID } from "./provider.ts"
import type { Message } from "./sending.ts"
import type { Outcome } from "./world.ts"

/** For the report. */
export interface Counts {
  readonly sessions: number
  readonly messages: number
  readonly requests: number
  readonly deliveries: number
  readonly toolRuns: number
  readonly interrupted: number
}

export async function checkOutcome(server: TestServer, outcome: Outcome): Promise<Counts> {
  const { database, sent, receiver, requests, toolRuns } = outcome
  const turns = await checkAnswers(server, outcome)
  const store = await openPostgresStore(database)
  try {
    const told = await transcriptsOf(store)
    const bySession = Map.groupBy(sent, ({ session }) => session)
    expect(told.map(({ who }) => who).toSorted()).toEqual([...bySession.keys()].toSorted())
    for (const { who, said } of told) expect(said).toEqual((bySession.get(who) ?? []).flatMap(expectedIn))
    const interrupted = told.flatMap((one) => one.interrupted)
    checkTools({ sent, toolRuns, interrupted, results: new Map(told.flatMap((one) => one.results)) })
    // Whoever was not killed lost nothing.
    expect(interrupted.filter((id) => !outcome.interrupted.includes(turns.get(id) ?? ""))).toEqual([])
    return {
      ...{ sessions: told.length, messages: sent.length, requests, deliveries: receiver.received.length },
      ...{ toolRuns: toolRuns.length, interrupted: interrupted.length },
    }
  } finally {
    await store.close()
  }
}

/**
 * One answer in the store for each message, one delivery of it, and at the receiver the same one in order. Returns the
 * messages' turns.
 */
async function checkAnswers(
  server: TestServer,
  { database, sent, receiver }: Outcome,
): Promise<ReadonlyMap<string, string>> {
  const schema = schemaOf(database)
  const rows = await server.sql(
    `SELECT arrivals.id, arrivals.turn_id, outbox.reply::json ->> 'text' AS text, inbox.state, deliveries.id AS delivery
    FROM ${schema}.arrivals
    LEFT JOIN ${schema}.inbox ON inbox.turn_id = arrivals.turn_id
    LEFT JOIN ${schema}.outbox ON outbox.turn_id = arrivals.turn_id
    LEFT JOIN ${schema}.deliveries ON deliveries.turn_id = arrivals.turn_id ORDER BY arrivals.id`,
  )
  const inStore = rows.map(({ id, text, state }) => ({ id, text, state }))
  expect(inStore).toEqual(
    sent
      .map(({ id }) => ({ id, text: answerText(id), state: "done" }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  const deliveryOf = new Map(rows.map(({ id, delivery }) => [String(id), delivery]))
  for (const { id, replyTo, text } of receiver.received)
    expect({ id, text }).toEqual({ id: deliveryOf.get(replyTo), text: answerText(replyTo) })
  const firsts = [...new Map(receiver.received.map((one) => [one.id, one])).values()]
  for (const [to, answers] of Map.groupBy(firsts, (one) => one.to))
    expect(answers.map(({ replyTo }) => replyTo)).toEqual(
      sent.filter(({ session }) => `webhook:${session}` === to).map(({ id }) => id),
    )
  return new Map(rows.map(({ id, turn_id: turn }) => [String(id), String(turn)]))
}

interface Told {
  readonly who: string
  /** Message, call, result and answer in order, each with the id that it is about. */
  readonly said: readonly string[]
  /** Messages whose tool was reported as interrupted. */
  readonly interrupted: readonly string[]
  /** What the tool of each message gave back. */
  readonly results: ReadonlyArray<readonly [message: string, text: string]>
}

function expectedIn({ id }: Message): readonly string[] {
  return [`user text ${id}`, `assistant tool-call ${id}`, "user tool-result", `assistant text ${id}`]
}

const INTERRUPTED = /^This was interrupted while it ran\./

async function transcriptsOf(store: AgentStore): Promise<readonly Told[]> {
  const sessions = await store.sessions.list("main")
  return Promise.all(
    sessions.map(async ({ id, who }) => {
      const said: string[] = []
      const interrupted: string[] = []
      const results: Array<readonly [string, string]> = []
      for (const { item } of await store.transcripts.read(id)) {
        if (item.kind !== "message") continue
        const { role, parts } = item.message
        for (const part of parts) {
          const about = JSON.stringify(part).match(MESSAGE_ID)?.at(0)
          const kind = `${role} ${part.kind}`
          if (part.kind === "tool-result") said.push(kind)
          else if (about !== undefined) said.push(`${kind} ${about}`)
          if (part.kind !== "tool-result") continue
          const message = said.at(-2)?.match(MESSAGE_ID)?.at(0) ?? ""
          results.push([message, part.text])
          if (INTERRUPTED.test(part.text)) interrupted.push(message)
        }
      }
      return { who: who.replace(/^person:/, ""), said, interrupted, results }
    }),
  )
}

interface Ran {
  readonly sent: readonly Message[]
  readonly toolRuns: readonly string[]
  readonly interrupted: readonly string[]
  readonly results: ReadonlyMap<string, string>
}

/** The database crashed before it knew that the tool starts: then it is not run. */
const NOT_SAVED = /^shell failed: the connection to .* was lost while a change was saved/

/** Each ran once, or was interrupted, and then it ran once or not at all; or the model was told that it failed. */
function checkTools({ sent, toolRuns, interrupted, results }: Ran): void {
  const ran = new Set(toolRuns)
  expect(toolRuns.filter((id, at) => toolRuns.indexOf(id) < at)).toEqual([])
  const missing = sent.filter(({ id }) => !ran.has(id)).map(({ id }) => id)
  const unexplained = missing.filter(
    (id) => !interrupted.includes(id) && !NOT_SAVED.test(results.get(id) ?? ""),
  )
  expect(unexplained.map((id) => [id, results.get(id)])).toEqual([])
}
