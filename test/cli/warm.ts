// A process that runs command lines one after the other: what a test asks for is there at once, as if it had been started.
// If it ends, whoever asks gets undefined, and starts a program of their own.
import { spawn, spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

export interface WarmLine {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: string
}

interface Warm {
  readonly requests: number
  readonly answers: number
}

let warm: Warm | undefined

export function runWarm(line: WarmLine): Ran | undefined {
  warm ??= start()
  // Node's reader of lines ends one at these two, too.
  const request = JSON.stringify(line).replaceAll(
    /[\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16)}`,
  )
  writeSync(warm.requests, `${request}\n`)
  const answer = readLine(warm.answers)
  if (answer === undefined) warm = undefined
  return answer === undefined ? undefined : (JSON.parse(answer) as Ran)
}

/** Named pipes can be written and read without giving way to other tests, as a program that is started can. */
function start(): Warm {
  const folder = mkdtempSync(join(tmpdir(), "incipit-warm-"))
  const [requests, answers] = [join(folder, "requests"), join(folder, "answers")]
  spawnSync("mkfifo", [requests, answers])
  // Held open for both while the others are opened, since opening one end waits for the other.
  const held = [openSync(requests, "r+"), openSync(answers, "r+")]
  const ends = [openSync(requests, "r"), openSync(answers, "w")] as const
  const opened = { requests: openSync(requests, "w"), answers: openSync(answers, "r") }
  // Each side has one end, so it sees that the other is gone; the process then ends by itself.
  const child = spawn(process.execPath, [join(import.meta.dirname, "warm-process.ts")], {
    stdio: [...ends, "inherit"],
  })
  child.unref()
  for (const end of [...held, ...ends]) closeSync(end)
  rmSync(folder, { recursive: true })
  return opened
}

function readLine(file: number): string | undefined {
  const chunks: Buffer[] = []
  const chunk = Buffer.alloc(65_536)
  for (;;) {
    const length = readSync(file, chunk)
    if (length === 0) return undefined
    chunks.push(Buffer.from(chunk.subarray(0, length)))
    if (chunk[length - 1] === 10) return Buffer.concat(chunks).toString("utf8")
  }
}
