// `incipit export`: the events, or the calls, as JSON Lines, to stdout or a file, with a progress bar.
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { resolve } from "node:path"
import { finished } from "node:stream/promises"
import { IncipitError } from "../../../base/error.ts"
import { unwritable } from "../../../base/system-error.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { identityAt } from "../../../files/identity.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { recordedCalls } from "../../../record/ask/recorded-calls.ts"
import { type ExportOptions, exportEvents } from "../../../record/keep/export.ts"
import { secretsAmong } from "../../../record/redact/secret-variables.ts"
import { createSecrets } from "../../../record/redact/secrets.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { openOutput } from "../../command-line/output-file.ts"
import type { Terminal } from "../../terminal.ts"
import { rangeOf, withRecord } from "./record-file.ts"

export async function run({ words, flags, terminal }: Invocation<"export">): Promise<number> {
  return withRecord(flags, terminal, async (store) => {
    const path = words[0] === undefined ? undefined : resolve(terminal.cwd, words[0])
    if (path !== undefined) refuseRecord(path, store.path)
    const chosen = { ...rangeOf(flags, terminal), session: flags.session }
    const what = flags.calls ? "call" : "event"
    const write = what === "call" ? callsOf(store, chosen, terminal) : eventsOf(store, chosen, terminal)
    // The record is written without keys, but an older one may contain some.
    const { redact } = createSecrets(secretsAmong(terminal.env))
    const lines =
      path === undefined
        ? await write((line) => writeLine(line, terminal))
        : await toFile(path, (line) => write((text) => line(redact(text))))
    // Overwrites the bar, if there is one.
    if (path !== undefined)
      terminal.err(`${terminal.colour ? "\r\u001b[K" : ""}${plural(lines, what)} written to ${path}\n`)
    else if (lines === 0) terminal.err(`No ${what}s match.\n`)
    return 0
  })
}

type Writing = (write: (line: string) => Promise<void> | void) => Promise<number>

function eventsOf(store: RecordStore, chosen: ExportOptions, terminal: Terminal): Writing {
  return async (write) => {
    const all = await store.events.count({}, Number.MAX_SAFE_INTEGER)
    return exportEvents(store, write, { ...chosen, onProgress: progressBar(all, terminal) })
  }
}

function callsOf(store: RecordStore, chosen: ExportOptions, terminal: Terminal): Writing {
  const onDamaged = (turn: string, step: number) =>
    terminal.err(`call ${escapeHidden(turn)}.${step} was left out: its texts are damaged\n`)
  return async (write) => {
    let lines = 0
    for await (const call of recordedCalls(store, { ...chosen, counter: o200k, onDamaged })) {
      await write(`${JSON.stringify(call)}\n`)
      lines += 1
    }
    return lines
  }
}

/** Compares identities, not names, since there may be links. */
function refuseRecord(path: string, record: string): void {
  const found = identityAt(path)
  const own = ["", "-wal", "-shm"].map((end) => record + end)
  const isOwn = own.some((file) => file === path || (found !== undefined && identityAt(file) === found))
  if (isOwn) throw new IncipitError("bad-argument", `${path} is part of the record that would be exported`)
}

async function writeLine(line: string, terminal: Terminal): Promise<void> {
  terminal.exact(line)
  await terminal.drained()
}

async function toFile(path: string, work: Writing): Promise<number> {
  try {
    const stream = createWriteStream(path, { fd: openOutput(path) })
    const lines = await work(async (line) => {
      if (!stream.write(line)) await once(stream, "drain")
    })
    stream.end()
    await finished(stream)
    return lines
  } catch (error) {
    throw unwritable(path, error)
  }
}

function progressBar(all: number, terminal: Terminal): (lines: number) => void {
  const width = Math.max(10, Math.min(40, terminal.columns - 30))
  return (lines) => {
    if (!terminal.colour) return
    const done = all === 0 ? width : Math.round((lines / all) * width)
    terminal.err(`\r${"█".repeat(done)}${"░".repeat(width - done)} ${thousands(lines)} of ${thousands(all)}`)
  }
}
