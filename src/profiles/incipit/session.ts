// The session sections of the `incipit` profile: the person, the place, the project, memory and the machine.
import { section } from "../../core/model/section.ts"
import { allOf, bodyContent, firstOf } from "../../core/model/source.ts"
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
import { fileReader } from "./stable.ts"
import { backgroundText } from "./text.ts"

export const user = section({
  id: "user",
  pace: "session",
  priority: "high",
  trust: "public",
  cut: "lines",
  reads: ["user"],
  build: ({ agent, session }) => {
    if (agent.mode !== "full") return undefined
    return userContent(userFile({ agent, session }))
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
    agent.mode === "full" ? filesContent(allOf(session.files, "user-files")) : undefined,
})

export const situation = section({
  id: "situation",
  pace: "session",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "lines",
  reads: ["situation"],
  build: ({ session }) => bodyContent(firstOf(session.files, "situation")),
})

export const channel = section({
  id: "channel",
  pace: "session",
  voice: "operator",
  priority: "high",
  trust: "public",
  cut: "lines",
  reads: ["channel"],
  build: ({ session }) => bodyContent(firstOf(session.files, "channel")),
})

export const heartbeat = section({
  id: "heartbeat",
  pace: "session",
  voice: "operator",
  priority: "high",
  trust: "public",
  cut: "lines",
  reads: ["heartbeat"],
  build: ({ session }) => bodyContent(firstOf(session.files, "heartbeat")),
})

export const context = section({
  id: "context",
  pace: "session",
  priority: "high",
  trust: "public",
  cut: "menu",
  reads: ["context"],
  build: ({ agent, session }) =>
    agent.mode === "minimal" ? undefined : contextContent(allOf(session.files, "context")),
})

export const projectSkills = section({
  id: "project-skills",
  pace: "session",
  priority: "medium",
  trust: "public",
  cut: "whole",
  build: ({ agent, session }) => {
    const reader = fileReader(agent)
    return agent.mode === "minimal" || reader === undefined
      ? undefined
      : skillsContent(session.skills, reader)
  },
})

export const memory = section({
  id: "memory",
  pace: "session",
  priority: "medium",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => (agent.mode === "full" ? memoryContent(agent.memory, agent.tools) : undefined),
})

export const environment = section({
  id: "environment",
  pace: "session",
  priority: "medium",
  trust: ENVIRONMENT_TRUST,
  cut: "whole",
  build: ({ agent, session }) =>
    agent.mode === "minimal" ? undefined : environmentContent(session.environment, session.sandbox),
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
    agent.mode === "minimal" ? undefined : filesContent(allOf(session.files, "addendum")),
})

export const directory = section({
  id: "directory",
  pace: "session",
  priority: "required",
  trust: "familiar",
  cut: "whole",
  build: ({ agent, session }) => {
    if (agent.mode === "minimal" || session.directory === undefined) return undefined
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
    if (agent.mode !== "full" || filled.length === 0) return undefined
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
    if (session.background !== true || agent.mode === "subagent") return undefined
    const hasSituation = bodyContent(firstOf(session.files, "situation")) !== undefined
    const canNotify = agent.tools.some(({ name }) => name === "notify_user")
    return backgroundText({ hasSituation, canNotify })
  },
})
