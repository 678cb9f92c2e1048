// The contract of the agent's store, on PostgreSQL.
import { describe } from "vitest"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import {
  inboxContract,
  type OpenEmpty,
  sessionsContract,
  steeringContract,
  transcriptsContract,
  waitsContract,
} from "../contract/agent-store-contract.ts"
import { channelsContract, deliveriesContract } from "../contract/channels-contract.ts"
import { peopleContract, scheduleContract, upkeepContract } from "../contract/personal-contract.ts"
import { questionsContract } from "../contract/questions-contract.ts"
import {
  pairingsContract,
  placesContract,
  requestsContract,
  serveUpkeepContract,
  spendingContract,
  tokensContract,
} from "../contract/serve-contract.ts"
import { NO_SERVER, schemaOf, testServer } from "./postgres-server.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  const server = testServer()
  const open: OpenEmpty = async (now) => {
    const url = server.newUrl()
    const store = await openPostgresStore(url)
    const clock = await clockIn(schemaOf(url), now)
    return withClock(store, clock)
  }

  /** The server's clock is replaced by that of the test. */
  const clockIn = async (schema: string, now: () => number) => {
    await server.sql(`CREATE TABLE ${schema}.test_clock (at bigint NOT NULL)`)
    await server.sql(`INSERT INTO ${schema}.test_clock VALUES (0)`)
    await server.sql(`CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql STABLE
      AS 'SELECT at FROM ${schema}.test_clock'`)
    let shown = 0
    return async () => {
      if (now() === shown) return
      shown = now()
      await server.sql(`UPDATE ${schema}.test_clock SET at = $1`, shown)
    }
  }

  describe("sessions", () => sessionsContract(open))
  describe("inbox", () => inboxContract(open))
  describe("transcripts", () => transcriptsContract(open))
  describe("waits", () => waitsContract(open))
  describe("steering", () => steeringContract(open))
  describe("people", () => peopleContract(open))
  describe("schedule", () => scheduleContract(open))
  describe("upkeep", () => upkeepContract(open))
  describe("tokens", () => tokensContract(open))
  describe("pairings", () => pairingsContract(open))
  describe("channels", () => channelsContract(open))
  describe("deliveries", () => deliveriesContract(open))
  describe("places", () => placesContract(open))
  describe("questions", () => questionsContract(open))
  describe("requests", () => requestsContract(open))
  describe("spending", () => spendingContract(open))
  describe("upkeep of what serving keeps", () => serveUpkeepContract(open))
})

/** The same store; before each call, the clock is set. */
function withClock(store: AgentStore, setClock: () => Promise<void>): AgentStore {
  const timed = (part: object) =>
    Object.fromEntries(
      Object.entries(part).map(([name, method]) => [
        name,
        typeof method === "function" && name !== "listen"
          ? async (...given: readonly unknown[]) => {
              await setClock()
              return method(...given)
            }
          : method,
      ]),
    )
  const parts = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === "object" ? timed(part) : part,
  ])
  // The same methods under the same names.
  return Object.fromEntries(parts) as AgentStore
}
