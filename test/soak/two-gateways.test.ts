// Two `incipit serve` on one PostgreSQL, of which one is killed again and again, and then the database: each message gets
// one answer, in order, no tool that must not be repeated runs twice, and sessions are taken over within the lease.
import process from "node:process"
import { expect, test } from "vitest"
import { NO_SERVER, testServer } from "../database/postgres/postgres-server.ts"
import { checkOutcome } from "./gateways/checks.ts"
import { runRounds } from "./gateways/world.ts"

const given = (name: string, usual: number) => Number(process.env[name] ?? usual)
const KILLS = given("GATEWAY_KILLS", 8)
const CRASHES = given("GATEWAY_CRASHES", 2)
const PLAN = {
  seed: given("GATEWAY_SEED", Math.floor(Math.random() * 1_000_000)),
  ...{ sessions: given("GATEWAY_SESSIONS", 100), messages: given("GATEWAY_MESSAGES", 800) },
  ...{ kills: KILLS, crashes: CRASHES, lateStarts: given("GATEWAY_LATE", Math.ceil(KILLS / 4)) },
  clockErrorMs: 0,
}
/** As in src/agent/inbox/lease.ts, and some time to look and to work on a machine that is busy with this test. */
const LEASE_MS = 30_000
const MARGIN_MS = 15_000

const server = NO_SERVER === undefined ? testServer() : undefined

test.skipIf(server === undefined)(
  `${KILLS} kills of one of two gateways, ${CRASHES} of their database`,
  async () => {
    if (server === undefined) return
    const started = performance.now()
    console.log(`GATEWAY_SEED=${PLAN.seed}`)
    const outcome = await runRounds(server, PLAN)
    const counts = await checkOutcome(server, outcome)
    const { comingBack, stayingDown } = outcome.takenOverMs
    const longest = (all: readonly number[]) => Math.round(Math.max(0, ...all))
    console.log("Two gateways:", {
      ...counts,
      ...{ kills: KILLS, crashes: CRASHES, seconds: Math.round((performance.now() - started) / 1_000) },
      ...{ longestComingBackMs: longest(comingBack), longestTakeOverMs: longest(stayingDown) },
    })
    expect(longest([...comingBack, ...stayingDown])).toBeLessThan(LEASE_MS + MARGIN_MS)
  },
)
