// The message of `incipit run`: the words of the command line, and what is piped in.
import type { SentFile } from "../../../agent/setup/agent.ts"
import { IncipitError } from "../../../base/error.ts"
import { attachmentOf, isText, textOf } from "../../command-line/attachment.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { readPiped } from "../../command-line/piped.ts"
import type { Terminal } from "../../terminal.ts"

export interface RunMessage {
  /** Empty if only a file is sent. */
  readonly text: string
  readonly files: readonly SentFile[]
}

/** As the last word it stands for stdin, which is then waited for as long as it takes. */
const STDIN = "-"
/** How long to wait for a pipe that nobody asked to wait for. */
const WAIT_MS = 3_000

export interface ReadOptions {
  readonly flags: Pick<FlagsOf<"run">, "sessions" | "schedule">
  readonly terminal: Terminal
  readonly waitMs?: number
}

/** Returns undefined if there is none. An empty text is a script's mistake, not a missing message. */
export async function readMessage(
  words: readonly string[],
  { flags, terminal, waitMs = WAIT_MS }: ReadOptions,
): Promise<RunMessage | undefined> {
  const other = flags.sessions ? "sessions" : flags.schedule ? "schedule" : undefined
  if (words.length > 0 && other !== undefined)
    throw new IncipitError("bad-argument", `--${other} cannot be used with a message`)
  if (other !== undefined) return undefined
  const isWanted = words.at(-1) === STDIN
  const said = isWanted ? words.slice(0, -1) : words
  const text = said.join(" ").trim()
  if (said.length > 0 && text === "") throw new IncipitError("bad-argument", "the message is empty")
  const piped = await pipedBytes(terminal, isWanted ? undefined : waitMs)
  const isEmpty = piped === undefined || isBlank(piped)
  if (isWanted && isEmpty)
    throw new IncipitError("bad-argument", text === "" ? "the message is empty" : "stdin is empty")
  if (isEmpty) return text === "" ? undefined : { text, files: [] }
  if (text === "" && isText(piped)) return { text: textOf(piped, "stdin").trim(), files: [] }
  return { text, files: [attachmentOf(piped, "stdin")] }
}

/** A terminal is waited for only if it is asked for. */
async function pipedBytes(
  { streams, err }: Terminal,
  waitMs: number | undefined,
): Promise<Buffer | undefined> {
  if (streams === undefined || (streams.input.isTTY && waitMs !== undefined)) return undefined
  if (streams.input.isTTY) err("Reading the message from the terminal; Ctrl-D ends it.\n")
  const piped = await readPiped(streams.input, { waitMs })
  if (piped === undefined)
    err(
      `warning: stdin is a pipe, but nothing came in ${(waitMs ?? 0) / 1000} s, so it is left out. To wait for it, add - after the message; to leave it out at once, add < /dev/null.\n`,
    )
  return piped
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => BLANKS.includes(byte))
}

const BLANKS = [...Buffer.from(" \t\r\n")]
