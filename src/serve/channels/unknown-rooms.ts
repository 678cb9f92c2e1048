// Tells the operator once about each room where the agent is spoken to and stays silent because incipit.yaml does not
// have it. Nothing else shows the room's id, which the configuration needs.
import type { IgnoreReason } from "./admission.ts"
import { ChannelFault } from "./channel.ts"

/** Anybody can add a bot to rooms. */
const MOST = 20

export function createUnknownRooms(report: (fault: ChannelFault) => void) {
  const told = new Set<string>()
  return (room: string, why: IgnoreReason): void => {
    const isUnknown = why === "unknown-room" || why === "room-as-person"
    if (!isUnknown || told.has(room) || told.size >= MOST) return
    told.add(room)
    report(
      new ChannelFault(
        `Somebody spoke to the agent in ${room}, which is not in \`rooms\` of incipit.yaml. It stays silent there.`,
      ),
    )
  }
}
