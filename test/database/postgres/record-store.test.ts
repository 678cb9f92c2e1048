// The contract of the record, on PostgreSQL.
import { describe, onTestFinished } from "vitest"
import { openPostgresRecord } from "../../../src/database/postgres/record/open-record.ts"
import {
  costsContract,
  eventsContract,
  type OpenRecord,
  receiptsContract,
  recordUpkeepContract,
} from "../contract/record-contract.ts"
import { NO_SERVER, testServer } from "./postgres-server.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  const server = testServer()
  const open: OpenRecord = async () => {
    const url = server.newUrl()
    const again = async () => {
      const store = await openPostgresRecord(url)
      onTestFinished(() => store.close())
      return store
    }
    return { store: await again(), again }
  }

  describe("events", () => eventsContract(open))
  describe("receipts", () => receiptsContract(open))
  describe("costs", () => costsContract(open))
  describe("upkeep", () => recordUpkeepContract(open))
})
