// All commands as data. The parser, `--help` and docs/reference/cli.md are generated from this table.
import { LEVELS } from "../../../base/event-types.ts"
import { CACHE_TTLS } from "../../../core/model/cache-ttl.ts"
import { SYSTEM_FILE } from "../../../files/paths.ts"
import { CACHE_LAYOUT_NAMES } from "../../../render/cache/cache-layout-name.ts"
import { EDIT_TOKENS, USUAL } from "../../../render/cache/scenario.ts"
import type { ApprovalRequest } from "../../../tools/host.ts"
import { CHAT_COMMAND } from "../../chat/command.ts"
import { TOUR_COMMAND } from "../../tour/command.ts"
import { BILL_COMMANDS } from "./bill-commands.ts"
import { CAPTURE_COMMANDS } from "./capture-commands.ts"
import { type CommandTable, listCommands } from "./command.ts"
import { DATABASE_COMMANDS } from "./database-commands.ts"
import { AGENT_FLAGS, CAPTURES_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG, STRICT_FLAG } from "./flags.ts"
import { FOLDER_COMMANDS } from "./folder-commands.ts"
import { HOOK_COMMANDS } from "./hooks-commands.ts"
import { INSPECT_COMMANDS } from "./inspect-command.ts"
import { MCP_COMMANDS } from "./mcp-commands.ts"
import { MEMORY_COMMANDS } from "./memory-commands.ts"
import { QUEUE_COMMANDS } from "./queue-commands.ts"
import { RECORD_COMMANDS } from "./record-commands.ts"
import { SANDBOX_COMMANDS } from "./sandbox-commands.ts"
import { SCHEDULE_COMMANDS } from "./schedule-commands.ts"
import { SERVE_COMMANDS } from "./serve-commands.ts"
import { SESSION_COMMANDS } from "./session-commands.ts"
import { STATE_COMMANDS } from "./state-commands.ts"

/** Kinds of requests that may be allowed in advance. */
const ALLOWABLE = [
  "shell",
  "edit",
  "instructions",
  "schedule",
  "mcp",
] as const satisfies readonly ApprovalRequest["kind"][]

/** For people; for a pull request's summary; as commands of a GitHub workflow; for editors and code scanning. */
const CHECK_FORMATS = ["text", "markdown", "github", "sarif"] as const

/** The agent's name in a new workspace. No page or sample uses it for anybody else. */
export const DEFAULT_NAME = "Wren"

const { workspace: _workspace, ...COMPILE_FLAGS } = SHARED_FLAGS

/** What the commands of a group have in common. */
export const GROUPS: Readonly<Record<string, string>> = {
  folder: "approve, list and revoke the folders that the agent may run in",
  state: "list, move, delete and adopt a folder's state: its conversations and its record",
  database: "create and migrate the tables of a PostgreSQL database",
  sandbox: "check what the sandbox of commands holds here, and look around in it",
  session: "fork a session, take back its last message, or stop what it works on",
  queue: "list, retry and drop the messages that could not be answered yet",
  memory: "search, read and write long-term memory",
  token: "make, list and revoke the tokens that people reach the server with",
  pair: "decide who the unknown senders on channels are",
}

/** The groups of `--help`, and the first words of the commands in each. A newcomer finds what matters first. */
export const HELP_GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Start here:": ["bill", "build", "init", "chat", "run"],
  "What is in a prompt:": ["inspect", "explain", "check", "diff", "price", "simulate", "signal", "skills"],
  "What your coding agents cost (bill, above):": ["mcp", "wrap", "statusline", "proxy", "capture"],
  "Your agent:": [
    "tour",
    "memory",
    "schedule",
    "queue",
    "session",
    "config",
    "models",
    "folder",
    "hooks",
    "sandbox",
  ],
  "What it did:": ["logs", "trace", "why-miss", "cost", "status", "replay", "export", "prune"],
  "For several people:": ["serve", "token", "pair"],
  "Where things are kept:": ["state", "database", "completions"],
}

export const COMMAND_TABLE = {
  ...BILL_COMMANDS,
  ...CAPTURE_COMMANDS,
  build: {
    words: [],
    help: "compile the prompt and show each section with its tokens, outcome and source",
    flags: {
      text: {
        conflicts: ["annotated", "compare", "json"],
        help: "print exactly what the model is sent: the cached prefix, then the turn context",
      },
      annotated: {
        conflicts: ["compare", "json"],
        help: "include the text in the report, each line with its section and source",
      },
      watch: { conflicts: ["compare"], help: "recompile whenever something changes" },
      compare: { value: "PROFILE", help: "show another profile's sections and costs side by side" },
      recall: { help: "include what memory recalls for the message" },
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
  ...INSPECT_COMMANDS,
  ...MCP_COMMANDS,
  explain: {
    words: [{ name: "what", help: "a section, a tool, a file, or any piece of text" }],
    help: "explain why something is in the prompt or isn't, where it comes from and what it costs",
    flags: { ...JSON_FLAG, ...STRICT_FLAG, ...SHARED_FLAGS },
    examples: ["incipit explain soul", "incipit explain MEMORY.md --as bob", 'incipit explain "tide table"'],
  },
  diff: {
    words: [
      {
        name: "a",
        help: "a workspace folder, a file written by `incipit build --json`, or a recorded turn[.step]",
      },
      { name: "b", help: "what to compare it with, in the same forms" },
    ],
    help: "compare two prompts: what was added, removed, changed or moved, and where the cache stops helping",
    flags: {
      ...JSON_FLAG,
      ...STRICT_FLAG,
      record: { value: "FILE", help: "the record file to read recorded turns from" },
      ...CAPTURES_FLAG,
      ...STATE_FLAG,
      ...COMPILE_FLAGS,
    },
    examples: ["incipit diff before.json after.json", "incipit diff ../old-workspace ."],
  },
  check: {
    words: [],
    help: "check the workspace and its prompt for errors, warnings and hints",
    flags: {
      leak: {
        value: "TRUST:SITUATION",
        list: true,
        help: "fail if text that needs this trust is sent in this situation (comma-separated)",
      },
      frozen: { help: "fail if anything differs from incipit.lock" },
      writeLock: {
        conflicts: ["frozen"],
        help: "write incipit.lock: the digests that --frozen compares with, and the sizes for --ratchet",
      },
      ratchet: { help: "fail if the prompt grew, costs more or leaks more than on the base branch" },
      against: {
        value: "REF",
        help: "the branch, tag or commit to compare with (default: the base branch)",
      },
      maxGrowth: {
        value: "N",
        help: "most percent that tokens and prices may grow (default: ratchet.growth, or 10)",
      },
      format: {
        value: "FORMAT",
        choices: CHECK_FORMATS,
        conflicts: ["json"],
        help: "how to print the result (default: text)",
      },
      ...JSON_FLAG,
      ...STRICT_FLAG,
      ...SHARED_FLAGS,
      budget: { ...SHARED_FLAGS.budget, help: "fail if the tools and the cached prefix take more tokens" },
    },
    examples: [
      "incipit check",
      "incipit check --leak full:group,inner:group",
      "incipit check --write-lock",
      "incipit check --ratchet --against main",
    ],
  },
  simulate: {
    words: [
      {
        name: "trace",
        help: `a scenario (YAML) or recorded calls (JSON Lines); default: ${USUAL.turns} turns of ${USUAL.steps} calls`,
        optional: true,
      },
    ],
    help: "simulate a conversation under a provider's cache rules, and compare what each layout costs",
    flags: {
      layout: { value: "NAME", choices: CACHE_LAYOUT_NAMES, help: "simulate only this layout" },
      ttl: {
        value: "TTL",
        choices: CACHE_TTLS,
        help: "how long the prefix stays cached (default: as recorded, or as in incipit.yaml)",
      },
      capacity: { value: "N", help: "size of the cache in tokens (default: no limit)" },
      save: { value: "FILE", help: "write the calls of the first layout to this file, as JSON Lines" },
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
    help: "estimate what a change costs a running session, now and per day, and what waiting saves",
    flags: {
      edit: { value: "FILE", help: "the change: add text to this file" },
      adds: { value: "N", default: EDIT_TOKENS, help: "tokens that the edit adds" },
      addTool: { value: "FILE", help: "the change: add the tools in this JSON file" },
      removeTool: { value: "NAME", help: "the change: remove this tool" },
      addSkill: { value: "DIR", help: "the change: add the skill in this folder" },
      switch: { value: "MODEL", help: "the change: switch to this model" },
      conversation: {
        value: "N",
        default: 20_000,
        help: "tokens in the conversation so far, as the model counts them",
      },
      calls: { value: "N", default: 200, help: "calls per day" },
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
        help: "the message; what is piped in goes with it, or is the message (- at the end waits for it)",
        optional: true,
        many: true,
      },
    ],
    help: "send the agent one message and print its answer; without a message, process the queue",
    flags: {
      json: {
        help: "print each event as a line of JSON: live events have a `kind`, recorded ones a `type`",
      },
      print: { short: "p", help: "print the answer and exit, as `run` always does" },
      continue: {
        short: "c",
        conflicts: ["new", "session"],
        help: "continue the last session, as without flags",
      },
      new: { conflicts: ["session"], help: "start a new session" },
      allow: {
        value: "KINDS",
        list: ALLOWABLE,
        help: `allow this message to do these without asking: ${ALLOWABLE.join(", ")} (comma-separated)`,
      },
      sessions: { help: "list this user's sessions" },
      schedule: { help: "keep running, and run the schedule" },
      logLevel: {
        value: "LEVEL",
        choices: LEVELS,
        help: "also print recorded events of this level and above on stderr; with --json, print no lower ones",
      },
      ...AGENT_FLAGS,
    },
    examples: [
      'incipit run "Does the 15:30 run on Tuesday?"',
      'incipit run --as bob --in group "hello" --json',
      'git diff | incipit run "summarise this"',
      "git diff | incipit run -",
      "incipit run --schedule",
    ],
  },
  signal: {
    words: [{ name: "text", help: "the message", many: true }],
    help: "classify a message (mode, genre, type, format, weight, noise) and say why",
    flags: {
      channel: { value: "ID", default: "cli", help: "the channel it comes from" },
      afterQuestion: { help: "read the message as the answer to a question from the agent" },
      ...JSON_FLAG,
    },
    examples: [
      'incipit signal "please build a new page!" --channel telegram',
      "incipit signal thanks --json",
    ],
  },
  skills: {
    words: [],
    help: "list the skills that were found, and which of them the model can see",
    flags: { ...JSON_FLAG, ...STRICT_FLAG, ...SHARED_FLAGS },
    examples: ["incipit skills", "incipit skills --as bob"],
  },
  config: {
    words: [],
    help: "print the effective configuration and where each value comes from",
    flags: {
      ...JSON_FLAG,
      ...STRICT_FLAG,
      workspace: SHARED_FLAGS.workspace,
      agent: SHARED_FLAGS.agent,
      profile: SHARED_FLAGS.profile,
      model: SHARED_FLAGS.model,
      budget: SHARED_FLAGS.budget,
    },
    examples: ["incipit config", "incipit config --model openai/gpt-5.2"],
  },
  models: {
    words: [],
    help: "show which model would answer and why, and the key, address and prices of each provider",
    flags: {
      ...JSON_FLAG,
      ...STRICT_FLAG,
      workspace: SHARED_FLAGS.workspace,
      model: SHARED_FLAGS.model,
    },
    examples: ["incipit models", "incipit models --model ollama/qwen3 --json"],
  },
  init: {
    words: [{ name: "folder", help: "the folder to write to (default: here)", optional: true }],
    help: "create a workspace by answering a few questions; existing files are kept",
    flags: {
      yes: { help: "accept the defaults without asking" },
      name: { value: "NAME", help: `the agent's name (default: ${DEFAULT_NAME})` },
      model: { value: "ID", help: "provider/model (default: the first one with an API key)" },
      heartbeat: { help: "also write HEARTBEAT.md and a schedule for it" },
      import: {
        help: "take over the MCP servers of .mcp.json and .claude/settings.json, and read CLAUDE.md beside AGENTS.md",
      },
      eject: {
        conflicts: ["name", "model", "heartbeat", "import"],
        help: `only write the bundled base prompt to ${SYSTEM_FILE}, so that you can edit it`,
      },
    },
    examples: ["incipit init my-agent --yes", "incipit init --eject"],
  },
  ...FOLDER_COMMANDS,
  ...SANDBOX_COMMANDS,
  ...HOOK_COMMANDS,
  completions: {
    words: [{ name: "shell", help: "your shell: bash, zsh or fish", choices: ["bash", "zsh", "fish"] }],
    help: "print a completion script for your shell",
    flags: {},
    examples: [
      "incipit completions bash > ~/.local/share/bash-completion/completions/incipit",
      "incipit completions fish > ~/.config/fish/completions/incipit.fish",
    ],
  },
  ...MEMORY_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...SESSION_COMMANDS,
  ...QUEUE_COMMANDS,
  ...RECORD_COMMANDS,
  ...STATE_COMMANDS,
  ...DATABASE_COMMANDS,
  ...SERVE_COMMANDS,
} as const satisfies CommandTable

export type CommandName = keyof typeof COMMAND_TABLE

export const COMMANDS = listCommands(COMMAND_TABLE)
