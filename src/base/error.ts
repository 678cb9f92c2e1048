// Failures that stop the work. One class, and one table of codes with the help line for each;
// `docs/reference/errors.md` is generated from the table.

const HELP = {
  "duplicate-section": "Give each section of a profile an id of its own.",
  "bad-section": "Correct the section in the profile.",
  "bad-section-id":
    "Use letters, digits, `-`, `_` and `/`, for example `acme/rules`; `update` and `turn-context` are the compiler's own.",
  "bad-budget": "Budgets are whole numbers of tokens; the window must be larger than the reserve.",
  "duplicate-tool": "Rename one of the two tools: a model cannot tell them apart.",
  "unknown-profile": "Name a profile that comes with Incipit, or give the path of a module that exports one.",
  "unreadable-workspace": "Name a folder that is there and may be read; `incipit init` makes one.",
  "unreadable-file": "Check the path and its permissions.",
  "unwritable-file": "Check the folder, its permissions and the space on the disk.",
  "bad-tools-file":
    "It must be a JSON array of { name, description, parameters } or { name, builtin: true }.",
  "bad-scope-file": "It must be a JSON object of inputs by name.",
  "bad-trace": "docs/guide/caching.md describes the file: turns, steps, sizes, gaps and changes.",
  "bad-configuration": "Correct the line that is named; docs/reference/configuration.md lists every key.",
  "bad-argument": "Run the command with --help to see what it takes.",
  "bad-prompt-file": "Give a folder, or a file that `incipit build --json` wrote.",
  "unusable-database":
    "Check the folder, its permissions and the space on the disk; a damaged file can be moved away.",
  "foreign-schema":
    "Somebody else changed or made this file, so it is not used. Move it away; Incipit makes a new one.",
  "no-state": "`incipit state list` shows the folders that have state, and where it is.",
  "newer-database": "Use the newer Incipit that wrote it, or move the file away and begin another.",
  "no-record":
    "`incipit run` and `incipit chat` make one; `--workspace` names another folder, `--record` another file.",
  "not-recorded": "`incipit logs` shows what is recorded, with the ids of turns.",
  "no-memory": "`incipit memory add` writes the first entry; `--workspace` names another folder.",
  "not-in-memory":
    "`incipit memory search` shows the paths of what is found; `--as` asks for another person.",
  "not-written": "Nothing was changed; docs/guide/memory.md says what is refused.",
  "session-lost": "Another process goes on with it; wait for its answer, or try again.",
  "no-session": "`incipit run --sessions` lists those that you may use.",
  "not-found": "`incipit build` lists the sections and files of the prompt.",
  "folder-not-approved": "`build`, `check` and `explain` need no approval.",
  "no-folder": "`incipit folder list` lists the approved folders.",
  "no-hook":
    "`incipit hooks` lists the modules, profile, MCP servers, addresses and folders that incipit.yaml names, and which of them wait.",
  "no-key": "Set the variable, or choose another model; `incipit models` shows which keys are set.",
  "not-approved": "`incipit hooks` shows what waits; `incipit hooks approve` shows it whole and asks.",
  "unknown-model": "Write provider/model; `providers` in incipit.yaml adds a provider.",
  "no-such-plan": "`/plan` in a chat lists the plans; they are files in the workspace.",
  "plan-not-approved": "Approve it first, as it stands now.",
  "not-scheduled": "`incipit schedule` lists the entries with their ids and where they stand.",
  "no-agent":
    "Further agents are folders in agents/ of the workspace; without `--agent` the main one is meant.",
  "bad-lock": "Write a new one with `incipit check --write-lock`.",
  "unknown-command": "`incipit --help` lists the commands.",
  "workspace-gone":
    "Put the folder back where it was, or leave and start again with another (`--workspace`); nothing of this message is kept.",
  "section-failed":
    "Correct its `build`, which gets only what changes no faster than its pace; docs/guide/profiles.md.",
  "bad-hook": "docs/guide/hooks.md shows the form; `openAgent` takes the objects that modules export.",
  "bad-tool": "docs/guide/agent.md shows how to write a tool with `defineTool` from incipit/tools.",
} as const

export type ErrorCode = keyof typeof HELP

export const ERRORS: Readonly<Record<ErrorCode, string>> = HELP

export class IncipitError extends Error {
  readonly code: ErrorCode
  override readonly name = "IncipitError"

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** What to do next. */
  get help(): string {
    return ERRORS[this.code]
  }
}
