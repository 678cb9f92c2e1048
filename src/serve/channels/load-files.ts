// Loads the files of a message that may talk. What cannot be loaded or shown to a model is named in the text instead, so
// that the agent can say so.

import {
  isTakenType,
  isTextFile,
  MOST_FILE_BYTES,
  MOST_FILES,
  MOST_TEXT_FILE_BYTES,
} from "../../agent/inbox/message/message-files.ts"
import type { SentFile } from "../../agent/setup/agent.ts"
import { defined } from "../../base/defined.ts"
import { ChannelFault, type ChannelFile, type ChannelMessage } from "./channel.ts"

export interface LoadedMessage {
  readonly text: string
  readonly files: readonly SentFile[]
}

/** For all files of a message: meanwhile the channel waits. */
const TIMEOUT_MS = 30_000
const ATTEMPTS = 2

export async function loadFiles({ text, files = [] }: ChannelMessage): Promise<LoadedMessage> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const loaded: SentFile[] = []
  const missing: string[] = []
  let left = MOST_FILE_BYTES
  let leftOfText = MOST_TEXT_FILE_BYTES
  for (const file of files) {
    const isText = isTextFile({ mediaType: file.mediaType ?? "" })
    const most = isText ? Math.min(left, leftOfText) : left
    const found = loaded.length < MOST_FILES ? await load(file, most, signal) : "there are too many files"
    if (typeof found === "string") missing.push(`[${nameOf(file)}; ${found}]`)
    else {
      left -= found.byteLength
      if (isText) leftOfText -= found.byteLength
      // `load` returns bytes only for a type that is known.
      loaded.push({ mediaType: file.mediaType ?? "", data: found, ...defined({ name: file.name }) })
    }
  }
  return { text: [text, ...missing].filter((line) => line !== "").join("\n"), files: loaded }
}

/** Returns why it cannot be had. */
async function load(file: ChannelFile, mostBytes: number, signal: AbortSignal): Promise<Uint8Array | string> {
  const { mediaType, bytes = 0 } = file
  if (mediaType === undefined || !isTakenType(mediaType)) return "it cannot be opened here"
  if (bytes > mostBytes) return "it is too large to be opened here"
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = await file.load({ mostBytes, signal })
      return found.byteLength === 0 ? "it is empty" : found
    } catch (error) {
      if (!(error instanceof ChannelFault)) throw error
      if (error.isFinal || attempt >= ATTEMPTS || signal.aborted) return "it could not be loaded"
    }
  }
}

function nameOf({ what, name }: ChannelFile): string {
  return name === undefined ? what : `${what}, ${JSON.stringify(name)}`
}
