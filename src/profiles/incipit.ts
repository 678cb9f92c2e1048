// The default profile. Slow text first; each section is in the pace that its inputs allow, and is left out whole
// when it has nothing to say.
import { textContent } from "../core/content.ts"
import { tags } from "../core/markup.ts"
import type { Profile } from "../core/profile.ts"
import { section } from "../core/section.ts"
import { allOf, bodyContent, bodyOf, firstOf } from "../core/source.ts"
import { expandTemplate, placedSections, type TemplateNames } from "../core/template.ts"
import type { AgentView } from "../core/view.ts"
import { BACKGROUND, BASE, PLAN_MODE, SOUL } from "./incipit-text.ts"
import { TOOLS } from "./incipit-tools.ts"
import { clockText, filesContent, guidelines, identityContent, toolLine, userContent } from "./parts.ts"

/** Placeholders of SYSTEM.md. Names that other systems use for the same thing work too. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ["TOOLS", "tools"],
  ["TOOL_DEFINITIONS", "tools"],
  ["GUIDELINES", "guidelines"],
  ["RULES", "rules"],
  ["USER_PROFILE", "user"],
])
const TURN_PLACES: ReadonlySet<string> = new Set(["current_date_time", "CLOCK", "DATE"])

const base = section({
  id: "base",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "whole",
  freshness: "hold",
  bare: true,
  reads: ["base"],
  build: ({ agent }) => {
    const file = firstOf(agent.files, "base")
    if (file === undefined || file.text.trim() === "")
      return textContent(BASE, { kind: "bundled", name: "base" })
    return expandTemplate(bodyOf(file), templateNames(agent))
  },
})

const append = section({
  id: "append",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "whole",
  reads: ["append"],
  build: ({ agent }) => bodyContent(firstOf(agent.files, "append")),
})

const identity = section({
  id: "identity",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "lines",
  freshness: "hold",
  reads: ["identity"],
  build: ({ agent }) =>
    agent.mode === "subagent" ? undefined : identityContent(firstOf(agent.files, "identity")),
})

const soul = section({
  id: "soul",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "headings",
  freshness: "hold",
  reads: ["soul"],
  build: ({ agent }) => {
    if (agent.mode !== "full") return undefined
    return bodyContent(firstOf(agent.files, "soul")) ?? textContent(SOUL, { kind: "bundled", name: "soul" })
  },
})

const behaviour = section({
  id: "behaviour",
  pace: "stable",
  need: "high",
  trust: "public",
  cut: "headings",
  reads: ["behaviour"],
  build: ({ agent }) =>
    agent.mode === "minimal" ? undefined : bodyContent(firstOf(agent.files, "behaviour")),
})

const tools = section({
  id: "tools",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => {
    if (agent.mode === "minimal" || !isPlaced(agent, "tools")) return undefined
    return textContent(agent.tools.map(toolLine).join("\n"))
  },
})

const guides = section({
  id: "guidelines",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => {
    if (agent.mode === "minimal" || !isPlaced(agent, "guidelines")) return undefined
    return textContent(
      guidelines(agent.tools)
        .map((line) => `- ${line}`)
        .join("\n"),
    )
  },
})

const toolNotes = section({
  id: "tool-notes",
  pace: "stable",
  need: "medium",
  trust: "public",
  cut: "headings",
  reads: ["tool-notes"],
  build: ({ agent }) =>
    agent.mode === "minimal" ? undefined : bodyContent(firstOf(agent.files, "tool-notes")),
})

const rules = section({
  id: "rules",
  pace: "stable",
  need: "high",
  trust: "public",
  cut: "menu",
  reads: ["rules"],
  build: ({ agent }) => (agent.mode === "minimal" ? undefined : filesContent(allOf(agent.files, "rules"))),
})

const user = section({
  id: "user",
  pace: "session",
  need: "high",
  trust: "public",
  cut: "lines",
  reads: ["user"],
  build: ({ agent, session }) => {
    if (agent.mode !== "full") return undefined
    return userContent(firstOf(session.files, "user") ?? firstOf(agent.files, "user"))
  },
})

const situation = section({
  id: "situation",
  pace: "session",
  need: "required",
  trust: "public",
  cut: "lines",
  reads: ["situation"],
  build: ({ session }) => bodyContent(firstOf(session.files, "situation")),
})

const channel = section({
  id: "channel",
  pace: "session",
  need: "high",
  trust: "public",
  cut: "lines",
  reads: ["channel"],
  build: ({ session }) => bodyContent(firstOf(session.files, "channel")),
})

const heartbeat = section({
  id: "heartbeat",
  pace: "session",
  need: "high",
  trust: "public",
  cut: "lines",
  reads: ["heartbeat"],
  build: ({ session }) => bodyContent(firstOf(session.files, "heartbeat")),
})

const directory = section({
  id: "directory",
  pace: "session",
  need: "required",
  trust: "public",
  cut: "whole",
  build: ({ agent, session }) => {
    if (agent.mode === "minimal" || session.directory === undefined) return undefined
    return textContent(`Your working directory is ${session.directory}`)
  },
})

const background = section({
  id: "background",
  pace: "session",
  need: "required",
  trust: "public",
  cut: "whole",
  build: ({ agent, session }) => {
    if (session.background !== true) return undefined
    const notify = agent.tools.some(({ name }) => name === "notify_user")
    return textContent(
      notify ? `${BACKGROUND} Use notify_user if something important must reach the user.` : BACKGROUND,
    )
  },
})

const planMode = section({
  id: "plan-mode",
  pace: "turn",
  need: "required",
  trust: "public",
  cut: "whole",
  build: ({ turn }) => (turn.planMode === true ? textContent(PLAN_MODE) : undefined),
})

const clock = section({
  id: "clock",
  pace: "turn",
  need: "required",
  trust: "public",
  cut: "whole",
  freshness: "always",
  build: ({ turn }) => textContent(clockText(turn.now, turn.timeZone)),
})

export const incipit: Profile = {
  name: "incipit",
  order: "paced",
  markup: tags,
  tools: TOOLS,
  sections: [
    base,
    append,
    identity,
    soul,
    behaviour,
    tools,
    guides,
    toolNotes,
    rules,
    user,
    situation,
    channel,
    heartbeat,
    directory,
    background,
    planMode,
    clock,
  ],
}

/** With a SYSTEM.md of one's own, tools and guidelines appear only where it places them. */
function isPlaced(agent: AgentView, id: string): boolean {
  const file = firstOf(agent.files, "base")
  if (file === undefined || file.text.trim() === "") return true
  return placedSections(file.text, { sections: PLACES }).has(id)
}

function templateNames(agent: AgentView): TemplateNames {
  const extensions = agent.extensions.map(({ name, instructions, trust = "public" }) => {
    return new Map([
      ["name", { text: name, trust }],
      ["instructions", { text: instructions, trust }],
    ])
  })
  return { sections: PLACES, turn: TURN_PLACES, lists: new Map([["extensions", extensions]]) }
}
