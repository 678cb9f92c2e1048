// The prompt of Coop, a personal agent gateway: files under their names, gated by trust, in layers from identity to
// memory. Its runtime facts come before situation and memory, so the clock invalidates the cache of what follows.
import type { Profile } from "../../core/model/profile.ts"
import { section } from "../../core/model/section.ts"
import { readInput } from "../../core/model/section-input.ts"
import { allOf, bodyContent, firstOf } from "../../core/model/source.ts"
import { noFile, notFed, notInMode, unused } from "../../core/view/unused.ts"
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
  whyNoSkills,
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
    agent.mode === "subagent" ? notInMode(agent.mode) : fileContent(firstOf(agent.files, "soul"), "SOUL.md"),
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
    if (agent.mode === "subagent") return notInMode(agent.mode)
    const isOwner = session.isOwner ?? session.person === undefined
    const file = firstOf(session.files, "user") ?? (isOwner ? firstOf(agent.files, "user") : undefined)
    const ofOwner = firstOf(agent.files, "user")
    if (file === undefined && ofOwner !== undefined)
      return unused({ kind: "about-owner", path: ofOwner.path })
    return fileContent(file, "USER.md")
  },
})

const userFiles = section({
  ...FILE,
  id: "coop/user-files",
  pace: "session",
  cut: "menu",
  reads: ["user-files"],
  build: ({ agent, session }) => {
    if (agent.mode === "subagent") return notInMode(agent.mode)
    if (session.person === undefined) return unused({ kind: "no-fact", fact: "person" })
    return filesContent(allOf(session.files, "user-files"), agent) ?? noFile("user-files", "prompt.files")
  },
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
    agent.mode === "subagent"
      ? notInMode(agent.mode)
      : fileContent(firstOf(agent.files, "identity"), "IDENTITY.md"),
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
    if (shown.length < listed.length && shown.length === 0) return notInMode(agent.mode)
    return filesContent(shown, agent) ?? noFile("files", "prompt.files")
  },
})

const heartbeat = section({
  ...FILE,
  id: "coop/heartbeat",
  pace: "session",
  reads: ["heartbeat"],
  build: ({ agent, session }) => {
    const { situation: is } = session.audience
    if (agent.mode === "subagent") return notInMode(agent.mode)
    if (is !== "system") return unused({ kind: "other-audience", of: "situation", is, only: ["system"] })
    return fileContent(firstOf(session.files, "heartbeat"), "HEARTBEAT.md")
  },
})

const extensions = section({
  ...FIXED,
  id: "coop/extensions",
  pace: "stable",
  build: ({ agent }) =>
    agent.mode === "subagent"
      ? notInMode(agent.mode)
      : (extensionsContent(agent.extensions) ?? unused({ kind: "no-extensions" })),
})

const skills = section({
  ...FIXED,
  id: "coop/skills",
  pace: "stable",
  reads: ["skill"],
  build: ({ agent }) =>
    agent.mode === "subagent"
      ? notInMode(agent.mode)
      : (skillsContent(agent.skills, agent.tools) ?? whyNoSkills(agent.skills, "skill")),
})

/** After the shared skills, which stay the same for everyone. */
const userSkills = section({
  ...FIXED,
  id: "coop/user-skills",
  pace: "session",
  build: ({ agent, session }) => {
    if (agent.mode === "subagent") return notInMode(agent.mode)
    if (session.person === undefined) return unused({ kind: "no-fact", fact: "person" })
    const { skills } = session
    return skillsContent(skills, agent.tools, PERSONAL_SKILLS) ?? whyNoSkills(skills, "project-skill")
  },
})

const channel = section({
  ...FIXED,
  id: "coop/channel",
  pace: "session",
  cut: "lines",
  reads: ["channel"],
  build: ({ agent, session }) => {
    const [family = ""] = session.channel?.split(":", 1) ?? []
    if (agent.mode === "subagent") return notInMode(agent.mode)
    if (session.channel === undefined) return unused({ kind: "no-fact", fact: "channel" })
    return fileContent(firstOf(session.files, "channel"), `Channel: ${family}`)
  },
})

const runtime = section({
  ...FIXED,
  id: "coop/runtime",
  pace: "turn",
  build: ({ agent, session, turn }) =>
    agent.mode === "subagent" ? notInMode(agent.mode) : runtimeContent(agent, session, turn),
})

const situation = section({
  ...FIXED,
  id: "coop/situation",
  pace: "session",
  reads: ["situation"],
  build: ({ agent, session }) =>
    agent.mode === "subagent"
      ? notInMode(agent.mode)
      : (bodyContent(firstOf(session.files, "situation")) ??
        noFile("situation", `situations.${session.audience.situation}.prompt_overlay`)),
})

/** A public audience gets no menu, whatever trust the stores have. */
const memory = section({
  ...FIXED,
  id: "coop/memory",
  pace: "session",
  trust: "familiar",
  reads: ["memory"],
  build: ({ agent, session }) =>
    agent.mode === "subagent" ? notInMode(agent.mode) : menuContent(agent.memory, session.audience.trust),
})

const memoryHint = section({
  ...FIXED,
  id: "coop/memory-hint",
  pace: "turn",
  trust: "familiar",
  build: ({ agent, turn }) => {
    const text = hintText(readInput(turn, remainingInput), agent.tools)
    return text === "" ? notFed(turn.inputs, remainingInput) : { parts: [{ text, when: [memory.id] }] }
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
