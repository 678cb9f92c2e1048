// Commands and flags as data: a table, exempt from the limit of lines. The parser, `--help` and docs/reference/cli.md are all made from this table.
import { IncipitError } from "../core/error.ts"
import { MODES, TOOL_FORMATS } from "../core/scope.ts"
import type { Terminal } from "./terminal.ts"

export interface Flag {
  readonly name: string
  /** What the value is; a flag without one is a switch. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly help: string
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>

/** The value of a flag that takes `N`. The parser has seen to it that it is a whole number. */
export function countOf(flags: FlagValues, name: string): number | undefined {
  const value = flags[name]
  if (typeof value !== "string") return undefined
  const count = Number(value)
  if (count >= 0 && Number.isSafeInteger(count)) return count
  throw new IncipitError("bad-argument", `--${name} is ${value}, which is not a number of 0 or more`)
}

/** What a command needs to run: its words, its flags, and the world. */
export interface Invocation {
  readonly words: readonly string[]
  readonly flags: FlagValues
  readonly terminal: Terminal
}

interface Word {
  readonly name: string
  readonly help: string
  readonly optional?: true
  /** The rest of the words, however many. */
  readonly many?: true
}

/** As usage lines have it. */
export function wordText({ name, optional, many }: Word): string {
  const shown = many ? `${name}...` : name
  return optional ? `[${shown}]` : `<${shown}>`
}

export interface Command {
  /** Two words for one of a group: "memory search". */
  readonly name: string
  readonly words: readonly Word[]
  readonly help: string
  readonly flags: readonly Flag[]
  readonly examples: readonly string[]
  /** Loads the command only when it is run: `--help` must not pay for it. Returns the exit status. */
  readonly load: () => Promise<{ readonly run: (invocation: Invocation) => Promise<number> }>
}

/** Flags of every command that compiles. */
export const SHARED_FLAGS: readonly Flag[] = [
  { name: "workspace", value: "DIR", help: "the folder that describes the agent (default: here)" },
  { name: "cwd", value: "DIR", help: "the working directory told to the agent (default: here)" },
  { name: "home", value: "DIR", help: "stands for the user's home folder" },
  { name: "profile", value: "NAME", help: "a profile by name, or the path of a module that exports one" },
  { name: "mode", value: "MODE", choices: MODES, help: "whom the prompt is for" },
  { name: "model", value: "ID", help: "provider/model, for token figures" },
  { name: "as", value: "USER", help: "see it as this user of incipit.yaml (default: the owner)" },
  { name: "in", value: "SITUATION", help: "dm, group, system or one of incipit.yaml (default: dm)" },
  { name: "channel", value: "ID", help: "where the message comes from, such as telegram:4711" },
  { name: "agent", value: "ID", help: "a further agent, in agents/ID" },
  { name: "session", value: "ID", help: "the session's id" },
  { name: "task", value: "ID", help: "the task that the session is bound to" },
  { name: "background", help: "nobody reads the answer as it is written" },
  { name: "plan", help: "plan mode" },
  { name: "message", value: "TEXT", help: "the message that opens the turn" },
  {
    name: "tools",
    value: "FILE",
    help: "JSON array of tools: {name, description, parameters} or {name, builtin: true}",
  },
  { name: "tool-format", value: "FORMAT", choices: TOOL_FORMATS, help: "how tools reach the model" },
  { name: "scope", value: "FILE", help: "JSON object with values for session and turn inputs" },
  { name: "budget", value: "N", help: "tokens for the head" },
  { name: "now", value: "ISO", help: "fixes the clock; TZ is honoured" },
]

/** As in render/layouts.ts, which `--help` must not load; a test compares them. */
export const LAYOUT_NAMES = ["planned", "system-end", "two-tier", "one-block", "unmarked"]

const JSON_FLAG: Flag = { name: "json", help: "print the result as JSON" }
const STRICT_FLAG: Flag = { name: "strict", help: "exit with 1 if there are findings" }

/** Flags of every command that asks the record. */
const RECORD_FLAGS: readonly Flag[] = [
  { name: "workspace", value: "DIR", help: "the folder that describes the agent (default: here)" },
  { name: "record", value: "FILE", help: "the record's file (default: .incipit/record.db in the workspace)" },
]
const RANGE_FLAGS: readonly Flag[] = [
  { name: "since", value: "TIME", help: "1h, today, yesterday, a date, or a time" },
  { name: "until", value: "TIME", help: "the end, in the same forms" },
]
const TURN_WORD = {
  name: "turn",
  help: "a turn's id, or turn.step (default: the latest)",
  optional: true,
} as const

/** Where memory is. */
const STORE_FLAGS: readonly Flag[] = [
  JSON_FLAG,
  ...SHARED_FLAGS.filter(({ name }) => ["workspace", "agent"].includes(name)),
  { name: "index", value: "FILE", help: "the index's file (default: .incipit/memory.db in the workspace)" },
]
/** And who asks it. */
const MEMORY_FLAGS: readonly Flag[] = [
  ...SHARED_FLAGS.filter(({ name }) => ["as", "in", "channel"].includes(name)),
  ...STORE_FLAGS,
]
const HIT_FLAGS: readonly Flag[] = [
  { name: "limit", value: "N", help: "at most so many hits (default: 10)" },
  { name: "budget", value: "N", help: "at most so many tokens of hits (default: 1000)" },
]

/** What the commands of a group have in common. */
export const GROUPS: Readonly<Record<string, string>> = {
  memory: "search, read and write long-term memory, as far as somebody may see it",
}

export const COMMANDS: readonly Command[] = [
  {
    name: "build",
    words: [],
    help: "compile the prompt and show every section with its cost, its outcome and its source",
    flags: [
      { name: "text", help: "print exactly what the model is told: the head, then the tail" },
      { name: "annotated", help: "add the text to the report, each line with its section and source" },
      { name: "watch", help: "compile again whenever something changes" },
      { name: "compare", value: "PROFILE", help: "lay another profile's sections and costs beside it" },
      { name: "recall", help: "also tell what memory holds about the message" },
      JSON_FLAG,
      STRICT_FLAG,
      ...SHARED_FLAGS,
    ],
    examples: [
      "incipit build",
      "incipit build --as bob --in group",
      "incipit build --text | less",
      "incipit build --compare osa",
    ],
    load: () => import("./build.ts"),
  },
  {
    name: "explain",
    words: [{ name: "what", help: "a section, a tool, a file, or any piece of text" }],
    help: "say why something is in the prompt, or why not, where it comes from and what it costs",
    flags: [JSON_FLAG, STRICT_FLAG, ...SHARED_FLAGS],
    examples: ["incipit explain soul", "incipit explain MEMORY.md --as bob", 'incipit explain "tide table"'],
    load: () => import("./explain.ts"),
  },
  {
    name: "diff",
    words: [
      {
        name: "a",
        help: "a workspace folder, a file that `incipit build --json` wrote, or a recorded turn[.step]",
      },
      { name: "b", help: "the other one" },
    ],
    help: "compare two prompts: what came, went, changed or moved, and where the cache stops helping",
    flags: [
      JSON_FLAG,
      STRICT_FLAG,
      { name: "record", value: "FILE", help: "the record's file, for recorded turns" },
      ...SHARED_FLAGS.filter(({ name }) => name !== "workspace"),
    ],
    examples: ["incipit diff before.json after.json", "incipit diff ../old-workspace ."],
    load: () => import("./diff.ts"),
  },
  {
    name: "check",
    words: [],
    help: "report everything that looks wrong, with the same resolver that compiles",
    flags: [
      {
        name: "leak",
        value: "TRUST:SITUATION",
        help: "fail if text of this trust reaches this situation (several with commas)",
      },
      { name: "frozen", help: "fail if anything differs from incipit.lock" },
      { name: "write-lock", help: "write incipit.lock, a file of digests" },
      JSON_FLAG,
      STRICT_FLAG,
      ...SHARED_FLAGS.map((flag) =>
        flag.name === "budget" ? { ...flag, help: "fail if tools and head take more tokens" } : flag,
      ),
    ],
    examples: ["incipit check", "incipit check --leak full:group,inner:group", "incipit check --write-lock"],
    load: () => import("./check.ts"),
  },
  {
    name: "simulate",
    words: [
      {
        name: "trace",
        help: "a scenario in YAML, or calls in JSON Lines (default: 8 turns of 3 calls)",
        optional: true,
      },
    ],
    help: "replay a conversation under a provider's cache rules: what is read, written and paid, by layout",
    flags: [
      { name: "layout", value: "NAME", choices: LAYOUT_NAMES, help: "only this layout" },
      { name: "capacity", value: "N", help: "tokens that the cache holds (default: no limit)" },
      { name: "save", value: "FILE", help: "write the calls of the first layout as JSON Lines" },
      JSON_FLAG,
      STRICT_FLAG,
      ...SHARED_FLAGS,
    ],
    examples: [
      "incipit simulate",
      "incipit simulate trace.yaml --model openai/gpt-5.6-sol",
      "incipit simulate --layout two-tier",
    ],
    load: () => import("./simulate.ts"),
  },
  {
    name: "price",
    words: [],
    help: "say what a change costs a running session, now and per day, and what waiting saves",
    flags: [
      { name: "edit", value: "FILE", help: "the change: text is added to this file" },
      { name: "adds", value: "N", help: "how many tokens the edit adds (default: 40)" },
      { name: "add-tool", value: "FILE", help: "the change: the tools of this JSON file come" },
      { name: "remove-tool", value: "NAME", help: "the change: this tool goes" },
      { name: "add-skill", value: "DIR", help: "the change: the skill in this folder comes" },
      { name: "switch", value: "MODEL", help: "the change: another model" },
      { name: "conversation", value: "N", help: "tokens of the conversation so far (default: 20000)" },
      { name: "calls", value: "N", help: "calls a day (default: 200)" },
      JSON_FLAG,
      STRICT_FLAG,
      ...SHARED_FLAGS,
    ],
    examples: [
      "incipit price --edit SOUL.md",
      "incipit price --add-tool search.json",
      "incipit price --switch openai/gpt-5.6-sol",
    ],
    load: () => import("./price.ts"),
  },
  {
    name: "signal",
    words: [{ name: "text", help: "the message" }],
    help: "say how a message reads: mode, genre, type, format, weight, noise, and why",
    flags: [
      { name: "channel", value: "ID", help: "where it comes from (default: cli)" },
      { name: "after-question", help: "the agent has asked something and this is the answer" },
      JSON_FLAG,
    ],
    examples: [
      'incipit signal "please build a new page!" --channel telegram',
      "incipit signal thanks --json",
    ],
    load: () => import("./signal.ts"),
  },
  {
    name: "skills",
    words: [],
    help: "list the skills that were found, and which of them the model is told of",
    flags: [JSON_FLAG, STRICT_FLAG, ...SHARED_FLAGS],
    examples: ["incipit skills", "incipit skills --as bob"],
    load: () => import("./skills.ts"),
  },
  {
    name: "config",
    words: [],
    help: "print the effective configuration, and where each value comes from",
    flags: [
      JSON_FLAG,
      STRICT_FLAG,
      ...SHARED_FLAGS.filter(({ name }) => ["workspace", "profile", "model", "budget"].includes(name)),
    ],
    examples: ["incipit config", "incipit config --model openai/gpt-5.2"],
    load: () => import("./config.ts"),
  },
  {
    name: "init",
    words: [{ name: "folder", help: "where to (default: here)", optional: true }],
    help: "write a workspace that compiles, from a few questions; nothing is overwritten",
    flags: [
      { name: "yes", help: "ask nothing" },
      { name: "name", value: "NAME", help: "what the agent is called" },
      { name: "eject", help: "write the bundled base to .incipit/SYSTEM.md, for editing" },
    ],
    examples: ["incipit init my-agent --yes", "incipit init --eject"],
    load: () => import("./init.ts"),
  },
  {
    name: "memory index",
    words: [],
    help: "bring the index in step with the files, and show each store with its counts",
    flags: [{ name: "rebuild", help: "read everything again, changed or not" }, ...STORE_FLAGS],
    examples: ["incipit memory index", "incipit memory index --rebuild"],
    load: async () => ({ run: (await import("./memory.ts")).index }),
  },
  {
    name: "memory search",
    words: [{ name: "query", help: "a question, or words, any of which may match", many: true }],
    help: "find what memory says, best first, each hit with its place and its price",
    flags: [...HIT_FLAGS, ...MEMORY_FLAGS],
    examples: [
      "incipit memory search Jonas birthday",
      'incipit memory search "who mends the winch?" --as jonas',
    ],
    load: async () => ({ run: (await import("./memory.ts")).search }),
  },
  {
    name: "memory get",
    words: [{ name: "path", help: "as a search shows it, such as social/PEOPLE.md" }],
    help: "print a part of a file of memory",
    flags: [
      { name: "from", value: "N", help: "the first line (default: 1)" },
      { name: "lines", value: "N", help: "how many (default: 120)" },
      ...MEMORY_FLAGS,
    ],
    examples: ["incipit memory get social/PEOPLE.md --from 5 --lines 3"],
    load: async () => ({ run: (await import("./memory.ts")).get }),
  },
  {
    name: "memory add",
    words: [{ name: "text", help: "what to remember", many: true }],
    help: "add an entry to memory, with who wrote it; what memory says already is refused",
    flags: [
      { name: "store", value: "NAME", help: "the store (default: the most trusted that the writer reaches)" },
      { name: "path", value: "FILE", help: "the file in it (default: today's)" },
      ...MEMORY_FLAGS,
    ],
    examples: ['incipit memory add "Mirela is away in July" --store social'],
    load: async () => ({ run: (await import("./memory.ts")).add }),
  },
  {
    name: "memory why-not",
    words: [{ name: "what", help: "a path, or a piece of a line", many: true }],
    help: "say which gate or rank kept something out of a search",
    flags: [
      { name: "query", value: "TEXT", help: "the search that did not find it" },
      ...HIT_FLAGS,
      ...MEMORY_FLAGS,
    ],
    examples: ['incipit memory why-not HERRING-42 --query "door code" --as jonas'],
    load: async () => ({ run: (await import("./memory.ts")).whyNot }),
  },
  {
    name: "logs",
    words: [],
    help: "show events of the record, by filter and by text",
    flags: [
      { name: "session", value: "ID", help: "of this session" },
      { name: "user", value: "ID", help: "of this person" },
      { name: "channel", value: "ID", help: "of this channel" },
      { name: "turn", value: "ID", help: "of this turn" },
      {
        name: "level",
        value: "LEVEL",
        choices: ["debug", "info", "warn", "error"],
        help: "at least this serious",
      },
      { name: "type", value: "TYPES", help: "of these types, with commas" },
      ...RANGE_FLAGS,
      { name: "search", value: "WORDS", help: "with these words in the error or the data" },
      { name: "limit", value: "N", help: "at most so many (default: 50)" },
      { name: "follow", help: "go on with those to come" },
      JSON_FLAG,
      ...RECORD_FLAGS,
    ],
    examples: ["incipit logs --level error --since 12h", "incipit logs --search timeout --json"],
    load: () => import("./logs.ts"),
  },
  {
    name: "trace",
    words: [TURN_WORD],
    help: "show what happened to one message, as a tree with times, tokens and retries",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit trace"],
    load: () => import("./trace.ts"),
  },
  {
    name: "replay",
    words: [{ name: "turn", help: "a turn's id, or turn.step" }],
    help: "print the request of a recorded step exactly as it was sent, and check its digests",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit replay turn-12.1"],
    load: () => import("./replay.ts"),
  },
  {
    name: "why-miss",
    words: [TURN_WORD],
    help: "say why a call read less from the cache than it could have, and what that cost",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit why-miss turn-13"],
    load: () => import("./why-miss.ts"),
  },
  {
    name: "cost",
    words: [],
    help: "say what calls cost, by day, session, person, model, turn, section or file",
    flags: [
      {
        name: "by",
        value: "KEY",
        choices: ["day", "session", "user", "model", "turn", "section", "file"],
        help: "what to add up by (default: day)",
      },
      ...RANGE_FLAGS,
      JSON_FLAG,
      ...RECORD_FLAGS,
    ],
    examples: ["incipit cost", "incipit cost --by file --since today"],
    load: () => import("./cost.ts"),
  },
  {
    name: "status",
    words: [],
    help: "show channels, sessions, the last errors, and how the record and the memory are doing",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit status"],
    load: () => import("./status.ts"),
  },
  {
    name: "export",
    words: [{ name: "file", help: "where to (default: stdout)", optional: true }],
    help: "write the events as JSON Lines, every column, nothing lost",
    flags: [...RANGE_FLAGS, ...RECORD_FLAGS],
    examples: ["incipit export events.jsonl --since 2026-11-01"],
    load: () => import("./export.ts"),
  },
  {
    name: "prune",
    words: [],
    help: "make the record smaller now: old traces go whole, sums of cost stay",
    flags: [
      { name: "older", value: "AGE", help: "what is older goes (default: record.retention, or 30d)" },
      { name: "max-size", value: "SIZE", help: "until the file is no larger (default: record.max_size)" },
      JSON_FLAG,
      ...RECORD_FLAGS,
    ],
    examples: ["incipit prune --older 7d"],
    load: () => import("./prune.ts"),
  },
]
