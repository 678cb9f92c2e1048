// The codes of all errors, each with what to do next. `docs/reference/errors.md` is generated from it. The page leaves
// the sentences out, because it shows messages only.

export const ERROR_HELP = {
  "duplicate-section": "Give each section of the profile a different id.",
  "bad-profile": "docs/guide/profiles.md shows what a profile looks like.",
  "bad-section":
    "docs/guide/own-loop.md shows the sections of `definePrompt`; docs/guide/profiles.md lists what any section has.",
  "bad-section-id":
    "Use letters, digits, `-`, `_` and `/`, for example `acme/rules`; `update` and `turn-context` are reserved.",
  "bad-budget":
    "Use a whole number of tokens for head and tail together, or limits such as { head: 3000, tail: 1000 }; the window must be larger than the reserve.",
  "bad-counter":
    "Use o200k from incipit, or counterFrom(name, count) with a function that returns a number of tokens.",
  "bad-input": "docs/guide/own-loop.md shows what `definePrompt` takes, and the compiler underneath it.",
  "duplicate-tool": "Rename one of the two tools; the model cannot tell them apart.",
  "unknown-profile": "Use the name of a bundled profile, or the path of a module that exports one.",
  "unreadable-workspace":
    "Name a folder that exists and that you can read, or create one with `incipit init`.",
  "unreadable-file": "Check the path and its permissions.",
  "bad-files": "Pass a folder, a file or a glob to read, as a path or as a file: URL.",
  "unwritable-file": "Check the folder, its permissions and the free disk space.",
  "unwritable-state":
    "State is kept in your home folder. Set HOME to a folder that you can write to; INCIPIT_STATE_DIR moves the state of one agent.",
  "bad-tools-file":
    "It must be a JSON array of tools, as { name, description, parameters }, { name, builtin: true }, or in the form of OpenAI, Anthropic or MCP.",
  "bad-scope-file": "It must be a JSON object of inputs by name.",
  "bad-trace": "docs/guide/caching.md describes the format: turns, steps, sizes, gaps and changes.",
  "bad-configuration": "Fix that line; docs/reference/configuration.md lists every key.",
  "bad-argument": "Run the command with --help to see its arguments and flags.",
  "bad-prompt-file": "Name a folder, or a file written by `incipit build --json`.",
  "nothing-to-inspect":
    "Name a session, as `incipit bill --by session` lists them, a file written by `incipit build --json`, or a file with calls that `incipit bill` reads.",
  "unusable-database":
    "Check the folder, its permissions and the free disk space. If the file is damaged, move it away.",
  "foreign-schema":
    "Another program made or changed this file, so it is not used. Move it away and Incipit creates a new one.",
  "old-node": "Adopting state that came with a folder needs Node 24.15 or newer.",
  "no-state": "`incipit state list` shows which folders have state.",
  "newer-database":
    "Use the newer version of Incipit that wrote it. A file can also be moved away to start a new one.",
  "older-database": "Run `incipit database migrate`.",
  "bad-database-url": "docs/guide/scaling.md shows what the URL looks like.",
  "no-driver": "Install it next to Incipit with `npm install pg`.",
  "unreachable-database": "Check that the server runs, and the host, port and database of the URL.",
  "old-server": "Incipit needs PostgreSQL 15 or newer.",
  "database-rights": "Check user and password; docs/guide/scaling.md lists the rights that the user needs.",
  "read-only-database": "It may be a replica. Use the URL of the server that takes changes.",
  "files-in-use": "Stop the servers and chats that use this folder, then run the command again.",
  "database-not-empty":
    "Move into an empty schema: name another one with ?schema=NAME in the URL, or drop this one if you don't need it.",
  "unfinished-move": "Run `incipit database move` again: it continues where it stopped.",
  "move-differs":
    "The files are as they were, and no agent uses the copy. Drop its schema and run `incipit database move` again.",
  "no-record":
    "`incipit run` and `incipit chat` create one. To use another, set `--workspace` or `--record`.",
  "not-recorded": "`incipit logs` shows what is recorded, with turn ids.",
  "no-memory": "Write the first entry with `incipit memory add`, or name another folder with `--workspace`.",
  "not-in-memory": "`incipit memory search` shows the paths that exist; `--as` searches as another user.",
  "not-written": "Nothing was changed. docs/guide/memory.md lists what is refused.",
  "session-lost": "Another process has taken over the session. Wait for its answer, or try again.",
  "no-session": "`incipit run --sessions` lists your sessions.",
  "cannot-fork":
    "Name a turn of the session, such as `incipit logs` shows; stop a turn that is running before you go back to an earlier message.",
  "not-found": "`incipit build` lists the sections and files of the prompt.",
  "folder-not-approved": "`build`, `check` and `explain` work without approval.",
  "no-folder": "`incipit folder list` lists the approved folders.",
  "no-hook":
    "`incipit hooks` lists the modules, profile, MCP servers, addresses, folders and rules that incipit.yaml names, and which of them need approval.",
  "no-server": "`incipit mcp status` lists the servers of incipit.yaml.",
  "sign-in-failed":
    "docs/guide/mcp.md says what a sign-in needs. If the service takes a key, set it under `headers` of the server in incipit.yaml.",
  "no-key": "Set the variable or choose another model; `incipit models` shows which keys are set.",
  "not-approved":
    "`incipit hooks` lists what needs approval; `incipit hooks approve` shows it in full and asks.",
  "unknown-model": "Write it as provider/model. To add a provider, use `providers` in incipit.yaml.",
  "no-such-plan": "`/plan list` in a chat shows the plans; they are files in the workspace.",
  "plan-not-approved": "Approve its current text first.",
  "not-scheduled": "`incipit schedule` lists the entries with their ids.",
  "no-agent":
    "Other agents are folders under agents/ in the workspace. Leave `--agent` out to use the main agent.",
  "bad-lock": "Write a new lock with `incipit check --write-lock`.",
  "unknown-command": "`incipit --help` lists the commands.",
  "workspace-gone":
    "Put the folder back, or start again with another one (`--workspace`). This message was not kept.",
  "section-failed":
    "Fix the function that makes its text. It only gets inputs that change no faster than the section: docs/guide/own-loop.md for `perSession` and `perTurn`, docs/guide/profiles.md for `build`.",
  "bad-messages":
    'A message is userMessage("…") or { role, parts: [{ kind: "text", text }] }; fromChat, fromAnthropic and others in incipit/render convert those of an SDK.',
  "bad-render-call": "docs/guide/own-loop.md shows a whole loop.",
  "tail-missing":
    "Pass `attach(messages, prompt.tail)` to the renderer, or set `withoutTail: true` to leave the turn context out.",
  "bad-hook": "docs/guide/hooks.md shows the format; `openAgent` takes the objects that modules export.",
  "bad-sdk-messages":
    "docs/guide/own-loop.md lists what `add` takes. A converter takes what its provider's SDK returned, or a history of it.",
  "agent-closed": "Send before `close`, or open the agent again with `openAgent`.",
  "not-waiting":
    "A turn waits for results for a limited time, and only for those of its sender. Send the message again.",
  "not-queued": "`incipit queue list` lists the messages that wait, with their ids.",
  "no-text": "Pass the words of a person: a string that isn't empty.",
  "bad-option": "docs/guide/agent.md lists the options of `openAgent` and `send`.",
  "chat-order":
    "A turn is `say`, a request, `add`, and while there are calls `answer`, a request and `add` again.",
  "bad-chat-input": "docs/guide/own-loop.md shows what `open`, `say` and `update` take.",
  "bad-tool-results":
    "Pass results for the calls that `add` or `send` returned, each with the id of its call.",
  "bad-saved-chat": "Pass what `save` returned; if you stored it as text, parse it first.",
  "bad-client-settings":
    "Nothing was written. Correct the file, or add the server by hand: `incipit mcp --print CLIENT` shows what to add.",
  "cannot-listen":
    "Use another port with `--port`; `--port 0` finds a free one. `serve` also takes an address, with `--host`.",
  "no-channel-secret":
    "Set the variable where `incipit serve` is started; incipit.yaml never holds the secret itself.",
  "channel-refused": "Correct the variable, or remove the channel from `serve.channels` in incipit.yaml.",
  "no-such-token": "`incipit token list` shows the tokens with their ids.",
  "no-such-pairing":
    "`incipit pair list` shows the senders that are waiting. A code expires, and works once.",
  "sandbox-missing":
    "`incipit sandbox check` says what is missing on this machine; docs/guide/sandbox.md helps to set it up.",
  "bad-tool": "docs/guide/agent.md shows how to write a tool with `defineTool` from incipit/tools.",
} as const
