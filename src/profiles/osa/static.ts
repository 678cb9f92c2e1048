// The static base of the `osa` profile: SYSTEM.md, with placeholders for tools, rules and the user's profile. Expanded
// in one pass: text from a rule or from USER.md is never expanded again.
import {
  type Content,
  isSlot,
  type Part,
  slicePart,
  type TextPart,
  textContent,
  trimParts,
} from "../../core/model/content.ts"
import { section } from "../../core/model/section.ts"
import type { AgentView } from "../../core/model/section-scope.ts"
import { allOf, bodyContent, bodyOf, firstOf } from "../../core/model/source.ts"
import { type Unused, unused } from "../../core/view/unused.ts"
import { expandTemplate, type TemplateNames } from "../../core/write/template.ts"
import { TOOL_CALL_FORMAT } from "../parts.ts"
import { nameHere } from "../tool-names.ts"
import { rulesParts, toolEntry } from "./parts.ts"
import { BASE_SECTIONS } from "./text.ts"
import { TOOLS } from "./tools.ts"

const PLACES: ReadonlyMap<string, string> = new Map([
  ["TOOL_DEFINITIONS", "osa/tools"],
  ["RULES", "osa/rules"],
  ["USER_PROFILE", "osa/user-profile"],
])

/** The sections that files from before SYSTEM.md replace. */
const REPLACED: Readonly<Record<string, string>> = { IDENTITY: "identity", PERSONALITY: "soul" }

export const base = section({
  id: "osa/base",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  onChange: "wait",
  reads: ["base", "identity", "soul"],
  build: ({ agent }) => baseContent(agent),
})

export const tools = section({
  id: "osa/tools",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "lines",
  build: ({ agent }) => whyNotPlaced(agent, "osa/tools") ?? toolsContent(agent),
})

export const rules = section({
  id: "osa/rules",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "lines",
  reads: ["rules"],
  build: ({ agent }) => whyNotPlaced(agent, "osa/rules") ?? rulesContent(agent),
})

export const userProfile = section({
  id: "osa/user-profile",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "lines",
  reads: ["user"],
  build: ({ agent }) => whyNotPlaced(agent, "osa/user-profile") ?? userContent(agent),
})

export function toolsContent({ tools, toolFormat }: AgentView): Content | Unused | undefined {
  if (tools.length === 0) return unused({ kind: "no-tools" })
  const list = ["## Available Tools", ...tools.map(toolEntry)].join("\n")
  return textContent(toolFormat === "fallback" ? `${list}\n\n${TOOL_CALL_FORMAT}` : list)
}

export function rulesContent({ files }: AgentView): Content | undefined {
  const parts = rulesParts(allOf(files, "rules"))
  return parts.length === 0 ? undefined : { parts }
}

/** The body of USER.md, under `heading` if the base has no heading for it. */
export function userContent({ files }: AgentView, heading = ""): Content | undefined {
  const file = firstOf(files, "user")
  const content = bodyContent(file)
  if (file === undefined || content === undefined) return undefined
  return { ...content, parts: [{ text: heading, trust: file.trust }, ...trimParts([bodyOf(file)])] }
}

/** Bundled text, which may have conditions on the registered tools. */
export function bundled(name: string, text: string, agent: AgentView): Content {
  return expandTemplate({ text, from: { kind: "bundled", name } }, namesOf(agent))
}

function baseContent(agent: AgentView): Content | undefined {
  const file = firstOf(agent.files, "base")
  if (file?.unavailable !== undefined && file.text === "") return undefined
  const [body] = file === undefined ? [] : trimParts([bodyOf(file)])
  if (body === undefined) return bundledBase(agent)
  const { parts, diagnostics = [] } = expandTemplate(body, namesOf(agent))
  return { parts: withoutEmptySlots(parts), diagnostics }
}

/** The ten sections. A legacy file about identity or soul replaces the section that it became. */
function bundledBase(agent: AgentView): Content {
  const parts = BASE_SECTIONS.flatMap(({ title, text }, at): readonly Part[] => {
    const heading = `${at === 0 ? "" : "\n\n"}## ${at + 1}. ${title}\n\n`
    const file = firstOf(agent.files, REPLACED[title] ?? "")
    const body = file === undefined ? [] : trimParts([bodyOf(file)])
    if (body.length > 0) return [{ text: heading, from: { kind: "bundled", name: "base" } }, ...body]
    return bundled("base", heading + text, agent).parts
  })
  return { parts: withoutEmptySlots(parts) }
}

function namesOf({ tools }: AgentView): TemplateNames {
  const lists = TOOLS.map(({ name }) => {
    const here = nameHere(tools, name)
    const fields = here === undefined ? [] : [new Map<string, TextPart>([["name", { text: here }]])]
    return [name.toUpperCase(), fields] as const
  })
  return { sections: PLACES, turn: new Set(), lists: new Map(lists) }
}

function whyNotPlaced(agent: AgentView, id: string): Unused | undefined {
  const base = baseContent(agent)
  if (base?.parts.some((part) => isSlot(part) && part.slot === id)) return undefined
  const placeholders = [...PLACES].flatMap(([name, place]) => (place === id ? [`{{${name}}}`] : []))
  return unused({ kind: "not-placed", path: firstOf(agent.files, "base")?.path ?? "", placeholders })
}

/** Places each section once, and removes the blank lines around one without content. */
function withoutEmptySlots(parts: readonly Part[]): readonly Part[] {
  const made: Part[] = []
  const placed = new Set<string>()
  for (const [at, part] of parts.entries()) {
    const [first] = made
    if (isSlot(part)) {
      const gap = takeGap(made, parts[at + 1])
      if (placed.has(part.slot)) continue
      placed.add(part.slot)
      made.push(...(gap === undefined ? [] : [under(gap, part.slot)]), part)
    } else if (made.length === 1 && first !== undefined && isSlot(first)) {
      const start = part.text.length - part.text.trimStart().length
      made.push(under(slicePart(part, 0, start), first.slot), slicePart(part, start, part.text.length))
    } else made.push(part)
  }
  return made
}

/** Removes the newlines before a placeholder that is alone on its line. */
function takeGap(made: Part[], after: Part | undefined): TextPart | undefined {
  const before = made.at(-1)
  const endsLine = after === undefined || (!isSlot(after) && after.text.startsWith("\n"))
  if (before === undefined || isSlot(before) || !endsLine) return undefined
  const end = before.text.trimEnd().length
  if (!before.text.slice(end).includes("\n")) return undefined
  made.splice(-1, 1, slicePart(before, 0, end))
  return slicePart(before, end, before.text.length)
}

function under(part: TextPart, slot: string): TextPart {
  return { ...part, when: [...(part.when ?? []), slot] }
}
