// OSA before its restructuring: fifteen blocks joined by rules, all of them counted against one budget. The first
// block, the soul, has four parts; each is a separate section here.
import { type Content, textContent, trimParts } from "../../core/model/content.ts"
import type { Profile, RoomPolicy } from "../../core/model/profile.ts"
import { section } from "../../core/model/section.ts"
import type { AgentView } from "../../core/model/section-scope.ts"
import { bodyOf, firstOf } from "../../core/model/source.ts"
import { verbatim } from "../../core/write/markup.ts"
import * as dynamic from "./dynamic.ts"
import { truncated, WINDOW } from "./osa.ts"
import { bundled, rulesContent, toolsContent, userContent } from "./static.ts"
import { IDENTITY, PERSONALITY, SECURITY, TOOL_PROCESS } from "./text.ts"
import { TOOLS } from "./tools.ts"

const SMALLEST_ROOM = 2_000

const room: RoomPolicy = ({ window, reserve, conversation }) =>
  Math.max(window - reserve - conversation, SMALLEST_ROOM)

/** Session pace, though the text is stable: stable text isn't counted towards the room, and here all text must be. */
const COUNTED = { pace: "session", trust: "public", lead: dynamic.RULE } as const

const security = section({
  ...COUNTED,
  id: "osa/security",
  priority: "required",
  cut: "whole",
  build: () => textContent(`## Security\n\n${SECURITY}`, { kind: "bundled", name: "security" }),
})

const identity = section({
  ...COUNTED,
  id: "osa/identity",
  priority: "required",
  cut: "whole",
  reads: ["identity"],
  build: ({ agent }) => fileOr(agent, "identity", `## Identity\n\n${IDENTITY}`),
})

const soul = section({
  ...COUNTED,
  id: "osa/soul",
  priority: "required",
  cut: "whole",
  reads: ["soul"],
  build: ({ agent }) => fileOr(agent, "soul", `## Soul\n\n${PERSONALITY}`),
})

const toolProcess = section({
  ...COUNTED,
  id: "osa/tool-process",
  priority: "required",
  cut: "whole",
  build: ({ agent }) => bundled("tool-process", `## How to Use Tools\n\n${TOOL_PROCESS}`, agent),
})

const tools = section({
  ...COUNTED,
  id: "osa/tools",
  priority: "high",
  cut: "lines",
  build: ({ agent }) => toolsContent(agent),
})

const rules = section({
  ...COUNTED,
  id: "osa/rules",
  priority: "high",
  cut: "lines",
  reads: ["rules"],
  build: ({ agent }) => rulesContent(agent),
})

const userProfile = section({
  ...COUNTED,
  id: "osa/user-profile",
  priority: "medium",
  cut: "lines",
  reads: ["user"],
  build: ({ agent }) => userContent(agent, "## User Profile\n\n"),
})

/** The layout of OSA before its restructuring. */
export const osaBefore: Profile = {
  name: "osa-before",
  order: "declared",
  markup: verbatim,
  window: WINDOW,
  room,
  cutMarker: truncated,
  tools: TOOLS,
  sections: [
    security,
    identity,
    soul,
    dynamic.signalOverlay,
    toolProcess,
    dynamic.runtime,
    dynamic.planMode,
    dynamic.environment,
    tools,
    rules,
    dynamic.memory,
    dynamic.workflow,
    dynamic.taskState,
    userProfile,
    dynamic.communication,
    dynamic.cortex,
    dynamic.osTemplates,
    dynamic.machines,
  ],
}

function fileOr(agent: AgentView, role: string, text: string): Content | undefined {
  const file = firstOf(agent.files, role)
  if (file?.unavailable !== undefined && file.text === "") return undefined
  const body = file === undefined ? [] : trimParts([bodyOf(file)])
  return body.length > 0 ? { parts: body } : textContent(text, { kind: "bundled", name: role })
}
