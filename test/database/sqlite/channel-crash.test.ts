// Processes that read a channel are killed after every change of their store, and several read it at once: each message
// is in the inbox once, and each answer is sent at least once and in order.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { UPDATES } from "./channel-worker.ts"

const COMPILED = mkdtempSync(join(tmpdir(), "incipit-compiled-"))
afterAll(() => rmSync(COMPILED, { recursive: true, force: true }))

function emptyFolder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-channel-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** Returns what it printed. */
async function work(root: string, last = 0): Promise<string> {
  const child = spawn("node", ["test/database/sqlite/channel-worker.ts", root, `${last}`], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  let printed = ""
  child.stdout.on("data", (data) => {
    printed += data
  })
  await once(child, "close")
  return printed
}

async function expectAllOnce(root: string): Promise<readonly string[]> {
  const store = await openStore(join(root, "agent.db"))
  const received = await store.inbox.open("main")
  expect(received.map(({ message }) => message.text)).toEqual(UPDATES)
  expect(await store.channels.offset("list")).toBe(`${UPDATES.length}`)
  await store.close()
  const sent = readFileSync(join(root, "sent"), "utf8").trim().split("\n")
  expect(sent.filter((text, at) => text !== sent[at - 1])).toEqual(UPDATES)
  return sent
}

test("killed after any change, another process goes on: nothing lost, nothing twice, sent in order", async () => {
  let doubles = 0
  for (let last = 1; ; last += 1) {
    const root = emptyFolder()
    const printed = await work(root, last)
    if (printed !== "completed") expect(await work(root)).toBe("completed")
    doubles += (await expectAllOnce(root)).length - UPDATES.length
    if (printed !== "completed") continue
    // The session, each message, the answers, and two for each delivery.
    expect(last).toBe(2 + UPDATES.length * 3 + 1)
    break
  }
  // A change that is stored is known to the next process, so none of these kills is between sending and storing.
  expect(doubles).toBe(0)
})

test("processes that read the same updates at once store each once", async () => {
  const root = emptyFolder()
  await (await openStore(join(root, "agent.db"))).close()
  expect(await Promise.all([work(root), work(root), work(root)])).toEqual(Array(3).fill("completed"))
  const store = await openStore(join(root, "agent.db"))
  const received = await store.inbox.open("main")
  expect(received.map(({ message }) => message.text)).toEqual(UPDATES)
  await store.close()
})
