// Two `incipit serve` on one PostgreSQL, each on a machine of its own, while one is killed and its clock is wrong: nothing
// is lost, answered twice or out of order. two-gateways.test.ts does the same for longer.
import { describe, expect, test } from "vitest"
import { NO_SERVER, testServer } from "../database/postgres/postgres-server.ts"
import { noteFigures } from "../figures.ts"
import { checkOutcome } from "./gateways/checks.ts"
import { runRounds } from "./gateways/world.ts"

const PLAN = { seed: 7, sessions: 8, messages: 40, kills: 1, crashes: 1, lateStarts: 0 } as const

describe.skipIf(NO_SERVER !== undefined)(
  `two gateways${NO_SERVER === undefined ? "" : `: ${NO_SERVER}`}`,
  () => {
    const server = testServer()
    for (const clockErrorMs of [90_000, -90_000])
      test(`the clock of one is 90 s ${clockErrorMs > 0 ? "ahead" : "behind"}; one is killed, then the database crashes`, async (context) => {
        const outcome = await runRounds(server, { ...PLAN, clockErrorMs })
        const counts = await checkOutcome(server, outcome)
        noteFigures(context, { kills: PLAN.kills, "crashes of the database": PLAN.crashes, ...counts })
        expect(counts).toMatchObject({ sessions: 8, messages: 40 })
      })
  },
)
