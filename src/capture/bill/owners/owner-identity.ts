// Which owners are one and the same on a bill, and which group people would look for them in. Pure.
import type { Owner } from "../../owner.ts"
import { type CostGroup, NOT_RECORDED, REST_NOT_RECORDED } from "../bill.ts"

/** Lines and how they were matched do not tell owners apart: an owner keeps its name when its text changes. */
export function identityOf({ kind, path = "", name = "", server = "", input = "" }: Owner): string {
  if (kind === "file") return `file\n${path}`
  // A result belongs to what the tool was asked, whichever file it quotes.
  return [kind, kind === "tool-result" ? "" : path, name, server, input].join("\n")
}

/** Whether the same owner comes again with other text, so that all of its texts together are its size. */
export function isRepeated({ kind }: Owner): boolean {
  return kind === "tool-result" || kind === "conversation" || kind === "output"
}

export function groupOf(owner: Owner): CostGroup {
  const { kind, path = "", name, server } = owner
  if (kind === "tool-result") return "tool-results"
  if (kind === "output" || kind === "conversation") return kind
  if (kind === "mcp-tool" || server !== undefined) return "mcp"
  if (kind === "hook") return "hooks"
  if (kind === "file" || kind === "field") return fileGroup(path)
  return name === NOT_RECORDED || name === REST_NOT_RECORDED ? "not-recorded" : "client"
}

const SKILL = /(?:^|[\\/])SKILL\.md$/i
/** Text for a model is written in these; others are files that somebody put into a message. */
const INSTRUCTIONS = /\.(?:md|mdc|mdx|markdown|txt)$|(?:^|[\\/])\.?\w*rules$/i

function fileGroup(path: string): CostGroup {
  if (SKILL.test(path)) return "skills"
  return INSTRUCTIONS.test(path) ? "instructions" : "files"
}

/** The name of a skill that a tool call uses: by a tool for skills, or by reading its file. */
export function skillUsedBy(tool: string, input: string): string | undefined {
  if (/^(?:skill|use_skill|load_skill|activate_skill)$/i.test(tool))
    return input.replace(/^\//, "").split(/\s/)[0]
  const [, folder] = /([^\\/\s"']+)[\\/]SKILL\.md/i.exec(input) ?? []
  return folder
}

/** The start of a message is enough: this is what clients put there when a person calls a skill. */
const MOST_READ = 4_000
const CALLED =
  /<command-name>\/?([\w:.-]+)<\/command-name>|Base directory for this skill: \S*?([^\\/\s]+)\s*$/gm

/** The names of skills that a person called. */
export function skillsCalledIn(text: string): readonly string[] {
  return [...text.slice(0, MOST_READ).matchAll(CALLED)].flatMap(
    ([, command, folder]) => command ?? folder ?? [],
  )
}

/** The name of the skill that an owner is part of. */
export function skillOf({ name, path = "" }: Owner): string | undefined {
  if (!SKILL.test(path)) return undefined
  return name ?? path.split(/[\\/]/).at(-2)
}
