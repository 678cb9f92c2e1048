// The stable sections of the `incipit` profile: base, persona, tools, rules and skills.
import { type Content, isSlot, textContent } from "../core/content.ts"
import { section } from "../core/section.ts"
import { allOf, bodyContent, bodyOf, firstOf, type SourceFile } from "../core/source.ts"
import { expandTemplate, type TemplateNames } from "../core/template.ts"
import type { AgentView } from "../core/view.ts"
import { BASE, SOUL } from "./incipit-text.ts"
import {
  filesContent,
  guidelines,
  identityContent,
  joined,
  skillsContent,
  TOOL_CALL_FORMAT,
  toolDefinition,
  toolLine,
} from "./parts.ts"

/** Placeholders of SYSTEM.md. Names that other systems use for the same thing work too. */
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
  need: "required",
  trust: "public",
  cut: "whole",
  freshness: "hold",
  bare: true,
  reads: ["base"],
  build: ({ agent }) => {
    const file = firstOf(agent.files, "base")
    if (file?.unavailable !== undefined && file.text === "") return undefined
    if (file === undefined || file.text.trim() === "") return bundledBase(allOf(agent.files, "legacy"))
    return expandTemplate(bodyOf(file), templateNames(agent))
  },
})

export const append = section({
  id: "append",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "whole",
  reads: ["append"],
  build: ({ agent }) => bodyContent(firstOf(agent.files, "append")),
})

export const identity = section({
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

export const soul = section({
  id: "soul",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "headings",
  freshness: "hold",
  reads: ["soul"],
  build: ({ agent }) => {
    if (agent.mode !== "full") return undefined
    const file = firstOf(agent.files, "soul")
    if (file?.unavailable !== undefined && file.text === "") return undefined
    return bodyContent(file) ?? textContent(SOUL, { kind: "bundled", name: "soul" })
  },
})

export const behaviour = section({
  id: "behaviour",
  pace: "stable",
  need: "high",
  trust: "public",
  cut: "headings",
  reads: ["behaviour"],
  build: ({ agent }) =>
    agent.mode === "minimal" ? undefined : bodyContent(firstOf(agent.files, "behaviour")),
})

export const tools = section({
  id: "tools",
  pace: "stable",
  need: "required",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => {
    if (agent.mode === "minimal" || !isPlaced(agent, "tools")) return undefined
    if (agent.tools.length === 0) return undefined
    if (agent.toolFormat === "fallback")
      return textContent([...agent.tools.map(toolDefinition), TOOL_CALL_FORMAT].join("\n\n"))
    return textContent(agent.tools.map(toolLine).join("\n"))
  },
})

export const guides = section({
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

export const toolNotes = section({
  id: "tool-notes",
  pace: "stable",
  need: "medium",
  trust: "public",
  cut: "headings",
  reads: ["tool-notes"],
  build: ({ agent }) =>
    agent.mode === "minimal" ? undefined : bodyContent(firstOf(agent.files, "tool-notes")),
})

export const rules = section({
  id: "rules",
  pace: "stable",
  need: "high",
  trust: "public",
  cut: "menu",
  reads: ["rules"],
  build: ({ agent }) => (agent.mode === "minimal" ? undefined : filesContent(allOf(agent.files, "rules"))),
})

export const skills = section({
  id: "skills",
  pace: "stable",
  need: "medium",
  trust: "public",
  cut: "whole",
  build: ({ agent }) => {
    const reader = fileReader(agent)
    // Listed without a way to load them, skills would be made up.
    return agent.mode === "minimal" || reader === undefined ? undefined : skillsContent(agent.skills, reader)
  },
})

export const files = section({
  id: "files",
  pace: "stable",
  need: "medium",
  trust: "public",
  cut: "menu",
  reads: ["files"],
  build: ({ agent }) => (agent.mode === "full" ? filesContent(allOf(agent.files, "files")) : undefined),
})

/** The bundled base, with what older home folders say of identity and soul. */
function bundledBase(legacy: readonly SourceFile[]): Content | undefined {
  const told = legacy.filter(({ text }) => text.trim() !== "")
  return joined([{ text: BASE, from: { kind: "bundled", name: "base" } }, ...told.map(bodyOf)])
}

/** A tool with which the model can load a file. */
export function fileReader({ tools }: AgentView): string | undefined {
  return ["read", "shell"].find((name) => tools.some((tool) => tool.name === name))
}

/** With a SYSTEM.md of one's own, tools and guidelines appear only where it places them. */
function isPlaced(agent: AgentView, id: string): boolean {
  const file = firstOf(agent.files, "base")
  if (file === undefined || file.text.trim() === "") return true
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
