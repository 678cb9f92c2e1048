// Two gateways, their database, provider and receiver, and messages that are sent in rounds while one of them is killed.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { expect, onTestFinished } from "vitest"
import type { TestServer } from "../../database/postgres/postgres-server.ts"
import { randomFrom } from "../drawn.ts"
import { COMMAND, type Gateway, gatewayFolder } from "./gateways.ts"
import { openProvider } from "./provider.ts"
import { openReceiver, type Receiver } from "./receiver.ts"
import { createSender, type Message } from "./sending.ts"
import { turnsOf, untilTakenOver } from "./take-over.ts"

export interface Plan {
  readonly seed: number
  readonly sessions: number
  readonly messages: number
  /** How often a gateway is killed, and then how often the database. */
  readonly kills: number
  readonly crashes: number
  /** In how many of the kills the gateway stays down until the other one has taken over everything. */
  readonly lateStarts: number
  /** How far the clock of the second gateway is ahead. */
  readonly clockErrorMs: number
}

export interface Outcome {
  readonly database: string
  readonly receiver: Receiver
  /** In the order of sending within each session. */
  readonly sent: readonly Message[]
  readonly toolRuns: readonly string[]
  readonly requests: number
  /** Turns that were not finished when their gateway was killed, or the database crashed. */
  readonly interrupted: readonly string[]
  /** From a kill until the last turn of that gateway was taken over, if it came back at once, and if it stayed down. */
  readonly takenOverMs: { readonly comingBack: readonly number[]; readonly stayingDown: readonly number[] }
}

const EVENTS = ["accepted", "asked", "answered"] as const
type Event = (typeof EVENTS)[number]

const MOST_WAIT = { timeout: 300_000, interval: 50 }
/** At the latest so long after the event that a kill waits for. */
const MOST_DELAY_MS = 40
const ANY_OWNER = "."

interface World {
  readonly server: TestServer
  readonly database: string
  readonly gateways: readonly [Gateway, Gateway]
  readonly random: (below: number) => number
  /** Resolves at the n-th event of a kind from now on. */
  nth(event: Event, n: number): Promise<void>
}

export async function runRounds(server: TestServer, plan: Plan): Promise<Outcome> {
  const random = randomFrom(plan.seed)
  const { happened, nth } = createEvents()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "two-gateways-")))
  chmodSync(folder, 0o755)
  const provider = await openProvider(COMMAND, () => happened("asked"))
  const receiver = await openReceiver(() => happened("answered"))
  const database = server.newUrl()
  const files = gatewayFolder({
    ...{ folder, database, provider: provider.url, receiver: receiver.url, sessions: plan.sessions },
  })
  onTestFinished(() => {
    for (const one of [files, provider, receiver]) one.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  const gateways = [files.gateway("first", 0), files.gateway("second", plan.clockErrorMs)] as const
  await Promise.all(gateways.map((one) => one.start()))
  const world: World = { server, database, gateways, random, nth }
  const sender = createSender(gateways, { random, accepted: () => happened("accepted") })
  const takenOverMs = { comingBack: [] as number[], stayingDown: [] as number[] }
  const sent: Message[] = []
  const interrupted: string[] = []
  const rounds = plan.kills + plan.crashes
  for (let round = 0; round < rounds; round += 1) {
    const messages = messagesOf(plan, round)
    sent.push(...messages)
    const isCrash = round >= plan.kills
    const isLate = !isCrash && isOneOf(plan.lateStarts, plan.kills, round)
    const harm = isCrash ? crash(world, messages.length) : kill(world, messages.length, isLate)
    const [{ turns, ms }] = await Promise.all([harm, sender.send(messages)])
    if (!isCrash) takenOverMs[isLate ? "stayingDown" : "comingBack"].push(ms)
    interrupted.push(...turns)
    await expect.poll(() => messages.filter(({ id }) => !receiver.answered.has(id)), MOST_WAIT).toEqual([])
  }
  await Promise.all(gateways.map((one) => one.kill()))
  const { requests } = sender
  return { database, receiver, sent, toolRuns: files.toolRuns(), requests, interrupted, takenOverMs }
}

/** Each round has a few sessions with several messages each, one after the other. */
const IN_A_ROW = 3

function messagesOf({ sessions, messages, kills, crashes }: Plan, round: number): readonly Message[] {
  const rounds = kills + crashes
  const [from, to] = [round, round + 1].map((at) => Math.floor((messages * at) / rounds))
  const first = Math.floor((from ?? 0) / IN_A_ROW)
  const count = (to ?? 0) - (from ?? 0)
  const width = Math.max(1, Math.ceil(count / IN_A_ROW))
  return Array.from({ length: count }, (_, at) => ({
    ...{ id: `m-${(from ?? 0) + at}`, session: `s-${(first + (at % width)) % sessions}` },
  }))
}

/** Spreads `count` over the rounds, the last of them among them. */
function isOneOf(count: number, rounds: number, round: number): boolean {
  return Math.floor(((round + 1) * count) / rounds) > Math.floor((round * count) / rounds)
}

async function moment({ random, nth }: World, messages: number): Promise<string> {
  const event = EVENTS[random(EVENTS.length)] ?? "asked"
  // In the last quarter, there may be nothing left to interrupt.
  const n = 1 + random(Math.ceil(messages * 0.75))
  const delay = random(MOST_DELAY_MS)
  await nth(event, n)
  await pause(delay)
  return `${delay} ms after ${event} ${n}`
}

interface Harm {
  /** What was not finished. */
  readonly turns: readonly string[]
  /** How long it took until the last of them was taken over. */
  readonly ms: number
}

async function kill(world: World, messages: number, isLate: boolean): Promise<Harm> {
  const { server, database, gateways, random } = world
  const gateway = gateways[random(gateways.length)] ?? gateways[0]
  const when = await moment(world, messages)
  await gateway.kill()
  const killedAt = performance.now()
  const killed = { database, owner: gateway.owner }
  const turns = await turnsOf(server, killed)
  const takenOver = untilTakenOver(server, killed, turns).then(() => performance.now() - killedAt)
  if (isLate) await takenOver
  await gateway.start()
  const ms = await takenOver
  const how = isLate ? "stayed down" : "came back"
  console.log(`killed ${gateway.machine} ${when}, ${how}: ${turns.length} turns, ${ms.toFixed(0)} ms`)
  return { turns, ms }
}

async function crash(world: World, messages: number): Promise<Harm> {
  const { server, database } = world
  const when = await moment(world, messages)
  await server.crash()
  const crashedAt = performance.now()
  await server.start()
  const turns = await turnsOf(server, { database, owner: ANY_OWNER })
  const ms = performance.now() - crashedAt
  console.log(`crashed the database ${when}: ${turns.length} turns, back after ${ms.toFixed(0)} ms`)
  return { turns, ms }
}

function createEvents() {
  const counts = new Map<Event, number>()
  const waiting = new Set<{ readonly event: Event; readonly at: number; readonly resolve: () => void }>()
  const countOf = (event: Event) => counts.get(event) ?? 0
  return {
    happened(event: Event) {
      counts.set(event, countOf(event) + 1)
      for (const one of waiting)
        if (one.event === event && countOf(event) >= one.at) {
          waiting.delete(one)
          one.resolve()
        }
    },
    nth: (event: Event, n: number) =>
      new Promise<void>((resolve) => void waiting.add({ event, at: countOf(event) + n, resolve })),
  }
}
