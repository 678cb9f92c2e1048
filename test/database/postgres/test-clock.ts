// Stores in PostgreSQL that go by the clock of a test, in place of the server's.
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import type { OpenEmpty } from "../contract/agent-store-contract.ts"
import { schemaOf, type TestServer } from "./postgres-server.ts"

/** `through`: changes the URL, for a way to the server that is not direct. */
export function openTimed(server: TestServer, through = (url: string) => url): OpenEmpty {
  return async (now) => {
    const url = server.newUrl()
    const store = await openPostgresStore(through(url))
    return withClock(store, await clockIn(server, schemaOf(url), now))
  }
}

async function clockIn(server: TestServer, schema: string, now: () => number): Promise<() => Promise<void>> {
  await server.sql(`CREATE TABLE ${schema}.test_clock (at bigint NOT NULL)`)
  await server.sql(`INSERT INTO ${schema}.test_clock VALUES (0)`)
  await server.sql(`CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql STABLE
    AS 'SELECT at FROM ${schema}.test_clock'`)
  let shown = 0
  let set: Promise<unknown> = Promise.resolve()
  return async () => {
    if (now() !== shown) {
      shown = now()
      set = server.sql(`UPDATE ${schema}.test_clock SET at = $1`, shown)
    }
    // Calls at the same time wait for the one that sets it.
    await set
  }
}

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
