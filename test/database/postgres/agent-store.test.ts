// The contract of the agent's store, on PostgreSQL.
import { describe } from "vitest"
import { wholeContract } from "../contract/whole-contract.ts"
import { NO_SERVER, testServer } from "./postgres-server.ts"
import { openTimed } from "./test-clock.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  wholeContract(openTimed(testServer()))
})
