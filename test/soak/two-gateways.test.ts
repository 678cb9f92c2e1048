// Two `incipit serve` on one PostgreSQL, of which one is killed again and again, and then the database: each message gets
// one answer, in order, no tool that must not be repeated runs twice, and sessions are taken over within the lease.
import { availableParallelism, loadavg } from "node:os"
import process from "node:process"
import { expect, test } from "vitest"
import { NO_SERVER, testServer } from "../database/postgres/postgres-server.ts"
import { noteFigures } from "../figures.ts"
import { SOAK_SEED } from "./drawn.ts"
import { checkOutcome } from "./gateways/checks.ts"
import { runRounds } from "./gateways/world.ts"

const given = (name: string, usual: number) => Number(process.env[name] ?? usual)
const KILLS = given("GATEWAY_KILLS", 20)
const CRASHES = given("GATEWAY_CRASHES", 5)
const PLAN = {
  seed: SOAK_SEED,
  ...{ sessions: given("GATEWAY_SESSIONS", 200), messages: given("GATEWAY_MESSAGES", 2_000) },
  ...{ kills: KILLS, crashes: CRASHES, lateStarts: given("GATEWAY_LATE", Math.ceil(KILLS / 4)) },
  clockErrorMs: 0,
}
/** As in src/agent/inbox/lease.ts, and some time to look and to work on a machine that is busy with this test alone. */
const LEASE_MS = 30_000
const MARGIN_MS = 15_000
/** How many processes want each core; three are those of this test. On a machine with other work, all takes longer. */
const busy = () => Math.max(1, Math.max(...loadavg()) / availableParallelism() / 3)

const server = NO_SERVER === undefined ? testServer() : undefined

test.skipIf(server === undefined)(
  `${KILLS} kills of one of two gateways, ${CRASHES} of their database`,
  async (context) => {
    if (server === undefined) return
    const outcome = await runRounds(server, PLAN)
    const counts = await checkOutcome(server, outcome)
    const { comingBack, stayingDown } = outcome.takenOverMs
    const longest = (all: readonly number[]) => Math.round(Math.max(0, ...all))
    noteFigures(context, {
      ...{ kills: KILLS, "crashes of the database": CRASHES, ...counts },
      ...{ "longest return in ms": longest(comingBack), "longest take-over in ms": longest(stayingDown) },
    })
    expect(longest([...comingBack, ...stayingDown])).toBeLessThan(LEASE_MS + MARGIN_MS * busy())
  },
)
