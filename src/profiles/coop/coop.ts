// The prompt of Coop, a personal agent gateway: files under their names, gated by trust, in layers from identity to
// memory. Its runtime facts come before situation and memory, so the clock invalidates the cache of what follows.
import type { Profile } from "../../core/model/profile.ts"
import { section } from "../../core/model/section.ts"
import { readInput } from "../../core/model/section-input.ts"
import { allOf, bodyContent, firstOf } from "../../core/model/source.ts"
import { verbatim } from "../../core/write/markup.ts"
import { remainingInput } from "../inputs.ts"
import {
  BLANK_LINE,
  cutMarker,
  extensionsContent,
  fileContent,
  filesContent,
  hintText,
  menuContent,
  nameOf,
  PERSONAL_SKILLS,
  runtimeContent,
  skillsContent,
} from "./parts.ts"
import { TOOLS } from "./tools.ts"

/** Files share their room in prompt order: each is whole while there is room, then cut at a line. */
const FILE = { priority: "high", trust: "public", cut: "lines", lead: BLANK_LINE } as const
/** Text that Coop doesn't count towards the room for files. */
const FIXED = { priority: "required", trust: "public", cut: "whole", lead: BLANK_LINE } as const

const soul = section({
  ...FILE,
  id: "coop/soul",
  pace: "stable",
  reads: ["soul"],
  build: ({ agent }) =>
    agent.mode === "subagent" ? undefined : fileContent(firstOf(agent.files, "soul"), "SOUL.md"),
})

const agents = section({
  ...FILE,
  id: "coop/agents",
  pace: "stable",
  reads: ["behaviour"],
  build: ({ agent }) => fileContent(firstOf(agent.files, "behaviour"), "AGENTS.md"),
})

const user = section({
  ...FILE,
  id: "coop/user",
  pace: "session",
  reads: ["user"],
  build: ({ agent, session }) => {
    if (agent.mode === "subagent") return undefined
    const isOwner = session.isOwner ?? session.person === undefined
    const file = firstOf(session.files, "user") ?? (isOwner ? firstOf(agent.files, "user") : undefined)
    return fileContent(file, "USER.md")
  },
})

const userFiles = section({
  ...FILE,
  id: "coop/user-files",
  pace: "session",
  cut: "menu",
  reads: ["user-files"],
  build: ({ agent, session }) =>
    agent.mode === "subagent" ? undefined : filesContent(allOf(session.files, "user-files"), agent),
})

const tools = section({
  ...FILE,
  id: "coop/tools",
  pace: "stable",
  reads: ["tool-notes"],
  build: ({ agent }) => fileContent(firstOf(agent.files, "tool-notes"), "TOOLS.md"),
})

const identity = section({
  ...FILE,
  id: "coop/identity",
  pace: "stable",
  reads: ["identity"],
  build: ({ agent }) =>
    agent.mode === "subagent" ? undefined : fileContent(firstOf(agent.files, "identity"), "IDENTITY.md"),
})

const files = section({
  ...FILE,
  id: "coop/files",
  pace: "stable",
  cut: "menu",
  reads: ["files"],
  build: ({ agent }) => {
    const listed = allOf(agent.files, "files")
    const shown =
      agent.mode === "subagent" ? listed.filter((file) => nameOf(file, agent) === "TOOLS.md") : listed
    return filesContent(shown, agent)
  },
})

const heartbeat = section({
  ...FILE,
  id: "coop/heartbeat",
  pace: "session",
  reads: ["heartbeat"],
  build: ({ agent, session }) =>
    agent.mode === "subagent" ? undefined : fileContent(firstOf(session.files, "heartbeat"), "HEARTBEAT.md"),
})

const extensions = section({
  ...FIXED,
  id: "coop/extensions",
  pace: "stable",
  build: ({ agent }) => (agent.mode === "subagent" ? undefined : extensionsContent(agent.extensions)),
})

const skills = section({
  ...FIXED,
  id: "coop/skills",
  pace: "stable",
  reads: ["skill"],
  build: ({ agent }) => (agent.mode === "subagent" ? undefined : skillsContent(agent.skills, agent.tools)),
})

/** After the shared skills, which stay the same for everyone. */
const userSkills = section({
  ...FIXED,
  id: "coop/user-skills",
  pace: "session",
  build: ({ agent, session }) =>
    agent.mode === "subagent" ? undefined : skillsContent(session.skills, agent.tools, PERSONAL_SKILLS),
})

const channel = section({
  ...FIXED,
  id: "coop/channel",
  pace: "session",
  cut: "lines",
  reads: ["channel"],
  build: ({ agent, session }) => {
    const [family = ""] = session.channel?.split(":", 1) ?? []
    if (agent.mode === "subagent") return undefined
    return fileContent(firstOf(session.files, "channel"), `Channel: ${family}`)
  },
})

const runtime = section({
  ...FIXED,
  id: "coop/runtime",
  pace: "turn",
  build: ({ agent, session, turn }) =>
    agent.mode === "subagent" ? undefined : runtimeContent(agent, session, turn),
})

const situation = section({
  ...FIXED,
  id: "coop/situation",
  pace: "session",
  reads: ["situation"],
  build: ({ agent, session }) =>
    agent.mode === "subagent" ? undefined : bodyContent(firstOf(session.files, "situation")),
})

/** A public audience gets no menu, whatever trust the stores have. */
const memory = section({
  ...FIXED,
  id: "coop/memory",
  pace: "session",
  trust: "familiar",
  reads: ["memory"],
  build: ({ agent, session }) =>
    agent.mode === "subagent" ? undefined : menuContent(agent.memory, session.audience.trust),
})

const memoryHint = section({
  ...FIXED,
  id: "coop/memory-hint",
  pace: "turn",
  trust: "familiar",
  build: ({ agent, turn }) => {
    const text = hintText(readInput(turn, remainingInput), agent.tools)
    return text === "" ? undefined : { parts: [{ text, when: [memory.id] }] }
  },
})

/** The layout of Coop. */
export const coop: Profile = {
  name: "coop",
  order: "declared",
  markup: verbatim,
  tools: TOOLS,
  cutMarker,
  // Coop's own memory_get opens any file. If there is a file tool, as in a running agent, memory_get opens only memory.
  readers: ["read_file", "read", "memory_get"],
  sections: [
    soul,
    agents,
    user,
    userFiles,
    tools,
    identity,
    files,
    heartbeat,
    extensions,
    skills,
    userSkills,
    channel,
    runtime,
    situation,
    memory,
    memoryHint,
  ],
}
