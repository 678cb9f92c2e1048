// Gives a stranger a code that the owner can confirm with `incipit pair`. Only in their own conversation.
import { createHash, randomInt } from "node:crypto"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Channel, ChannelMessage, OutgoingPart } from "./channel.ts"

const EXPIRES_MS = 3_600_000
/** Strangers beyond these get no code until one is confirmed, denied or expired. */
const MOST_OPEN = 5
/** Without letters and digits that look alike. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
const LENGTH = 8

export async function offerPairing(
  { pairings, deliveries }: Pick<AgentStore, "pairings" | "deliveries">,
  { channel, message }: { readonly channel: Channel; readonly message: ChannelMessage },
): Promise<void> {
  const code = newCode()
  const asked = await pairings.ask({
    channel: channel.name,
    sender: message.sender.slice(channel.name.length + 1),
    hash: createHash("sha256").update(code).digest("hex"),
    expiresInMs: EXPIRES_MS,
    mostOpen: MOST_OPEN,
  })
  // A sender who has a code, or was denied one, learns nothing more.
  if (asked !== "opened") return
  const text = `I don't know you yet. To talk to me, give this code to my owner within an hour: ${code}`
  const parts = channel.parts(text).map((body, index) => {
    const part: Omit<OutgoingPart, "id"> = { place: message.place, body }
    const id = `pair.${createHash("sha256").update(code).digest("hex").slice(0, 16)}.${index}`
    return { id, channel: channel.name, to: message.place.channel, body: JSON.stringify(part) }
  })
  await deliveries.add(parts)
}

function newCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("")
}
