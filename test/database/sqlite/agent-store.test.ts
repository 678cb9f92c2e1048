// The contract of the agent's store, on SQLite: in a file, and in memory.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
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

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-store-")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
const inFile: OpenEmpty = (now) => {
  count += 1
  return openStore(join(folder, `${count}.db`), { now })
}
const inMemory: OpenEmpty = (now) => openStore(":memory:", { now })

describe.each([
  ["in a file", inFile],
  ["in memory", inMemory],
])("%s", (_place, open) => {
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
