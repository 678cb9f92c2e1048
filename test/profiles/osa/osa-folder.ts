// A home folder as OSA keeps it, and helpers that compile it in both layouts, for tests of the `osa` profiles.
import type { Tool } from "../../../src/core/model/inputs.ts"
import { osaBefore } from "../../../src/profiles/osa/before.ts"
import { osa } from "../../../src/profiles/osa/osa.ts"
import { osaBeforeSystem, osaSystem } from "../../../src/sources/systems/osa.ts"
import type { Folder } from "../../sources/folder.ts"
import { compileFolder, type FolderOptions } from "../compile-folder.ts"

export type Given = Omit<FolderOptions, "profile" | "system" | "root" | "home">

export function compileOsa(folder: Folder, given: Given = {}) {
  return compileFolder({ ...given, profile: osa, system: osaSystem, root: folder.root, home: folder.home })
}

export function compileBefore(folder: Folder, given: Given = {}) {
  const { root, home } = folder
  return compileFolder({ ...given, profile: osaBefore, system: osaBeforeSystem, root, home })
}

export const TOOLS = osa.tools ?? []

export const SEARCH: Tool = {
  name: "web_search",
  description: "Search the web.\nReturns ten results.",
  parameters: {
    type: "object",
    properties: {
      query: { type: "string", description: "What to\nlook for" },
      count: { type: ["integer", "null"] },
      filters: {},
    },
    required: ["query"],
  },
}

/** Everything that a person can keep in the home folder, except a SYSTEM.md. */
export function fillHome(folder: Folder): void {
  folder.write("home/.osa/USER.md", "Ines keeps bees. She writes from Porto.\n")
  folder.write(
    "home/.osa/MEMORY.md",
    [
      "# Memory",
      "",
      "## Hives",
      "The third hive swarmed in April.",
      "",
      "## Deploys",
      "The deploy script needs the staging key.",
      "",
      "## Family",
      "Her brother is called Rui.",
      "",
    ].join("\n"),
  )
  folder.write("home/.osa/rules/style.md", "Write numbers as digits.\n")
  folder.write("workspace/priv/rules/git/branches.md", "Branch names are kebab-case.\n")
}

export const SYSTEM_MD = `# OSA

You are the steward of this machine.

## Tools

{{TOOL_DEFINITIONS}}

{{RULES}}

## User Profile

{{USER_PROFILE}}
`

/** What a running agent feeds. */
export const INPUTS = {
  tasks: [
    { id: "t1", title: "Read the logs", status: "completed" },
    { id: "t2", title: "Fix the\nscript", status: "in_progress" },
    { id: "t3", title: "Deploy", status: "failed", reason: "no key" },
    { title: "Tell Ines" },
    { status: "pending" },
    "Clean up",
  ],
  workflow: { name: "Release", steps: [{ title: "Build", status: "completed" }, { title: "Ship" }] },
  communication: { formality: "casual", avg_length: 42, topics: ["bees", "deploys"] },
  bulletin: "Two deploys failed this week.\n",
} as const

export const SESSION = {
  id: "s-7",
  directory: "/srv/hives",
  model: "anthropic/claude-sonnet-4-6",
  inputs: { os_templates: ["The house has a BusinessOS."], machines: "The camera machine is on." },
} as const

export const TURN = {
  message: "Please fix the deploy script",
  git: { branch: "main", dirty: 2, commits: ["a1b2c3d Weigh the hives", "d4e5f6a Start"] },
  inputs: INPUTS,
} as const
