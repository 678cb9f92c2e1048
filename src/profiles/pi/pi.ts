// The prompt of pi, a coding agent, in its own order: base, append, project context, skills, clock and directory.
// Nothing is trimmed or cut, since pi has no budget. Text of files can break out of its place, as it can in pi.
import { textContent } from "../../core/model/content.ts"
import type { Skill } from "../../core/model/inputs.ts"
import type { Profile } from "../../core/model/profile.ts"
import { section } from "../../core/model/section.ts"
import { readInput } from "../../core/model/section-input.ts"
import type { AgentView } from "../../core/model/section-scope.ts"
import { bodyOf, firstOf, type SourceFile } from "../../core/model/source.ts"
import { noFile, type Unused, unused } from "../../core/view/unused.ts"
import { verbatim } from "../../core/write/markup.ts"
import { nameHere } from "../tool-names.ts"
import {
  contextContent,
  documentationContent,
  documentationInput,
  guidelineList,
  longClockText,
  skillsContent,
  toolList,
} from "./parts.ts"
import { CUSTOM_TOOLS, IDENTITY } from "./text.ts"
import { ACTIVE, TOOLS } from "./tools.ts"

const BLANK_LINE = "\n\n"

const base = section({
  id: "pi/base",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  reads: ["base"],
  build: ({ agent }) => {
    const own = ownBase(agent)
    if (own === undefined) return textContent(IDENTITY, { kind: "bundled", name: "pi/identity" })
    return own.text === "" ? undefined : { parts: [bodyOf(own)] }
  },
})

const tools = section({
  id: "pi/tools",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent }) => replaced(agent) ?? toolList(agent.tools),
})

const customTools = section({
  id: "pi/custom-tools",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent }) =>
    replaced(agent) ?? textContent(CUSTOM_TOOLS, { kind: "bundled", name: "pi/custom-tools" }),
})

const guidelines = section({
  id: "pi/guidelines",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent }) => replaced(agent) ?? guidelineList(agent.tools),
})

/** Strangers don't learn where things are on the machine. */
const documentation = section({
  id: "pi/documentation",
  pace: "session",
  priority: "required",
  trust: "familiar",
  cut: "whole",
  lead: BLANK_LINE,
  build: ({ agent, session }) =>
    replaced(agent) ??
    documentationContent(readInput(session, documentationInput)) ??
    unused({ kind: "no-fact", fact: "documentation" }),
})

const append = section({
  id: "pi/append",
  pace: "stable",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  reads: ["append"],
  build: ({ agent }) => {
    const file = firstOf(agent.files, "append")
    return file === undefined || file.text === "" ? undefined : { parts: [bodyOf(file)] }
  },
})

const context = section({
  id: "pi/context",
  pace: "session",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  reads: ["global-context", "context"],
  build: ({ session }) => contextContent(session.files),
})

const skills = section({
  id: "pi/skills",
  pace: "session",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: BLANK_LINE,
  // Without the tool that loads the listed skills, the model would invent their content.
  build: ({ agent, session }) => {
    const reader = nameHere(agent.tools, "read")
    const all = [...agent.skills, ...session.skills]
    return (reader && skillsContent(all, reader)) || whyNoSkills(all)
  },
})

const clock = section({
  id: "pi/clock",
  pace: "turn",
  priority: "required",
  trust: "public",
  cut: "whole",
  lead: "\n",
  build: ({ turn }) => `Current date and time: ${longClockText(turn.now, turn.timeZone)}`,
})

const directory = section({
  id: "pi/directory",
  pace: "session",
  priority: "required",
  trust: "familiar",
  cut: "whole",
  lead: "\n",
  build: ({ session }) =>
    session.directory === undefined
      ? unused({ kind: "no-fact", fact: "directory" })
      : `Current working directory: ${session.directory}`,
})

/** The layout of pi. */
export const pi: Profile = {
  name: "pi",
  order: "declared",
  markup: verbatim,
  tools: TOOLS,
  active: ACTIVE,
  toolOrder: "given",
  sections: [base, tools, customTools, guidelines, documentation, append, context, skills, clock, directory],
}

/** A custom SYSTEM.md, which replaces all of pi's own text. An empty one counts as absent. */
function ownBase({ files }: Pick<AgentView, "files">): SourceFile | undefined {
  const file = firstOf(files, "base")
  return file?.text === "" && file.unavailable === undefined ? undefined : file
}

function replaced({ files }: Pick<AgentView, "files">): Unused | undefined {
  const own = ownBase({ files })
  return own && unused({ kind: "replaced", by: own.path })
}

function whyNoSkills(skills: readonly Skill[]): Unused {
  const count = skills.filter(({ manual }) => manual !== true).length
  if (skills.length === 0) return noFile("project-skill")
  if (count === 0) return unused({ kind: "manual-only", count: skills.length })
  return unused({ kind: "needs-tools", tools: ["read"], least: 1, idle: { what: "skill", count } })
}
