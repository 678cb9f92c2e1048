// What one turn costs on PostgreSQL: statements, transactions, bytes on the wire and on disk, time in the server and until
// the answer arrives, beside the same turns on SQLite. A turn is a message to `incipit serve` over a signed webhook, with
// and without a call of a tool, and its answer; last, how many turns a second are answered when all messages come at
// once. `npm run -s build` first; --turns N (200).
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { scriptOptions } from "../../scripts/script-options.ts"
import { COMMAND, type Gateway, gatewayFolder } from "../../test/soak/gateways/gateways.ts"
import { openProvider } from "../../test/soak/gateways/provider.ts"
import { openReceiver } from "../../test/soak/gateways/receiver.ts"
import { createSender } from "../../test/soak/gateways/sending.ts"
import { digits, formatMs, machine, printTable } from "../measure/measure.ts"
import { openCountingProxy } from "../serve/counting-proxy.ts"
import { type MeasuredPostgres, type Statement, startMeasuredPostgres } from "../serve/measured-postgres.ts"

const values = scriptOptions("node bench/database/turn-cost.ts [--turns N]", {
  turns: { type: "string", default: "200" },
})
const TURNS = Number(values.turns)
const SESSIONS = 20
const IDLE_MS = 20_000
/** Beginning and ending a transaction. */
const CONTROL = /^(BEGIN|COMMIT|ROLLBACK)\b/
/** Of the most frequent statements. */
const SHOWN = 25
const MOST_CHARACTERS = 90

interface Cost {
  readonly name: string
  readonly turnMs: readonly number[]
  /** All messages at once, each session's in order. */
  readonly turnsPerSecond: number
  /** Undefined on SQLite. */
  readonly database:
    | {
        readonly statements: readonly Statement[]
        readonly walBytes: number
        readonly sent: number
        readonly received: number
        readonly tableBytes: number
      }
    | undefined
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-turn-cost-")))
const postgres = await startMeasuredPostgres()
try {
  console.log(`## What a turn costs: ${TURNS} turns in ${SESSIONS} sessions, ${machine()}\n`)
  const costs: Cost[] = []
  for (const usesTool of [false, true]) {
    costs.push(await turnsOn(undefined, usesTool))
    costs.push(await turnsOn(postgres, usesTool))
  }
  printCosts(costs)
  printStatements(costs.at(-1))
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function turnsOn(database: MeasuredPostgres | undefined, usesTool: boolean): Promise<Cost> {
  const name = `${database === undefined ? "SQLite" : "PostgreSQL"}, ${usesTool ? "one tool call" : "no tool"}`
  const schema = usesTool ? "with_tool" : "without_tool"
  const own = join(folder, name.replaceAll(/\W+/g, "-"))
  mkdirSync(own)
  const proxy = database && (await openCountingProxy(database.port))
  let arrived = () => {}
  const receiver = await openReceiver(() => arrived())
  const provider = await openProvider(usesTool ? COMMAND : undefined, () => {})
  const files = gatewayFolder({
    ...{ folder: own, provider: provider.url, receiver: receiver.url, sessions: SESSIONS },
    database: database?.url(proxy?.port ?? 0, schema),
  })
  const gateway = files.gateway("bench", 0)
  try {
    await gateway.start()
    const turn = turnThrough(gateway, (done) => {
      arrived = done
    })
    // Sessions and caches are there before anything is counted.
    for (let at = 0; at < SESSIONS; at += 1) await turn(at)
    await database?.statements()
    const [before, bytesBefore] = [proxy?.counts(), await database?.tableBytes(schema)]
    const turnMs: number[] = []
    for (let at = 0; at < TURNS; at += 1) turnMs.push(await turn(SESSIONS + at))
    // What follows an answer belongs to its turn.
    await pause(1_000)
    const counted = await database?.statements()
    const after = proxy?.counts()
    const tableBytes = ((await database?.tableBytes(schema)) ?? 0) - (bytesBefore ?? 0)
    process.stderr.write(`${name}: done\n`)
    const sent = (after?.sent ?? 0) - (before?.sent ?? 0)
    const received = (after?.received ?? 0) - (before?.received ?? 0)
    if (database !== undefined && usesTool) await printIdle(database)
    const turnsPerSecond = await rateThrough(gateway, (done) => {
      arrived = () => void (receiver.answered.size === SESSIONS + 2 * TURNS && done())
    })
    return {
      name,
      turnsPerSecond,
      turnMs: turnMs.toSorted((a, b) => a - b),
      database: counted && { ...counted, sent, received, tableBytes },
    }
  } finally {
    await gateway.kill()
    for (const one of [receiver, provider, files, proxy]) one?.close()
  }
}

/** One turn after the other: from the request until the answer has arrived. */
function turnThrough(gateway: Gateway, onAnswer: (done: () => void) => void) {
  const sender = createSender([gateway], { random: () => 0, accepted: () => {} })
  return async (at: number): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    onAnswer(resolve)
    const start = performance.now()
    await sender.send([{ id: `m-${at}`, session: `s-${at % SESSIONS}` }])
    await promise
    return performance.now() - start
  }
}

/** From the first request until every answer has arrived. */
async function rateThrough(gateway: Gateway, onAnswers: (done: () => void) => void): Promise<number> {
  const sender = createSender([gateway], { random: () => 0, accepted: () => {} })
  const { promise, resolve } = Promise.withResolvers<void>()
  onAnswers(resolve)
  const start = performance.now()
  const messages = Array.from({ length: TURNS }, (_, at) => ({
    id: `n-${at}`,
    session: `s-${at % SESSIONS}`,
  }))
  await Promise.all([sender.send(messages), promise])
  return TURNS / ((performance.now() - start) / 1_000)
}

async function printIdle(database: MeasuredPostgres): Promise<void> {
  await database.statements()
  await pause(IDLE_MS)
  const { statements } = await database.statements()
  const calls = statements.reduce((sum, one) => sum + one.calls, 0)
  console.log(`A gateway that has nothing to do: ${digits(calls / (IDLE_MS / 1_000))} statements a second.\n`)
}

function printCosts(costs: readonly Cost[]): void {
  const heads = [
    ...["a turn", "p50", "p99", "turns a second", "statements", "transactions", "time in the server"],
    ...["sent", "received", "log written ahead", "tables and indexes"],
  ]
  printTable(heads, costs.map(rowOf))
}

function rowOf({ name, turnMs, turnsPerSecond, database }: Cost): readonly string[] {
  const at = (share: number) => formatMs(turnMs[Math.floor((turnMs.length - 1) * share)] ?? Number.NaN)
  const times = [name, at(0.5), at(0.99), digits(turnsPerSecond)]
  if (database === undefined) return [...times, ...Array.from({ length: 7 }, () => "")]
  const { statements, walBytes, sent, received, tableBytes } = database
  const count = (which: (one: Statement) => boolean) =>
    digits(statements.filter(which).reduce((sum, one) => sum + one.calls, 0) / TURNS)
  const kb = (bytes: number) => `${digits(bytes / TURNS / 1_024)} KB`
  const ms = statements.reduce((sum, one) => sum + one.ms, 0) / TURNS
  return [
    ...[...times, count(({ text }) => !CONTROL.test(text)), count(({ text }) => text.startsWith("COMMIT"))],
    ...[formatMs(ms), kb(sent), kb(received), kb(walBytes), kb(tableBytes)],
  ]
}

function printStatements(cost: Cost | undefined): void {
  const statements = cost?.database?.statements.filter(({ text }) => !CONTROL.test(text)) ?? []
  console.log(`The most frequent statements (${cost?.name}):\n`)
  printTable(
    ["a turn", "time each", "statement"],
    statements
      .slice(0, SHOWN)
      .map(({ text, calls, ms }) => [
        ...[digits(calls / TURNS), formatMs(ms / calls)],
        `\`${text.replaceAll(/\s+/g, " ").slice(0, MOST_CHARACTERS).replaceAll("|", "\\|")}\``,
      ]),
  )
}
