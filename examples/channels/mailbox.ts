// A whole channel in some thirty lines: messages are files that a program drops into `inbox/`, answers are files in `outbox/`.
// A message is `{ "from": "bo", "text": "…" }` under a name of its own ending in .json, moved there once it is complete.
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { Channel, ChannelMessage } from "incipit/channels"

export function mailbox(folder: string, everyMs = 1_000): Channel {
  return {
    name: "mailbox",
    async run(host, signal) {
      while (!signal.aborted) {
        const names = (await readdir(join(folder, "inbox"))).filter((name) => name.endsWith(".json"))
        for (const id of names.toSorted()) {
          const path = join(folder, "inbox", id)
          await host.take({ id, message: messageIn(await readFile(path, "utf8")) })
          // Only now: after a crash in between, it is read again and taken once.
          await rm(path)
        }
        await pause(everyMs, undefined, { signal }).catch(() => {})
      }
    },
    parts: (text) => [text],
    async send({ id, place, body }) {
      const path = join(folder, "outbox", id)
      await writeFile(`${path}.part`, JSON.stringify({ to: place.channel, text: body }))
      await rename(`${path}.part`, `${path}.json`)
      return undefined
    },
  }
}

/** Undefined for what is no message: it would otherwise be read again and again. */
function messageIn(json: string): ChannelMessage | undefined {
  try {
    const { from, text } = JSON.parse(json)
    if (typeof text !== "string" || typeof from !== "string" || !/^[\w-]+$/.test(from)) return undefined
    const sender = `mailbox:${from}`
    return { place: { channel: sender }, sender, isRoom: false, isAddressed: true, text }
  } catch {
    return undefined
  }
}
