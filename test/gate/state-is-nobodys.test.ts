// State may stand in a workspace: the workspace is the home folder, or the user named a directory in it. No tool and no
// import opens any of it, for nobody.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { LiveEvent } from "../../src/agent/turn/live-event.ts"
import { openWorkspace, reload } from "../../src/sources/workspace.ts"
import { workspaceGate } from "../../src/sources/workspace-gate.ts"
import { call, open, say, server, workspace } from "../agent/world/agent-world.ts"
import { type Folder, makeFolder } from "../sources/folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const FILES = [
  ...["history", "agent.db", "record.db-wal", "agents/second/memory.db"],
  ...["agent.db.damaged-1", "agent.db.damaged-12-wal"],
]

function put(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, "what the owner typed\n")
  return path
}

test.each([
  ["the workspace is the home folder", ".local/state/incipit", () => ({ home: folder.root, env: {} })],
  [
    "XDG_STATE_HOME stands in the workspace",
    "kept/incipit",
    () => ({ env: { XDG_STATE_HOME: join(folder.root, "kept") } }),
  ],
  [
    "INCIPIT_STATE_DIR stands in the workspace",
    "kept",
    () => ({ env: { INCIPIT_STATE_DIR: join(folder.root, "kept") } }),
  ],
  [
    "a named directory stands in the workspace",
    "kept",
    () => ({ state: join(folder.root, "kept"), env: {} }),
  ],
  ["the workspace itself is named", "", () => ({ state: folder.root, env: {} })],
])("where %s, state is nobody's to open", (_where, state, options) => {
  const paths = FILES.map((name) => put(join(folder.root, state, name)))
  const other = put(join(folder.root, "notes/history"))
  const opened = openWorkspace(folder.root, options())
  for (const one of [opened, reload(opened)]) {
    const gate = workspaceGate(one)
    expect(paths.map((path) => gate.guardOf(path)?.trust)).toEqual(FILES.map(() => "never"))
    expect(gate.guardOf(other)).toBeUndefined()
  }
})

test("a model that is told to reads nothing of the state directory, and writes nothing there", async () => {
  const root = workspace({ "kept/notes.md": "Notes.\n" })
  const state = join(root, "kept")
  put(join(state, "history"))
  const from = await server([
    call(["read", { path: "kept/history" }]),
    call(["grep", { pattern: "owner typed" }]),
    call(["list", { path: "kept" }]),
    call(["write", { path: "kept/history", text: "x" }]),
    call(["write", { path: "kept/agent.db-journal", text: "x" }]),
    say("done"),
  ])
  const events: LiveEvent[] = []
  const { agent } = await open(root, from, {
    state,
    approve: async () => "always",
  })
  await agent.send("go on", { observe: (event) => void events.push(event) })
  const results = events.flatMap((event) => (event.kind === "tool-finished" ? [event.text] : []))
  expect(results).toMatchInlineSnapshot(`
    [
      "No such file or folder: kept/history.",
      "No lines found.",
      "notes.md",
      "kept/history may not be written.",
      "kept/agent.db-journal may not be written.",
    ]
  `)
})
