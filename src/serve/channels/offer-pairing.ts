// Gives a stranger a code that the owner can confirm with `incipit pair`. Only in their own conversation. The code is
// made right before it is sent, so that no disk ever has it.
import { createHash, randomInt, randomUUID } from "node:crypto"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { ChannelSender, Pairings } from "../../database/contract/serve/pairings.ts"
import type { Channel, ChannelMessage, OutgoingPart, Place } from "./channel.ts"

const EXPIRES_MS = 3_600_000
/** Strangers beyond these get no code until one is confirmed, denied or expired. */
const MOST_OPEN = 5
/** Without letters and digits that look alike. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
const LENGTH = 8

/** The body of a delivery that offers a code. */
interface Offer {
  readonly place: Place
  /** The sender's id on the channel. */
  readonly pairs: string
}

export async function offerPairing(
  { pairings, deliveries }: Pick<AgentStore, "pairings" | "deliveries">,
  { channel, message }: { readonly channel: Channel; readonly message: ChannelMessage },
): Promise<void> {
  const sender = message.sender.slice(channel.name.length + 1)
  // A place for their code: nobody knows this one.
  const asked = await ask(
    pairings,
    { channel: channel.name, sender },
    { code: randomUUID(), replaces: false },
  )
  // A sender who has a code, or was denied one, learns nothing more.
  if (asked !== "opened") return
  const offer: Offer = { place: message.place, pairs: sender }
  const id = `pair.${randomUUID()}`
  await deliveries.add([
    { id, channel: channel.name, to: message.place.channel, body: JSON.stringify(offer) },
  ])
}

/** What to send for a delivery, with a new code if it offers one. Undefined if the owner has decided in the meantime. */
export async function readyPart(
  pairings: Pick<Pairings, "ask">,
  channel: Pick<Channel, "name" | "parts">,
  body: string,
): Promise<Omit<OutgoingPart, "id"> | undefined> {
  // Written by `connectChannels` or above, possibly in an earlier process.
  const stored = JSON.parse(body) as Omit<OutgoingPart, "id"> | Offer
  if (!("pairs" in stored)) return stored
  const code = newCode()
  const sender = { channel: channel.name, sender: stored.pairs }
  if ((await ask(pairings, sender, { code, replaces: true })) !== "opened") return undefined
  const text = `I don't know you yet. To talk to me, give this code to my owner within an hour: ${code}`
  const [part = text] = channel.parts(text)
  return { place: stored.place, body: part }
}

function ask(
  pairings: Pick<Pairings, "ask">,
  sender: ChannelSender,
  { code, replaces }: { readonly code: string; readonly replaces: boolean },
) {
  const hash = createHash("sha256").update(code).digest("hex")
  return pairings.ask({ ...sender, hash, replaces, expiresInMs: EXPIRES_MS, mostOpen: MOST_OPEN })
}

function newCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("")
}
