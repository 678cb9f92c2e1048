// The lighthouse of the examples, served with the offline model and a clock of its own after a morning of conversations:
// three people, tools, a pause longer than the cache lives, and an edit of SOUL.md.
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { openWholeGateway, type WholeGateway } from "../../test/serve/whole-gateway.ts"

export interface ServedLighthouse extends Pick<WholeGateway, "url" | "close"> {
  /** The secret of a token that may do everything the page can. */
  readonly owner: string
  /** The time at the lighthouse. */
  readonly now: () => number
}

interface Said {
  /** Who says it; the owner if left out. */
  readonly who?: "jonas" | "mirela"
  readonly text: string
  /** How long after the message before. */
  readonly minutes: number
  /** Written into SOUL.md before. */
  readonly soul?: string
}

const MORNING = Date.UTC(2026, 10, 18, 7, 50)
const MINUTE = 60_000

const SAID: readonly Said[] = [
  { who: "jonas", text: "who are you?", minutes: 2 },
  { who: "jonas", text: "what does data/tides.csv say about high water?", minutes: 3 },
  { who: "mirela", text: "what do you know about the puffin?", minutes: 4 },
  { who: "mirela", text: "who am I?", minutes: 2 },
  { text: "which skills do you have?", minutes: 5 },
  { text: "what does data/lamp-log.md say about the lamp?", minutes: 2 },
  { text: "what do you know about Jonas?", minutes: 2 },
  { text: "remember that the crane is booked for Friday", minutes: 41 },
  { text: "who am I?", minutes: 2 },
  {
    text: "what does rules/bookings.md say about the cottage?",
    minutes: 3,
    soul: "Keep answers short on Fridays.\n",
  },
  { text: "what does data/tides.csv say about low water?", minutes: 1 },
]

export async function serveLighthouse(): Promise<ServedLighthouse> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-pictures-")))
  const workspace = join(folder, "workspace")
  cpSync("examples/lighthouse", workspace, { recursive: true })
  // The path differs each time, and what is new in memory depends on the file times.
  appendFileSync(
    join(workspace, "incipit.yaml"),
    "\nprompt: { sections: { directory: off } }\nfeeds: { bulletin: off }\n",
  )
  for (const name of ["home", "state"]) mkdirSync(join(folder, name))
  let time = MORNING
  const now = () => time
  const gateway = await openWholeGateway({
    ...{ folder, env: {}, model: offlineModel(), now, timeZone: "UTC" },
  })
  const owner = await gateway.token(undefined, "dm", ["talk", "read", "operate"])
  const tokens = {
    jonas: await gateway.token("jonas"),
    mirela: await gateway.token("mirela", "group"),
    owner,
  }
  const sessions = new Map<string, string>()
  for (const { who = "owner", text, minutes, soul } of SAID) {
    time += minutes * MINUTE
    if (soul !== undefined) appendFileSync(join(workspace, "SOUL.md"), soul)
    sessions.set(who, await say(gateway.url, { token: tokens[who], session: sessions.get(who), text }))
  }
  time += MINUTE
  return {
    ...{ url: gateway.url, owner, now },
    async close() {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Message {
  readonly token: string
  readonly session: string | undefined
  readonly text: string
}

/** The session of the answer. */
async function say(url: string, { token, session, text }: Message): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(session !== undefined && { "x-incipit-session": session }),
    },
    body: JSON.stringify({ model: "main", messages: [{ role: "user", content: text }] }),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.headers.get("x-incipit-session") ?? ""
}
