// All commands as data. The parser, `--help` and docs/reference/cli.md are generated from this table.
import { SYSTEM_FILE } from "../../files/paths.ts"
import { CHAT_COMMAND } from "../chat/command.ts"
import { TOUR_COMMAND } from "../tour/command.ts"
import type { Command } from "./command.ts"
import { AGENT_FLAGS, JSON_FLAG, LEVELS, SHARED_FLAGS, STATE_FLAG, STRICT_FLAG } from "./flags.ts"
import { FOLDER_COMMANDS } from "./folder-commands.ts"
import { HOOK_COMMANDS } from "./hooks-commands.ts"
import { MEMORY_COMMANDS } from "./memory-commands.ts"
import { RECORD_COMMANDS } from "./record-commands.ts"
import { SCHEDULE_COMMANDS } from "./schedule-commands.ts"
import { STATE_COMMANDS } from "./state-commands.ts"

/** A copy of the names in render/cache/layouts.ts, which `--help` must not load; a test compares them. */
export const LAYOUT_NAMES = ["planned", "system-end", "two-tier", "one-block", "unmarked"]

/** What the commands of a group have in common. */
export const GROUPS: Readonly<Record<string, string>> = {
  folder: "approve, list and revoke the folders that the agent may run in",
  state: "list, move, delete and adopt what is kept for a folder: conversations and the record",
  memory: "search, read and write long-term memory",
}

export const COMMANDS: readonly Command[] = [
  {
    name: "build",
    words: [],
    help: "compile the prompt and show every section with its cost, its outcome and its source",
    flags: [
      {
        name: "text",
        conflicts: ["annotated", "compare", "json"],
        help: "print exactly what the model is told: the head, then the tail",
      },
      {
        name: "annotated",
        conflicts: ["compare", "json"],
        help: "add the text to the report, each line with its section and source",
      },
      { name: "watch", conflicts: ["compare"], help: "compile again whenever something changes" },
      { name: "compare", value: "PROFILE", help: "lay another profile's sections and costs beside it" },
      { name: "recall", help: "also tell what memory holds about the message" },
      STATE_FLAG,
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
    load: () => import("../commands/prompt/build.ts"),
  },
  {
    name: "explain",
    words: [{ name: "what", help: "a section, a tool, a file, or any piece of text" }],
    help: "say why something is in the prompt, or why not, where it comes from and what it costs",
    flags: [JSON_FLAG, STRICT_FLAG, ...SHARED_FLAGS],
    examples: ["incipit explain soul", "incipit explain MEMORY.md --as bob", 'incipit explain "tide table"'],
    load: () => import("../commands/prompt/explain.ts"),
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
      STATE_FLAG,
      ...SHARED_FLAGS.filter(({ name }) => name !== "workspace"),
    ],
    examples: ["incipit diff before.json after.json", "incipit diff ../old-workspace ."],
    load: () => import("../commands/prompt/diff.ts"),
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
      { name: "write-lock", conflicts: ["frozen"], help: "write incipit.lock, a file of digests" },
      JSON_FLAG,
      STRICT_FLAG,
      ...SHARED_FLAGS.map((flag) =>
        flag.name === "budget" ? { ...flag, help: "fail if tools and head take more tokens" } : flag,
      ),
    ],
    examples: ["incipit check", "incipit check --leak full:group,inner:group", "incipit check --write-lock"],
    load: () => import("../commands/prompt/check.ts"),
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
      {
        name: "ttl",
        value: "TTL",
        choices: ["5m", "1h"],
        help: "how long the head is to be kept (default: as recorded, or as incipit.yaml says)",
      },
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
      "incipit simulate calls.jsonl --ttl 1h",
    ],
    load: () => import("../commands/prompt/simulate.ts"),
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
      {
        name: "conversation",
        value: "N",
        help: "tokens of the conversation so far, as the model counts them (default: 20000)",
      },
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
    load: () => import("../commands/prompt/price.ts"),
  },
  TOUR_COMMAND,
  CHAT_COMMAND,
  {
    name: "run",
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
    flags: [
      {
        name: "json",
        help: "print every event as a line of JSON: `kind` as it is told live, `type` as it is recorded",
      },
      { name: "new", conflicts: ["session"], help: "begin a new session" },
      {
        name: "allow",
        value: "KINDS",
        help: "let this message do these without asking: shell, edit, instructions, schedule, mcp, or several with commas",
      },
      { name: "sessions", help: "list the sessions of this sender" },
      { name: "schedule", help: "keep on, and do what is scheduled" },
      {
        name: "log-level",
        value: "LEVEL",
        choices: LEVELS,
        help: "also print what is recorded, from this level on, on stderr; with --json less of it",
      },
      ...AGENT_FLAGS,
    ],
    examples: [
      'incipit run "Does the 15:30 run on Tuesday?"',
      'incipit run --as bob --in group "hello" --json',
      "git diff | incipit run -",
      "incipit run --schedule",
    ],
    load: () => import("../commands/agent/run.ts"),
  },
  {
    name: "signal",
    words: [{ name: "text", help: "the message", many: true }],
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
    load: () => import("../commands/prompt/signal.ts"),
  },
  {
    name: "skills",
    words: [],
    help: "list the skills that were found, and which of them the model is told of",
    flags: [JSON_FLAG, STRICT_FLAG, ...SHARED_FLAGS],
    examples: ["incipit skills", "incipit skills --as bob"],
    load: () => import("../commands/workspace/skills.ts"),
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
    load: () => import("../commands/workspace/config.ts"),
  },
  {
    name: "models",
    words: [],
    help: "say which model would answer and why, and what is there of each provider: key, address, prices",
    flags: [
      JSON_FLAG,
      STRICT_FLAG,
      ...SHARED_FLAGS.filter(({ name }) => ["workspace", "model"].includes(name)),
    ],
    examples: ["incipit models", "incipit models --model ollama/qwen3 --json"],
    load: () => import("../commands/workspace/models.ts"),
  },
  {
    name: "init",
    words: [{ name: "folder", help: "where to (default: here)", optional: true }],
    help: "write a workspace that compiles, from a few questions; nothing is overwritten",
    flags: [
      { name: "yes", help: "ask nothing, and take what is usual" },
      { name: "name", value: "NAME", help: "what the agent is called (default: Ada)" },
      { name: "model", value: "ID", help: "provider/model (default: the first whose key is set)" },
      { name: "heartbeat", help: "write HEARTBEAT.md too, and a schedule for it" },
      {
        name: "eject",
        conflicts: ["name", "model", "heartbeat"],
        help: `write only the bundled base, to ${SYSTEM_FILE}, for editing`,
      },
    ],
    examples: ["incipit init my-agent --yes", "incipit init --eject"],
    load: () => import("../commands/workspace/init.ts"),
  },
  ...FOLDER_COMMANDS,
  ...HOOK_COMMANDS,
  {
    name: "completions",
    words: [{ name: "shell", help: "your shell: bash, zsh or fish", choices: ["bash", "zsh", "fish"] }],
    help: "print a script that completes commands and flags in your shell",
    flags: [],
    examples: [
      "incipit completions bash > ~/.local/share/bash-completion/completions/incipit",
      "incipit completions fish > ~/.config/fish/completions/incipit.fish",
    ],
    load: async () => {
      const { printCompletions } = await import("./completions.ts")
      return { run: (given) => printCompletions(given, { commands: COMMANDS, groups: GROUPS }) }
    },
  },
  ...MEMORY_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...RECORD_COMMANDS,
  ...STATE_COMMANDS,
]
