// The session sections of the `incipit` profile: the person, the place, the project, memory and the machine.
import { section } from "../../core/model/section.ts"
import type { AgentView, SessionView } from "../../core/model/section-scope.ts"
import { allOf, bodyContent, firstOf } from "../../core/model/source.ts"
import { noFile, notInMode, type Unused, unused } from "../../core/view/unused.ts"
import { ENVIRONMENT_TRUST, userFile } from "../../core/write/clock-zone.ts"
import { element } from "../../core/write/markup.ts"
import {
  contextContent,
  environmentContent,
  filesContent,
  memoryContent,
  skillsContent,
  userContent,
} from "../parts.ts"
import { fileReader, whyNoSkills } from "./stable.ts"
import { backgroundText } from "./text.ts"

export const user = section({
  id: "user",
  pace: "session",
  priority: "high",
  trust: "public",
  cut: "lines",
  reads: ["user"],
  build: ({ agent, session }) => {
    if (agent.mode !== "full") return notInMode(agent.mode)
    return userContent(userFile({ agent, session })) ?? whyNoUser(agent, session)
  },
})

export const userFiles = section({
  id: "user-files",
  pace: "session",
  priority: "medium",
  trust: "public",
  cut: "menu",
  reads: ["user-files"],
  build: ({ agent, session }) =>
    agent.mode === "full"
      ? (filesContent(allOf(session.files, "user-files")) ?? whyNoUserFiles(session))
      : notInMode(agent.mode),
})

export const situation = section({
  id: "situation",
  pace: "session",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "lines",
  reads: ["situation"],
  build: ({ session }) => {
    const { situation } = session.audience
    return (
      bodyContent(firstOf(session.files, "situation")) ??
      noFile("situation", `situations.${situation}.prompt_overlay`)
    )
  },
})

export const channel = section({
  id: "channel",
  pace: "session",
  voice: "operator",
  priority: "high",
  trust: "public",
  cut: "lines",
  reads: ["channel"],
  build: ({ session }) =>
    session.channel === undefined
      ? unused({ kind: "no-fact", fact: "channel" })
      : bodyContent(firstOf(session.files, "channel")),
})

export const heartbeat = section({
  id: "heartbeat",
  pace: "session",
  voice: "operator",
  priority: "high",
  trust: "public",
  cut: "lines",
  reads: ["heartbeat"],
  build: ({ session }) => {
    const { situation } = session.audience
    if (situation !== "system")
      return unused({ kind: "other-audience", of: "situation", is: situation, only: ["system"] })
    return bodyContent(firstOf(session.files, "heartbeat"))
  },
})

export const context = section({
  id: "context",
  pace: "session",
  priority: "high",
  trust: "public",
  cut: "menu",
  reads: ["context"],
  build: ({ agent, session }) =>
    agent.mode === "minimal" ? notInMode(agent.mode) : contextContent(allOf(session.files, "context")),
})

export const projectSkills = section({
  id: "project-skills",
  pace: "session",
  priority: "medium",
  trust: "public",
  cut: "whole",
  build: ({ agent, session }) => {
    const reader = fileReader(agent)
    const why = () => whyNoSkills(agent, session.skills, "project-skill")
    if (agent.mode === "minimal" || reader === undefined) return why()
    return skillsContent(session.skills, reader) ?? why()
  },
})

export const memory = section({
  id: "memory",
  pace: "session",
  priority: "medium",
  trust: "public",
  cut: "lines",
  build: ({ agent }) =>
    agent.mode === "full"
      ? (memoryContent(agent.memory, agent.tools) ?? whyNoMemory(agent))
      : notInMode(agent.mode),
})

export const environment = section({
  id: "environment",
  pace: "session",
  priority: "medium",
  trust: ENVIRONMENT_TRUST,
  cut: "whole",
  build: ({ agent, session }) =>
    agent.mode === "minimal"
      ? notInMode(agent.mode)
      : (environmentContent(session.environment, session.sandbox) ??
        unused({ kind: "no-fact", fact: "environment" })),
})

/** What applies to this kind of machine, and to this particular one. */
export const addendums = section({
  id: "addendums",
  pace: "session",
  voice: "operator",
  priority: "low",
  trust: "familiar",
  cut: "lines",
  reads: ["addendum"],
  build: ({ agent, session }) =>
    agent.mode === "minimal" ? notInMode(agent.mode) : filesContent(allOf(session.files, "addendum")),
})

export const directory = section({
  id: "directory",
  pace: "session",
  priority: "required",
  trust: "familiar",
  cut: "whole",
  build: ({ agent, session }) => {
    if (agent.mode === "minimal") return notInMode(agent.mode)
    if (session.directory === undefined) return unused({ kind: "no-fact", fact: "directory" })
    const others = (session.directories ?? []).map((path) => `- ${path}`)
    const more = others.length === 0 ? [] : ["You may also use:", ...others]
    return [`Your working directory is ${session.directory}`, ...more].join("\n")
  },
})

export const responsibilities = section({
  id: "responsibilities",
  pace: "session",
  priority: "high",
  trust: "familiar",
  cut: "lines",
  build: ({ agent, session }) => {
    const filled = (session.responsibilities ?? []).filter(({ content }) => content.trim() !== "")
    if (agent.mode !== "full") return notInMode(agent.mode)
    if (filled.length === 0) return unused({ kind: "not-configured", setting: "responsibilities" })
    const parts = filled.flatMap(({ title, content }) =>
      element("responsibility", { title }, [{ text: content.trim() }]),
    )
    return { parts }
  },
})

export const background = section({
  id: "background",
  pace: "session",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "whole",
  build: ({ agent, session }) => {
    // A subagent always reports to its parent.
    if (agent.mode === "subagent") return notInMode(agent.mode)
    if (session.background !== true) return unused({ kind: "no-fact", fact: "background" })
    const hasSituation = bodyContent(firstOf(session.files, "situation")) !== undefined
    const canNotify = agent.tools.some(({ name }) => name === "notify_user")
    return backgroundText({ hasSituation, canNotify })
  },
})

/** The workspace's USER.md is about its owner only. */
function whyNoUser(agent: AgentView, session: SessionView): Unused | undefined {
  const ofOwner = firstOf(agent.files, "user")
  const isOther = userFile({ agent, session }) === undefined
  if (ofOwner === undefined || !isOther || firstOf(session.files, "user") !== undefined) return undefined
  return unused({ kind: "about-owner", path: ofOwner.path })
}

function whyNoUserFiles({ person }: SessionView): Unused {
  return person === undefined
    ? unused({ kind: "no-fact", fact: "person" })
    : noFile("user-files", "prompt.files")
}

/** The tools of `memoryContent`. */
function whyNoMemory({ memory }: AgentView): Unused {
  if (memory.length === 0) return noFile("memory")
  const idle = { what: "memory file", count: memory.length } as const
  return unused({ kind: "needs-tools", tools: ["memory_search", "memory_get", "read"], least: 1, idle })
}
