// OSA after its restructuring: one coherent SYSTEM.md as the static base, then what changes from request to request.
// The static base is the cached block, and it doesn't count towards the room for the rest.
import type { CutMarker, Profile, RoomPolicy } from "../../core/model/profile.ts"
import { verbatim } from "../../core/write/markup.ts"
import * as dynamic from "./dynamic.ts"
import * as fixed from "./static.ts"
import { TOOLS } from "./tools.ts"

export const WINDOW = 128_000
const SMALLEST_ROOM = 1_000

/** On its own line, after a blank one. */
export const truncated: CutMarker = () => "\n[...truncated...]"

const room: RoomPolicy = ({ window, reserve, conversation, stable }) =>
  Math.max(window - reserve - conversation - stable, SMALLEST_ROOM)

/** The layout of OSA. */
export const osa: Profile = {
  name: "osa",
  order: "declared",
  markup: verbatim,
  window: WINDOW,
  room,
  cutMarker: truncated,
  tools: TOOLS,
  sections: [
    fixed.base,
    fixed.tools,
    fixed.rules,
    fixed.userProfile,
    dynamic.signalOverlay,
    dynamic.runtime,
    dynamic.planMode,
    dynamic.environment,
    dynamic.memory,
    dynamic.taskState,
    dynamic.workflow,
    dynamic.communication,
    dynamic.cortex,
    dynamic.osTemplates,
    dynamic.machines,
  ],
}
