// All commands as data. The parser, `--help` and docs/reference/cli.md are generated from this table.
import { LEVELS } from "../../../base/event-types.ts"
import { CACHE_TTLS } from "../../../core/model/cache-ttl.ts"
import { SYSTEM_FILE } from "../../../files/paths.ts"
import { LAYOUT_NAMES } from "../../../render/cache/layout-name.ts"
import { EDIT_TOKENS, USUAL } from "../../../render/cache/scenario.ts"
import type { ApprovalRequest } from "../../../tools/host.ts"
import { CHAT_COMMAND } from "../../chat/command.ts"
import { TOUR_COMMAND } from "../../tour/command.ts"
import { type CommandTable, listCommands } from "./command.ts"
import { AGENT_FLAGS, JSON_FLAG, SHARED_FLAGS, STATE_FLAG, STRICT_FLAG } from "./flags.ts"
import { FOLDER_COMMANDS } from "./folder-commands.ts"
import { HOOK_COMMANDS } from "./hooks-commands.ts"
import { MEMORY_COMMANDS } from "./memory-commands.ts"
import { RECORD_COMMANDS } from "./record-commands.ts"
import { SCHEDULE_COMMANDS } from "./schedule-commands.ts"
import { STATE_COMMANDS } from "./state-commands.ts"

/** Kinds of requests that may be allowed in advance. */
const ALLOWABLE = [
  "shell",
  "edit",
  "instructions",
  "schedule",
  "mcp",
] as const satisfies readonly ApprovalRequest["kind"][]

/** The agent's name in a new workspace. */
export const DEFAULT_NAME = "Ada"

const { workspace: _workspace, ...COMPILE_FLAGS } = SHARED_FLAGS

/** What the commands of a group have in common. */
export const GROUPS: Readonly<Record<string, string>> = {
  folder: "approve, list and revoke the folders that the agent may run in",
  state: "list, move, delete and adopt what is kept for a folder: conversations and the record",
  memory: "search, read and write long-term memory",
}

export const COMMAND_TABLE = {
  build: {
    words: [],
    help: "compile the prompt and show every section with its cost, its outcome and its source",
    flags: {
      text: {
        conflicts: ["annotated", "compare", "json"],
        help: "print exactly what the model is told: the head, then the tail",
      },
      annotated: {
        conflicts: ["compare", "json"],
        help: "add the text to the report, each line with its section and source",
      },
      watch: { conflicts: ["compare"], help: "compile again whenever something changes" },
      compare: { value: "PROFILE", help: "lay another profile's sections and costs beside it" },
      recall: { help: "also tell what memory holds about the message" },
      ...STATE_FLAG,
      ...JSON_FLAG,
      ...STRICT_FLAG,
      ...SHARED_FLAGS,
    },
    examples: [
      "incipit build",
      "incipit build --as bob --in group",
      "incipit build --text | less",
      "incipit build --compare osa",
    ],
  },
  explain: {
    words: [{ name: "what", help: "a section, a tool, a file, or any piece of text" }],
    help: "say why something is in the prompt, or why not, where it comes from and what it costs",
    flags: { ...JSON_FLAG, ...STRICT_FLAG, ...SHARED_FLAGS },
    examples: ["incipit explain soul", "incipit explain MEMORY.md --as bob", 'incipit explain "tide table"'],
  },
  diff: {
    words: [
      {
        name: "a",
        help: "a workspace folder, a file that `incipit build --json` wrote, or a recorded turn[.step]",
      },
      { name: "b", help: "the other one" },
    ],
    help: "compare two prompts: what came, went, changed or moved, and where the cache stops helping",
    flags: {
      ...JSON_FLAG,
      ...STRICT_FLAG,
      record: { value: "FILE", help: "the record's file, for recorded turns" },
      ...STATE_FLAG,
      ...COMPILE_FLAGS,
    },
    examples: ["incipit diff before.json after.json", "incipit diff ../old-workspace ."],
  },
  check: {
    words: [],
    help: "report everything that looks wrong, with the same resolver that compiles",
    flags: {
      leak: {
        value: "TRUST:SITUATION",
        list: true,
        help: "fail if text of this trust reaches this situation (several with commas)",
      },
      frozen: { help: "fail if anything differs from incipit.lock" },
      writeLock: { conflicts: ["frozen"], help: "write incipit.lock, a file of digests" },
      ...JSON_FLAG,
      ...STRICT_FLAG,
      ...SHARED_FLAGS,
      budget: { ...SHARED_FLAGS.budget, help: "fail if tools and head take more tokens" },
    },
    examples: ["incipit check", "incipit check --leak full:group,inner:group", "incipit check --write-lock"],
  },
  simulate: {
    words: [
      {
        name: "trace",
        help: `a scenario in YAML, or calls in JSON Lines (default: ${USUAL.turns} turns of ${USUAL.steps} calls)`,
        optional: true,
      },
    ],
    help: "replay a conversation under a provider's cache rules: what is read, written and paid, by layout",
    flags: {
      layout: { value: "NAME", choices: LAYOUT_NAMES, help: "only this layout" },
      ttl: {
        value: "TTL",
        choices: CACHE_TTLS,
        help: "how long the head is to be kept (default: as recorded, or as incipit.yaml says)",
      },
      capacity: { value: "N", help: "tokens that the cache holds (default: no limit)" },
      save: { value: "FILE", help: "write the calls of the first layout as JSON Lines" },
      ...JSON_FLAG,
      ...STRICT_FLAG,
      ...SHARED_FLAGS,
    },
    examples: [
      "incipit simulate",
      "incipit simulate trace.yaml --model openai/gpt-5.6-sol",
      "incipit simulate --layout two-tier",
      "incipit simulate calls.jsonl --ttl 1h",
    ],
  },
  price: {
    words: [],
    help: "say what a change costs a running session, now and per day, and what waiting saves",
    flags: {
      edit: { value: "FILE", help: "the change: text is added to this file" },
      adds: { value: "N", default: EDIT_TOKENS, help: "how many tokens the edit adds" },
      addTool: { value: "FILE", help: "the change: the tools of this JSON file come" },
      removeTool: { value: "NAME", help: "the change: this tool goes" },
      addSkill: { value: "DIR", help: "the change: the skill in this folder comes" },
      switch: { value: "MODEL", help: "the change: another model" },
      conversation: {
        value: "N",
        default: 20_000,
        help: "tokens of the conversation so far, as the model counts them",
      },
      calls: { value: "N", default: 200, help: "calls a day" },
      ...JSON_FLAG,
      ...STRICT_FLAG,
      ...SHARED_FLAGS,
    },
    examples: [
      "incipit price --edit SOUL.md",
      "incipit price --add-tool search.json",
      "incipit price --switch openai/gpt-5.6-sol",
    ],
  },
  tour: TOUR_COMMAND,
  chat: CHAT_COMMAND,
  run: {
    runsAgent: true,
    words: [
      {
        name: "message",
        help: "what is said to the agent; - reads it from stdin",
        optional: true,
        many: true,
      },
    ],
    help: "send the agent one message and print its answer; without a message, process the queue",
    flags: {
      json: {
        help: "print every event as a line of JSON: `kind` as it is told live, `type` as it is recorded",
      },
      new: { conflicts: ["session"], help: "begin a new session" },
      allow: {
        value: "KINDS",
        list: ALLOWABLE,
        help: `let this message do these without asking: ${ALLOWABLE.join(", ")}, or several with commas`,
      },
      sessions: { help: "list the sessions of this sender" },
      schedule: { help: "keep on, and do what is scheduled" },
      logLevel: {
        value: "LEVEL",
        choices: LEVELS,
        help: "also print what is recorded, from this level on, on stderr; with --json less of it",
      },
      ...AGENT_FLAGS,
    },
    examples: [
      'incipit run "Does the 15:30 run on Tuesday?"',
      'incipit run --as bob --in group "hello" --json',
      "git diff | incipit run -",
      "incipit run --schedule",
    ],
  },
  signal: {
    words: [{ name: "text", help: "the message", many: true }],
    help: "say how a message reads: mode, genre, type, format, weight, noise, and why",
    flags: {
      channel: { value: "ID", default: "cli", help: "where it comes from" },
      afterQuestion: { help: "the agent has asked something and this is the answer" },
      ...JSON_FLAG,
    },
    examples: [
      'incipit signal "please build a new page!" --channel telegram',
      "incipit signal thanks --json",
    ],
  },
  skills: {
    words: [],
    help: "list the skills that were found, and which of them the model is told of",
    flags: { ...JSON_FLAG, ...STRICT_FLAG, ...SHARED_FLAGS },
    examples: ["incipit skills", "incipit skills --as bob"],
  },
  config: {
    words: [],
    help: "print the effective configuration, and where each value comes from",
    flags: {
      ...JSON_FLAG,
      ...STRICT_FLAG,
      workspace: SHARED_FLAGS.workspace,
      profile: SHARED_FLAGS.profile,
      model: SHARED_FLAGS.model,
      budget: SHARED_FLAGS.budget,
    },
    examples: ["incipit config", "incipit config --model openai/gpt-5.2"],
  },
  models: {
    words: [],
    help: "say which model would answer and why, and what is there of each provider: key, address, prices",
    flags: {
      ...JSON_FLAG,
      ...STRICT_FLAG,
      workspace: SHARED_FLAGS.workspace,
      model: SHARED_FLAGS.model,
    },
    examples: ["incipit models", "incipit models --model ollama/qwen3 --json"],
  },
  init: {
    words: [{ name: "folder", help: "where to (default: here)", optional: true }],
    help: "write a workspace that compiles, from a few questions; nothing is overwritten",
    flags: {
      yes: { help: "ask nothing, and take what is usual" },
      name: { value: "NAME", help: `what the agent is called (default: ${DEFAULT_NAME})` },
      model: { value: "ID", help: "provider/model (default: the first whose key is set)" },
      heartbeat: { help: "write HEARTBEAT.md too, and a schedule for it" },
      eject: {
        conflicts: ["name", "model", "heartbeat"],
        help: `write only the bundled base, to ${SYSTEM_FILE}, for editing`,
      },
    },
    examples: ["incipit init my-agent --yes", "incipit init --eject"],
  },
  ...FOLDER_COMMANDS,
  ...HOOK_COMMANDS,
  completions: {
    words: [{ name: "shell", help: "your shell: bash, zsh or fish", choices: ["bash", "zsh", "fish"] }],
    help: "print a script that completes commands and flags in your shell",
    flags: {},
    examples: [
      "incipit completions bash > ~/.local/share/bash-completion/completions/incipit",
      "incipit completions fish > ~/.config/fish/completions/incipit.fish",
    ],
  },
  ...MEMORY_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...RECORD_COMMANDS,
  ...STATE_COMMANDS,
} as const satisfies CommandTable

export type CommandName = keyof typeof COMMAND_TABLE

export const COMMANDS = listCommands(COMMAND_TABLE)
