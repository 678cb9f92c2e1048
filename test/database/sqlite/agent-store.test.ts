// The contract of the agent's store, on SQLite: in a file, and in memory.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { OpenEmpty } from "../contract/agent-store-contract.ts"
import { wholeContract } from "../contract/whole-contract.ts"

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
])("%s", (_place, open) => wholeContract(open))
