// Everything that every agent store promises. A driver runs it with its own way to open an empty store.
import { describe } from "vitest"
import {
  inboxContract,
  type OpenEmpty,
  sessionsContract,
  steeringContract,
  transcriptsContract,
  waitsContract,
} from "./agent-store-contract.ts"
import { channelsContract, deliveriesContract } from "./channels-contract.ts"
import { peopleContract, scheduleContract, upkeepContract } from "./personal-contract.ts"
import { questionsContract } from "./questions-contract.ts"
import {
  pairingsContract,
  placesContract,
  requestsContract,
  serveUpkeepContract,
  spendingContract,
  tokensContract,
} from "./serve-contract.ts"

export function wholeContract(open: OpenEmpty): void {
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
}
