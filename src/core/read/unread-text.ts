// Why a file has no text in the prompt, in sentences: what keeps it out, and what would bring it in.
import type { ForeignPurpose, Unread } from "./explain.ts"

export function unreadText(why: Unread): string {
  switch (why.kind) {
    case "held-rule":
      return `This rule applies to ${why.globs.join(", ")} in ${why.folder}, and is sent once the agent touches such a file.`
    case "nested":
      return `It is sent once the agent touches a file in ${why.folder}.`
    case "shadowed":
      return `${why.by} is read instead. To read both, set prompt.context: all in incipit.yaml.`
    case "other-branch":
      return `It belongs to the main checkout. The work is in a worktree, and its own file, ${why.by}, is read.`
    case "instead":
      return `${why.by} is used instead.`
    case "empty":
      return "It has no text to send: only frontmatter, comments or white space."
    case "no-section":
      return `No section of the profile ${why.profile} uses such a file.`
    case "misspelt":
      return `It isn't read under this name. Did you mean ${why.as}?`
    case "other-program":
      return `It is for ${why.program}. ${FOREIGN[why.purpose]}`
    case "repeats":
      return `It only leads to ${why.by} or repeats it, and that file is read.`
    case "elsewhere":
      return `It is for work in ${why.folder}, and the working directory is elsewhere (--cwd).`
    case "above":
      return "It is above the workspace. A folder with an incipit.yaml describes an agent, and nothing above it is read. To read the file anyway, import it in the workspace's AGENTS.md, such as @../AGENTS.md."
    case "skill":
      return SKILL[why.reason]
    case "no-skill":
      return NO_SKILL[why.reason]
    case "part-of-skill":
      return `It belongs to the skill "${why.skill}": the model reads it when it uses the skill.`
    case "memory":
      return `It is in the memory store "${why.store}": what fits a message is recalled with it, and the model can search the rest.`
    case "other":
      return `It is only read for the ${why.what} "${why.name}".${OTHER_FLAG[why.what] === undefined ? "" : ` Try ${OTHER_FLAG[why.what]} ${why.name}.`}`
    case "workflow":
      return "Workflows are sent step by step while one is in progress."
    case "configuration":
      return "It is the configuration, which is never sent."
    case "refused":
      return why.reason
    case "closed":
      return "It is never part of a prompt."
    case "not-read":
      return why.profile === "incipit"
        ? "It has none of the file names that are read, and nothing imports it. To send it, list it under prompt.files in incipit.yaml, or write @ and its path in AGENTS.md."
        : `The profile ${why.profile} doesn't read it for this prompt${why.reads === undefined ? "" : `. It reads ${why.reads}`}.`
  }
}

/** The flag of the command that asks for another prompt. */
const OTHER_FLAG: Readonly<Record<string, string>> = {
  channel: "--channel",
  situation: "--in",
  user: "--as",
}

const LISTED = "To send it, list it under prompt.files in incipit.yaml, or write @ and its path in AGENTS.md."

const FOREIGN: Readonly<Record<ForeignPurpose, string>> = {
  instructions: LISTED,
  rules: LISTED,
  skill: "To list the skill, move or link its folder into .agents/skills/.",
  command: "Commands are read from .claude/commands/, as Markdown files.",
  subagent: "Here, further agents are folders in agents/, each with its own files.",
  plugin:
    "Plugins are not loaded; a skill of one is listed if its folder is copied or linked into .claude/skills.",
  profile: "The profile of that name reads it (`--profile pi`).",
  servers: "Its MCP servers are used once incipit.yaml names them under mcp.",
  settings: "Its hooks and permissions are for that program; incipit.yaml has Incipit's own.",
}

const SKILL: Readonly<Record<Extract<Unread, { kind: "skill" }>["reason"], string>> = {
  "no-reader":
    "Skills are listed where a tool can read files, and this session has none (`--tools agent` has those of a running agent).",
  mode: "Skills are not listed in this mode.",
  manual: "Only a user can start this skill (disable-model-invocation), so the model does not see it.",
  "name-taken": "Another skill of the same name is listed.",
  "no-room": "The list of skills has no room for it.",
}

const NO_SKILL: Readonly<Record<Extract<Unread, { kind: "no-skill" }>["reason"], string>> = {
  "no-description": "A skill is listed by its description, or by its first line, and this file has neither.",
  note: "It is in a folder of skills but isn't one: its frontmatter has no description.",
  ignored: "It is excluded by an ignore file, is a skill template, or is in a hidden folder or too deep.",
  "command-place":
    "Commands are read from .claude/commands/ in the workspace and in the folders above the working directory. This file is in none of them.",
  place:
    "Skills are read from skills/, .agents/skills/ and .claude/skills/ in the workspace and in the folders above the working directory. This file is in none of them.",
}
