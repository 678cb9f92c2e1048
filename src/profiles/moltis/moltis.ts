// The layout of Moltis as its published description has it: everything in one system prompt, in a fixed order. Mode
// `full` is its whole prompt, `minimal` the one without tools, `subagent` the simple one: tools and project.
import { textContent, trimParts } from "../../core/model/content.ts"
import type { Profile } from "../../core/model/profile.ts"
import { section } from "../../core/model/section.ts"
import type { AgentView, SessionView } from "../../core/model/section-scope.ts"
import { allOf, bodyContent, bodyOf, firstOf, fromFields, type SourceFile } from "../../core/model/source.ts"
import { noFile, notInMode, type Unused, unused } from "../../core/view/unused.ts"
import { verbatim } from "../../core/write/markup.ts"
import { toolDefinition } from "../parts.ts"
import { nameHere } from "../tool-names.ts"
import {
  compactTool,
  fieldOf,
  identityContent,
  projectContent,
  runtimeContent,
  skillsContent,
  workspaceFilesContent,
} from "./parts.ts"
import {
  GUIDELINES_WITH_TOOLS,
  GUIDELINES_WITHOUT_TOOLS,
  INTRO_WITH_TOOLS,
  INTRO_WITHOUT_TOOLS,
  MEMORY,
  SILENT_REPLIES,
  SOUL,
  TOOL_CALLS,
  TOOL_GUIDELINES,
} from "./text.ts"
import { TOOLS } from "./tools.ts"

const BLANK_LINE = "\n\n"

const intro = section({
  id: "moltis/intro",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  build: ({ agent }) => bundled("intro", hasTools(agent) ? INTRO_WITH_TOOLS : INTRO_WITHOUT_TOOLS),
})

const identity = section({
  id: "moltis/identity",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  reads: ["identity"],
  build: ({ agent }) => {
    const file = identityOf(agent)
    if (file === undefined) return agent.mode === "subagent" ? notInMode(agent.mode) : undefined
    const fields = ["name", "creature", "vibe"]
    return identityContent(file) ?? unused({ kind: "no-field", path: file.path, fields })
  },
})

/** Included whenever there is an identity file, even one without fields. */
const soul = section({
  id: "moltis/soul",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "headings",
  lead: BLANK_LINE,
  reads: ["soul"],
  build: ({ agent }) => {
    if (agent.mode === "subagent") return notInMode(agent.mode)
    if (identityOf(agent) === undefined) return unused({ kind: "depends", on: [identity.id] })
    const file = firstOf(agent.files, "soul")
    if (file?.unavailable !== undefined && file.text === "") return undefined
    const own = file === undefined ? [] : trimParts([bodyOf(file)])
    const soul = own.length > 0 ? own : [{ text: SOUL, from: BUNDLED_SOUL }]
    return { ...bodyContent(file), parts: [{ text: "## Soul\n\n" }, ...soul] }
  },
})

/** Directly below the soul. Without a soul, separated from the introduction like everything else. */
const user = section({
  id: "moltis/user",
  pace: "session",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: "\n",
  reads: ["user"],
  build: ({ agent, session }) => {
    const file = userOf(agent, session)
    const name = fieldOf(file, "name")
    if (agent.mode === "subagent") return notInMode(agent.mode)
    if (file === undefined) return whyNoUser(agent)
    if (name === undefined) return unused({ kind: "no-field", path: file.path, fields: ["name"] })
    const gap = identityOf(agent) === undefined ? "\n" : ""
    return { parts: [fromFields(file, `${gap}The user's name is ${name}.`)] }
  },
})

const project = section({
  id: "moltis/project",
  pace: "session",
  priority: "high",
  trust: "public",
  cut: "lines",
  lead: BLANK_LINE,
  reads: ["context"],
  build: ({ session }) => projectContent(allOf(session.files, "context"), session.directory),
})

/** Strangers don't learn about the machine. */
const runtime = section({
  id: "moltis/runtime",
  pace: "session",
  priority: "required",
  trust: "familiar",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent, session }) =>
    agent.mode === "subagent"
      ? notInMode(agent.mode)
      : (runtimeContent(session, { user: userOf(agent, session), exec: toolHere(agent, "exec") }) ??
        unused({ kind: "no-fact", fact: "environment" })),
})

const skills = section({
  id: "moltis/skills",
  pace: "session",
  priority: "medium",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent, session }) => {
    if (agent.mode !== "full") return notInMode(agent.mode)
    const all = [...agent.skills, ...session.skills]
    const why = () =>
      all.length === 0 ? noFile("skill") : unused({ kind: "manual-only", count: all.length })
    return skillsContent(all, hasTools(agent)) ?? why()
  },
})

const workspaceFiles = section({
  id: "moltis/workspace-files",
  pace: "stable",
  priority: "high",
  trust: "public",
  cut: "headings",
  lead: BLANK_LINE,
  reads: ["behaviour", "tool-notes"],
  build: ({ agent }) => {
    if (agent.mode === "subagent") return notInMode(agent.mode)
    return workspaceFilesContent([...allOf(agent.files, "behaviour"), ...allOf(agent.files, "tool-notes")])
  },
})

const memory = section({
  id: "moltis/memory",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent }) =>
    toolHere(agent, "memory_search")
      ? bundled("memory", MEMORY)
      : (whyNoTools(agent) ?? unused({ kind: "needs-tools", tools: ["memory_search"], least: 1 })),
})

const tools = section({
  id: "moltis/tools",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "lines",
  lead: BLANK_LINE,
  build: ({ agent }) => {
    if (!hasTools(agent)) return whyNoTools(agent)
    const list = isFallback(agent)
      ? agent.tools.map(toolDefinition).join("\n\n")
      : agent.tools.map(compactTool).join("\n")
    return textContent(`## Available Tools\n\n${list}`)
  },
})

const toolCalls = section({
  id: "moltis/tool-calls",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent }) =>
    hasTools(agent) && isFallback(agent)
      ? bundled("tool-calls", TOOL_CALLS)
      : (whyNoTools(agent) ?? unused({ kind: "in-definitions", what: "call-format" })),
})

const guidelines = section({
  id: "moltis/guidelines",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent }) => {
    // The last section of the prompt ends its line.
    if (!hasTools(agent)) return bundled("guidelines", `## Guidelines\n\n${GUIDELINES_WITHOUT_TOOLS}\n`)
    const own = TOOL_GUIDELINES.flatMap(([tool, line]) => {
      const name = toolHere(agent, tool)
      return name === undefined ? [] : [line(name)]
    })
    return bundled("guidelines", `## Guidelines\n\n${[...own, GUIDELINES_WITH_TOOLS].join("\n")}`)
  },
})

const silentReplies = section({
  id: "moltis/silent-replies",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent }) =>
    hasTools(agent) ? bundled("silent-replies", `${SILENT_REPLIES}\n`) : whyNoTools(agent),
})

/** The layout of Moltis. */
export const moltis: Profile = {
  name: "moltis",
  order: "declared",
  markup: verbatim,
  tools: TOOLS,
  sections: [
    intro,
    identity,
    soul,
    user,
    project,
    runtime,
    skills,
    workspaceFiles,
    memory,
    tools,
    toolCalls,
    guidelines,
    silentReplies,
  ],
}

const BUNDLED_SOUL = { kind: "bundled", name: "moltis/soul" } as const

function bundled(name: string, text: string) {
  return textContent(text, { kind: "bundled", name: `moltis/${name}` })
}

function whyNoTools(agent: AgentView): Unused | undefined {
  if (hasTools(agent)) return undefined
  return agent.mode === "minimal" ? notInMode(agent.mode) : unused({ kind: "no-tools" })
}

/** The prompt must not promise tools that aren't registered. */
function hasTools({ mode, tools }: AgentView): boolean {
  return mode !== "minimal" && tools.length > 0
}

function toolHere(agent: AgentView, name: string): string | undefined {
  return hasTools(agent) ? nameHere(agent.tools, name) : undefined
}

function isFallback({ toolFormat }: AgentView): boolean {
  return toolFormat === "fallback"
}

function identityOf({ mode, files }: AgentView): SourceFile | undefined {
  return mode === "subagent" ? undefined : firstOf(files, "identity")
}

/** USER.md is only about the owner. */
function userOf(agent: AgentView, session: SessionView): SourceFile | undefined {
  const isOwner = session.isOwner ?? session.person === undefined
  return isOwner ? firstOf(agent.files, "user") : undefined
}

/** Called only if there is no file that is about this person. */
function whyNoUser({ files }: AgentView): Unused | undefined {
  const ofOwner = firstOf(files, "user")
  return ofOwner && unused({ kind: "about-owner", path: ofOwner.path })
}
