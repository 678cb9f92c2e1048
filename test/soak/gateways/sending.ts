// Sends messages as another program does: signed, each again until a gateway has accepted it, and those of one session
// one after the other.
import { setTimeout as pause } from "node:timers/promises"
import { signatureOf } from "../../../src/serve/channels/webhook/signature.ts"
import { type Gateway, SECRET } from "./gateways.ts"

export interface Message {
  readonly id: string
  /** The name of the session and of its sender. */
  readonly session: string
}

export interface Sender {
  /** How many requests it took so far. */
  readonly requests: number
  /** Resolves when all are accepted. */
  send(messages: readonly Message[]): Promise<void>
}

/** Before it is tried again. */
const AGAIN_MS = 25
const TIMEOUT_MS = 60_000

export function createSender(
  gateways: readonly Gateway[],
  { random, accepted }: { readonly random: (below: number) => number; readonly accepted: () => void },
): Sender {
  let requests = 0
  const post = async (message: Message): Promise<boolean> => {
    const url = gateways[random(gateways.length)]?.url
    if (url === undefined) return false
    requests += 1
    return (await posted(url, message)) === 202
  }
  const sendInOrder = async (messages: readonly Message[]) => {
    for (const message of messages) {
      while (!(await post(message))) await pause(AGAIN_MS)
      accepted()
    }
  }
  return {
    get requests() {
      return requests
    },
    async send(messages) {
      await Promise.all([...Map.groupBy(messages, ({ session }) => session).values()].map(sendInOrder))
    },
  }
}

async function posted(url: string, { id, session }: Message): Promise<number | undefined> {
  const body = JSON.stringify({ id, sender: session, text: `What is ${id}?` })
  const time = String(Math.floor(Date.now() / 1_000))
  const headers = {
    "x-incipit-timestamp": time,
    "x-incipit-signature": signatureOf(SECRET, { body, time }),
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(`${url}/channels/webhook`, { method: "POST", body, headers, signal })
    await response.body?.cancel()
    return response.status
  } catch {
    // It was killed; the message may be stored or not.
    return undefined
  }
}
