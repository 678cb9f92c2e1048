// The contract of the record, on SQLite.
import { describe } from "vitest"
import { openStore, recordFile } from "../../record/record-file.ts"
import {
  costsContract,
  eventsContract,
  type OpenRecord,
  receiptsContract,
  recordUpkeepContract,
} from "../contract/record-contract.ts"

const open: OpenRecord = async () => {
  const path = recordFile()
  return { store: openStore(path), again: async () => openStore(path) }
}

describe("events", () => eventsContract(open))
describe("receipts", () => receiptsContract(open))
describe("costs", () => costsContract(open))
describe("upkeep", () => recordUpkeepContract(open))
