// A process of its own that writes into a record, or prunes it, for tests that start many and kill some.
// Arguments: what to do, the file, a name, and how often.
import { appendFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { setImmediate as letOthersRun, setTimeout as pause } from "node:timers/promises"
import { openRecordFile } from "../../src/database/sqlite/record/open-record.ts"
import { saveUsage } from "../../src/record/ask/section-costs.ts"
import { prune } from "../../src/record/keep/upkeep.ts"
import { saveReceipt } from "../../src/record/write/receipts.ts"
import { openRecord } from "../../src/record/write/record.ts"
import { samplePrompt } from "../render/sample.ts"
import { inFile } from "./in-file.ts"

const [what = "", path = "", name = "", times = "1"] = process.argv.slice(2)
const now = Date.now()
const DAY_MS = 86_400_000
const FACTS = { turn: "t1", step: 1, at: now, session: "s1", trust: "full", model: "m" } as const

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  /** Writes so many batches of ten; says how the record did. */
  async batches() {
    const record = openRecord(path)
    for (let batch = 0; batch < Number(times); batch += 1) {
      for (let n = 0; n < 10; n += 1)
        record.append({ type: "tool_call", at: now, span: `${name}-${batch}-${n}`, data: { name, n } })
      await record.flush()
    }
    console.log(JSON.stringify(record.health()))
    await record.close()
  },
  /** Writes until it is killed; what was flushed is noted in a file beside, and the first time said. */
  async endlessly() {
    const record = openRecord(path)
    for (let n = 0; ; n += 1) {
      const trace = `${name}-${n}`
      record.append({ type: "tool_call", at: now, trace, span: `${name}-${n}`, data: { name, n } })
      for (const type of ["turn_started", "turn_completed"] as const)
        record.append({ type, at: now - 90 * DAY_MS, trace: `old-${trace}`, error: `old ${name} ${n}` })
      await record.flush()
      if (record.health().dropped > 0) throw new Error(record.health().lastError)
      appendFileSync(`${path}.acknowledged`, `${name}-${n}\n`)
      if (n === 0) console.log("writing")
      // So that five of them leave some of the machine to those that start.
      await pause(3)
    }
  },
  /** Prunes until it is killed. */
  async prune() {
    const store = openRecordFile(path)
    for (let n = 0; ; n += 1) {
      await prune(store, { olderThanMs: 30 * DAY_MS, now })
      if (n === 0) console.log("pruning")
      await pause(3)
    }
  },
  /** Appends and comes to its end, or leaves at once, without a flush. */
  async ends() {
    openRecord(path).append({ type: "tool_call", at: now, span: name })
  },
  async endsRedacted() {
    const redact = async (texts: readonly string[]) => {
      await letOthersRun()
      return texts.map(() => "[redacted:own]")
    }
    openRecord(path, { redact }).append({ type: "tool_error", at: now, span: name, error: "12345" })
  },
  async leaves() {
    openRecord(path).append({ type: "tool_call", at: now, span: name })
    process.exit(0)
  },
  async leavesUnchecked() {
    const record = openRecord(path, { redact: () => new Promise(() => {}) })
    record.append({
      type: "tool_error",
      at: now,
      span: name,
      error: "the key is 12345",
      data: { key: "12345" },
    })
    void record.flush()
    await letOthersRun()
    process.exit(0)
  },
  /** Leaves with a body that is no JSON, a receipt, a cost and an event in the queue. */
  async leavesReceipts() {
    const record = openRecord(path, name === "redacted" ? { redact: async (texts) => texts } : {})
    for (const [step, request] of ["no JSON", { messages: ["Hello."] }].entries())
      saveReceipt(record, { ...FACTS, step, prompt: samplePrompt(), request })
    saveUsage(record, { ...FACTS, usage: { uncached: 1, read: 0, write: {}, output: 1 } })
    record.append({ type: "tool_call", at: now, span: name })
    process.exit(0)
  },
  /** Writes until the disk is full, makes room when told, and writes again. */
  async fills() {
    const record = openRecord(path)
    let written = 0
    for (; record.health().dropped === 0; written += 1) {
      record.append({
        type: "tool_call",
        at: now,
        span: `before-${written}`,
        data: { text: "x".repeat(2_000) },
      })
      await record.flush()
    }
    console.log(JSON.stringify({ written: written - 1, ...record.health() }))
    for await (const _ of process.stdin) break
    rmSync(join(dirname(path), "ballast"))
    record.append({ type: "tool_call", at: now, span: "after" })
    await record.flush()
    const facts = inFile(record, (database) => database.all("SELECT * FROM facts"))
    const kept = inFile(record, (database) => database.get("SELECT count(*) AS count FROM events")?.count)
    console.log(JSON.stringify({ facts, kept, ...record.health() }))
    process.stdin.destroy()
    await record.close()
  },
}

// Nobody is left to kill it.
if (what === "endlessly" || what === "prune") process.stdin.on("end", () => process.exit(1)).resume()
await tasks[what]?.()
