// 200 sessions at once: how long the event loop is blocked, and how many turns are answered in a second. A server that
// answers others waits for the longest block. It is measured twice: by the clock, which also counts the time that other
// programs take, and in CPU time of the thread. The provider is a function that answers after a delay. Prints a table;
// exits with 1 if the target is missed. With `--json`, prints one line for comparing two versions.
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import { openAgent } from "../src/agent/setup/open.ts"
import { checkTargets, machine, printTable } from "./measure/measure.ts"

const SESSIONS = 200
const ROUNDS = 3
const THINKING_MS = 200
const LONGEST_MS = 50

function streamOf(): string {
  const usage = { input_tokens: 5, cache_read_input_tokens: 9_000, cache_creation_input_tokens: 300 }
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage }
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "The 15:30 runs." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
}

globalThis.fetch = async () => {
  await wait(THINKING_MS)
  return new Response(streamOf(), { headers: { "content-type": "text/event-stream" } })
}

interface Round {
  readonly longestMs: number
  readonly longestCpuMs: number
  readonly turnsPerSecond: number
  readonly cpuMs: number
}

/** The most CPU time that one turn of the event loop took. */
function watchLoop() {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let [last, longest, isOver] = [usedMs(), 0, false]
  const beat = () => {
    const now = usedMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setTimeout(beat)
  }
  beat()
  return () => {
    isOver = true
    beat()
    return longest
  }
}

/** Every session sends one message; the last round is measured, since a server is warm. */
async function rounds(): Promise<Round> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-sessions-")))
  cpSync(join(import.meta.dirname, "..", "examples", "lighthouse"), folder, { recursive: true })
  const agent = await openAgent({
    workspace: folder,
    state: join(folder, ".incipit"),
    home: join(folder, "no-home"),
    env: { ANTHROPIC_API_KEY: "none" },
    model: "anthropic/claude-sonnet-5-5",
    timeZone: "UTC",
  })
  const people = Array.from({ length: SESSIONS }, (_, at) => `telegram:${at}`)
  let measured: Round = { longestMs: 0, longestCpuMs: 0, turnsPerSecond: 0, cpuMs: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    const [start, cpu] = [performance.now(), process.cpuUsage()]
    delay.enable()
    const ended = watchLoop()
    await Promise.all(people.map((channel) => agent.send("Does the 15:30 run?", { channel, isNew: true })))
    const { user, system } = process.cpuUsage(cpu)
    const took = performance.now() - start
    const longestCpuMs = ended()
    // The histogram learns of the last block when the loop turns again.
    await wait(20)
    delay.disable()
    measured = {
      longestCpuMs,
      longestMs: delay.max / 1e6,
      turnsPerSecond: SESSIONS / (took / 1_000),
      cpuMs: (user + system) / 1_000,
    }
  }
  await agent.close()
  rmSync(folder, { recursive: true })
  return measured
}

const { longestMs, longestCpuMs, turnsPerSecond, cpuMs } = await rounds()
if (process.argv.includes("--json"))
  console.log(JSON.stringify({ longestMs, longestCpuMs, turnsPerSecond, cpuMs }))
else {
  console.log(`## ${SESSIONS} sessions at once: ${machine()}\n`)
  printTable(
    ["longest block", "of it CPU time", "turns per second", "CPU per turn"],
    [
      [
        `${longestMs.toFixed(1)} ms`,
        `${longestCpuMs.toFixed(1)} ms`,
        turnsPerSecond.toFixed(1),
        `${(cpuMs / SESSIONS).toFixed(1)} ms`,
      ],
    ],
  )
  checkTargets([
    {
      what: "the longest block of the event loop",
      bound: `under ${LONGEST_MS} ms`,
      measured: `${longestCpuMs.toFixed(1)} ms of CPU time`,
      holds: longestCpuMs < LONGEST_MS,
    },
  ])
}
