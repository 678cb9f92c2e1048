// The stable sections of the `incipit` profile: base, persona, tools, rules and skills.
import { byCodePoint } from "../../base/order.ts"
import { type Content, isSlot, textContent } from "../../core/model/content.ts"
import type { Skill, Tool } from "../../core/model/inputs.ts"
import { section } from "../../core/model/section.ts"
import type { AgentView } from "../../core/model/section-scope.ts"
import { allOf, bodyContent, bodyOf, firstOf } from "../../core/model/source.ts"
import { noFile, notInMode, type Unused, unused } from "../../core/view/unused.ts"
import { element } from "../../core/write/markup.ts"
import { expandTemplate, type TemplateNames } from "../../core/write/template.ts"
import {
  filesContent,
  guidelines,
  identityContent,
  joined,
  oneLine,
  skillsContent,
  TOOL_CALL_FORMAT,
  toolDefinition,
  toolLine,
} from "../parts.ts"
import { type BaseFacts, baseText, SOUL } from "./text.ts"
import { TOOLS } from "./tools.ts"

/** Placeholders of SYSTEM.md. The names that other systems use for the same thing work too. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ["TOOLS", "tools"],
  ["TOOL_DEFINITIONS", "tools"],
  ["GUIDELINES", "guidelines"],
  ["RULES", "rules"],
  ["SKILLS", "skills"],
  ["USER_PROFILE", "user"],
])
const TURN_PLACES: ReadonlySet<string> = new Set(["current_date_time", "CLOCK", "DATE"])

export const base = section({
  id: "base",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  onChange: "wait",
  bare: true,
  reads: ["base"],
  build: ({ agent }) => {
    const file = firstOf(agent.files, "base")
    if (file?.unavailable !== undefined && file.text === "") return undefined
    if (file === undefined || file.text.trim() === "") return bundledBase(agent)
    return expandTemplate(bodyOf(file), templateNames(agent))
  },
})

export const append = section({
  id: "append",
  pace: "stable",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "whole",
  reads: ["append"],
  build: ({ agent }) => bodyContent(firstOf(agent.files, "append")),
})

export const identity = section({
  id: "identity",
  pace: "stable",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "lines",
  onChange: "wait",
  reads: ["identity"],
  build: ({ agent }) =>
    agent.mode === "subagent" ? notInMode(agent.mode) : identityContent(firstOf(agent.files, "identity")),
})

export const soul = section({
  id: "soul",
  pace: "stable",
  voice: "operator",
  priority: "required",
  trust: "public",
  cut: "headings",
  onChange: "wait",
  reads: ["soul"],
  build: ({ agent }) => {
    if (agent.mode !== "full") return notInMode(agent.mode)
    const file = firstOf(agent.files, "soul")
    if (file?.unavailable !== undefined && file.text === "") return undefined
    return bodyContent(file) ?? textContent(SOUL, { kind: "bundled", name: "soul" })
  },
})

export const behaviour = section({
  id: "behaviour",
  pace: "stable",
  voice: "operator",
  priority: "high",
  trust: "public",
  cut: "headings",
  reads: ["behaviour"],
  build: ({ agent }) =>
    agent.mode === "minimal" ? notInMode(agent.mode) : bodyContent(firstOf(agent.files, "behaviour")),
})

export const tools = section({
  id: "tools",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => {
    const why = whyNoToolText(agent, "tools")
    if (why !== undefined) return why
    if (agent.toolFormat === "fallback")
      return [...agent.tools.map(toolDefinition), TOOL_CALL_FORMAT].join("\n\n")
    // The request already contains the definitions. A SYSTEM.md that places the list wants all of it.
    const listed = isBundledBase(agent) ? agent.tools.filter(saysMore) : agent.tools
    if (listed.length === 0) return unused({ kind: "in-definitions", what: "tools" })
    return listed.map(toolLine).join("\n")
  },
})

export const guides = section({
  id: "guidelines",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => {
    const why = whyNoToolText(agent, "guidelines")
    if (why !== undefined) return why
    const lines = guidelines(agent.tools).map((line) => `- ${line}`)
    return textContent(lines.join("\n")) ?? unused({ kind: "in-definitions", what: "guidelines" })
  },
})

/** What MCP servers and other extensions say about using their tools. */
export const extensions = section({
  id: "extensions",
  pace: "stable",
  priority: "high",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => {
    // A custom base may loop over them itself.
    if (agent.mode === "minimal") return notInMode(agent.mode)
    if (!isBundledBase(agent)) return notPlaced(agent, ["{% for extension in extensions %}"])
    const parts = agent.extensions
      .filter(({ instructions }) => instructions.trim() !== "")
      .toSorted((a, b) => byCodePoint(a.name, b.name))
      .flatMap(({ name, instructions, trust = "public" }) =>
        element("server", { name }, [{ text: instructions.trim(), trust }]).map((part) => ({
          ...part,
          trust,
        })),
      )
    return parts.length === 0 ? unused({ kind: "no-extensions" }) : { parts }
  },
})

const STORES: readonly (readonly [string, string])[] = [
  ["write", "Files (write): documents, tables, code."],
  ["instructions_write", "Instructions (instructions_write): how you should work from now on."],
  ["memory_write", "Memory (memory_write): a fact that will matter in another conversation."],
  ["schedule_write", "Schedule (schedule_write): what should happen at a set time."],
]

/** Where to store what. Lists only the available ways. */
export const storage = section({
  id: "storage",
  pace: "stable",
  voice: "operator",
  priority: "medium",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => {
    const known = STORES.filter(([tool]) => agent.tools.some(({ name }) => name === tool))
    // With files alone there is no choice to explain.
    if (agent.mode === "minimal") return notInMode(agent.mode)
    if (known.length < 2)
      return unused({ kind: "needs-tools", tools: STORES.map(([tool]) => tool), least: 2 })
    const lines = known.map(([, line]) => `- ${line}`)
    return ["To keep something beyond this conversation:", ...lines].join("\n")
  },
})

export const toolNotes = section({
  id: "tool-notes",
  pace: "stable",
  voice: "operator",
  priority: "medium",
  trust: "public",
  cut: "headings",
  reads: ["tool-notes"],
  build: ({ agent }) =>
    agent.mode === "minimal" ? notInMode(agent.mode) : bodyContent(firstOf(agent.files, "tool-notes")),
})

export const rules = section({
  id: "rules",
  pace: "stable",
  voice: "operator",
  priority: "high",
  trust: "public",
  cut: "menu",
  reads: ["rules"],
  build: ({ agent }) =>
    agent.mode === "minimal" ? notInMode(agent.mode) : filesContent(allOf(agent.files, "rules")),
})

export const skills = section({
  id: "skills",
  pace: "stable",
  priority: "medium",
  trust: "public",
  cut: "whole",
  build: ({ agent }) => {
    const reader = fileReader(agent)
    // Without a way to load the listed skills, the model would invent their content.
    if (agent.mode === "minimal" || reader === undefined) return whyNoSkills(agent, agent.skills, "skill")
    return skillsContent(agent.skills, reader) ?? whyNoSkills(agent, agent.skills, "skill")
  },
})

export const files = section({
  id: "files",
  pace: "stable",
  voice: "operator",
  priority: "medium",
  trust: "public",
  cut: "menu",
  reads: ["files"],
  build: ({ agent }) => {
    if (agent.mode !== "full") return notInMode(agent.mode)
    return filesContent(allOf(agent.files, "files")) ?? noFile("files", "prompt.files")
  },
})

/** The bundled base, plus what legacy files of older home folders say about identity and soul. */
function bundledBase(agent: AgentView): Content | undefined {
  const filled = allOf(agent.files, "legacy").filter(({ text }) => text.trim() !== "")
  return joined([
    { text: baseText(baseFacts(agent)), from: { kind: "bundled", name: "base" } },
    ...filled.map(bodyOf),
  ])
}

function isBundledBase({ files }: AgentView): boolean {
  const file = firstOf(files, "base")
  return file === undefined || file.text.trim() === ""
}

function baseFacts({ mode, tools }: AgentView): BaseFacts {
  const has = (...names: readonly string[]) => tools.some(({ name }) => names.includes(name))
  return {
    mode,
    hasTools: tools.length > 0,
    hasTasks: has("task_write"),
    hasShell: has("shell"),
    parallel: tools.length > 1,
    writes: has("write", "edit", "shell"),
  }
}

const OWN_SNIPPETS: ReadonlyMap<string, string | undefined> = new Map(
  TOOLS.map(({ name, promptSnippet }) => [name, promptSnippet]),
)

/** Whether the tool was registered with a line for the prompt that its definition doesn't contain. */
function saysMore({ name, description, promptSnippet = "" }: Tool): boolean {
  const line = oneLine(promptSnippet)
  return line !== "" && promptSnippet !== OWN_SNIPPETS.get(name) && !oneLine(description).includes(line)
}

const READERS = ["read", "shell"]

/** A tool with which the model can load a file. */
export function fileReader({ tools }: Pick<AgentView, "tools">): string | undefined {
  return READERS.find((name) => tools.some((tool) => tool.name === name))
}

/** `role`: where these skills come from. */
export function whyNoSkills(agent: AgentView, skills: readonly Skill[], role: string): Unused {
  const listed = skills.filter(({ manual }) => manual !== true)
  if (agent.mode === "minimal") return notInMode(agent.mode)
  if (skills.length === 0) return noFile(role)
  if (listed.length === 0) return unused({ kind: "manual-only", count: skills.length })
  const idle = { what: "skill", count: listed.length } as const
  return unused({ kind: "needs-tools", tools: READERS, least: 1, idle })
}

/** Why the prompt says nothing of its tools, if it is not because of the tools themselves. */
function whyNoToolText(agent: AgentView, id: "tools" | "guidelines"): Unused | undefined {
  if (agent.mode === "minimal") return notInMode(agent.mode)
  if (!isPlaced(agent, id)) {
    const placeholders = [...PLACES].flatMap(([name, place]) => (place === id ? [`{{${name}}}`] : []))
    return notPlaced(agent, placeholders)
  }
  return agent.tools.length === 0 ? unused({ kind: "no-tools" }) : undefined
}

function notPlaced({ files }: AgentView, placeholders: readonly string[]): Unused {
  return unused({ kind: "not-placed", path: firstOf(files, "base")?.path ?? "", placeholders })
}

/** With a custom SYSTEM.md, tools and guidelines appear only where it places them. */
function isPlaced(agent: AgentView, id: string): boolean {
  const file = firstOf(agent.files, "base")
  if (file === undefined || isBundledBase(agent)) return true
  const { parts } = expandTemplate(bodyOf(file), templateNames(agent))
  return parts.some((part) => isSlot(part) && part.slot === id)
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
