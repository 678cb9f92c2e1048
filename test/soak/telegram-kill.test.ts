// kill -9 around the moment at which a Telegram message is received and stored: none is lost, none is handled twice.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { expect, test } from "vitest"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { type FakeTelegram, fakeTelegram } from "../serve/channels/fake-telegram.ts"

const ROUNDS = Number(process.env.CHANNEL_ROUNDS ?? 50)
/** The wait before the kill differs from round to round, from before the store has the message to after. */
const STEP_MS = 3
const STEPS = 12

function startChild(folder: string, { url, token }: FakeTelegram): ChildProcess {
  const program = join(import.meta.dirname, "telegram-child.ts")
  return spawn(process.execPath, [program, folder, url, token], { stdio: ["ignore", "ignore", "inherit"] })
}

async function kill(child: ChildProcess): Promise<void> {
  const over = once(child, "exit")
  child.kill("SIGKILL")
  await over
}

/** What people said in all conversations, in order. */
async function heard(folder: string): Promise<readonly string[]> {
  const store = await openStore(join(folder, "state", "agent.db"), { readOnly: true })
  const texts: string[] = []
  for (const { id } of await store.sessions.list("main"))
    for (const { item } of await store.transcripts.read(id))
      if (item.kind === "message" && item.message.role === "user")
        texts.push(...(JSON.stringify(item.message).match(/round-\d+/g) ?? []))
  await store.close()
  return texts
}

test(`${ROUNDS} kills between receiving and storing`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "telegram-kill-"))
  writeFileSync(join(folder, "incipit.yaml"), 'users: { ada: { trust: full, match: ["telegram:1"] } }\n')
  const server = await fakeTelegram()
  const expected = Array.from({ length: ROUNDS }, (_, round) => `round-${round}`)
  let repeated = 0
  try {
    for (const [round, text] of expected.entries()) {
      const before = server.polls.handedOut
      server.say(1, `What is the plan of ${text}?`)
      const child = startChild(folder, server)
      while (server.polls.handedOut === before) await pause(1)
      await pause((round % STEPS) * STEP_MS)
      await kill(child)
      repeated = Math.max(repeated, server.polls.handedOut - round - 1)
    }
    const last = startChild(folder, server)
    await expect
      .poll(() => heard(folder).then((texts) => texts.length), { timeout: 300_000, interval: 1_000 })
      .toBe(ROUNDS)
    await expect
      .poll(() => server.calls.filter(({ method }) => method === "sendMessage").length, { timeout: 300_000 })
      .toBeGreaterThanOrEqual(ROUNDS)
    await pause(3_000)
    await kill(last)
    expect(await heard(folder)).toEqual(expected)
    console.log(`${ROUNDS} rounds, ${repeated} updates were delivered again`)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
