// Menu, search, get, tools and `check --leak` say the same about one file, and reading never leads astray.
import { chmodSync, chownSync, linkSync, mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { afterEach, beforeEach, expect, test } from "vitest"
import { memoryOf } from "../../src/agent/storage/workspace-memory.ts"
import type { Trust } from "../../src/base/trust.ts"
import { gatherMemory } from "../../src/sources/memory-files.ts"
import { gatherAgent } from "../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"
import { workspaceGate } from "../../src/sources/workspace-gate.ts"
import { type Folder, makeFolder } from "../sources/folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const write = (path: string, text: string) => folder.write(`workspace/${path}`, text)
const at = (path: string) => join(folder.root, path)

/** Who finds what: from the menu, and by search, get and recall. */
async function found(trust: Trust) {
  const workspace = openWorkspace(folder.root)
  const memory = memoryOf(workspace, join(folder.path, "index.db"))
  try {
    const paths = gatherMemory(workspace).value.map(({ path }) => path)
    const listed = gatherMemory(workspace).value.filter((file) => TRUST[trust] >= TRUST[file.trust])
    const { hits } = memory.search("boat", { trust })
    const recalled = memory.recall("Tell me of the boat", { trust, budget: 500 }).text
    return {
      menu: listed.map(({ path }) => path).sort(),
      search: [...new Set(hits.map(({ path }) => path))].sort(),
      get: paths.filter((path) => memory.get(path, { trust }).status === "ok").sort(),
      recall: [...new Set([...recalled.matchAll(/\[memory ([^:\]]+)/g)].map(([, path]) => path))].sort(),
      status: memory.status({ trust }).stores.reduce((sum, { files }) => sum + files, 0),
    }
  } finally {
    await memory.close()
  }
}

const TRUST: Readonly<Record<Trust, number>> = { public: 0, familiar: 1, inner: 2, full: 3 }

function same(...paths: readonly string[]) {
  return { menu: paths, search: paths, get: paths, recall: paths, status: paths.length }
}

test("menu, search, get and recall agree about trust in the frontmatter of a memory file", async () => {
  write("memory/social/open.md", "- The boat is blue\n")
  write("memory/social/raised.md", "---\ntrust: full\n---\n- The boat leaks\n")
  write("memory/social/inner.md", "---\ntrust: inner\n---\n- The boat sails\n")
  write("memory/social/odd.md", "---\ntrust: nobody\n---\n- The boat sinks\n")
  write("memory/social/dm.md", "---\nsituations: dm\n---\n- The boat rests\n")
  write("memory/private/lowered.md", "---\ntrust: public\n---\n- The boat is dear\n")
  expect(await found("public")).toEqual(same())
  expect(await found("familiar")).toEqual(same("social/open.md"))
  expect(await found("inner")).toEqual(same("social/inner.md", "social/open.md"))
  const all = [
    "private/lowered.md",
    ...["dm", "inner", "odd", "open", "raised"].map((name) => `social/${name}.md`),
  ]
  expect(await found("full")).toEqual(same(...all))
  write("memory/social/raised.md", "- The boat leaks no more\n")
  expect(await found("familiar")).toEqual(same("social/open.md", "social/raised.md"))
})

test("a trust for MEMORY.md under prompt.files holds for search as for the menu", async () => {
  write(
    "incipit.yaml",
    "memory: { stores: { private: familiar } }\nprompt: { files: [{ path: MEMORY.md, trust: full }] }\n",
  )
  write("MEMORY.md", "- The boat is called Ida\n")
  write("memory/private/a.md", "- The boat is red\n")
  expect(await found("inner")).toEqual(same("private/a.md"))
  expect(await found("full")).toEqual(same("private/MEMORY.md", "private/a.md"))
})

test("an entry is not added to a file that asks for more than the writer has", async () => {
  write("memory/social/raised.md", "---\ntrust: inner\n---\n- The boat leaks\n")
  const memory = memoryOf(openWorkspace(folder.root), join(folder.path, "index.db"))
  const add = (trust: Trust) =>
    memory.write(`Said by ${trust}`, { trust, by: "bob", now: 0, path: "social/raised.md" })
  expect([add("familiar"), add("inner")]).toMatchObject([{ why: "no-such-place" }, { status: "written" }])
  await memory.close()
})

test("a memory folder or file that is a link is left out with a diagnostic", async () => {
  write("memory/private/a.md", "- The boat is red\n")
  write("elsewhere/b.md", "- The boat is green\n")
  folder.write("outside/c.md", "- The boat is grey\n")
  symlinkSync("private", at("memory/social"))
  symlinkSync(join(folder.path, "outside"), at("memory/shared"))
  symlinkSync("../../elsewhere", at("memory/private/deep"))
  symlinkSync("../../elsewhere/b.md", at("memory/private/b.md"))
  symlinkSync("elsewhere/b.md", at("MEMORY.md"))
  expect(await found("full")).toEqual(same("private/a.md"))
  expect(await found("inner")).toEqual(same())
  const links = gatherMemory(openWorkspace(folder.root)).diagnostics.filter(
    ({ code }) => code === "memory-link",
  )
  expect(links).toEqual([
    { code: "memory-link", path: "memory/private/b.md", needs: "full" },
    { code: "memory-link", path: "memory/shared", needs: "inner" },
    { code: "memory-link", path: "memory/social", needs: "familiar" },
    { code: "memory-link", path: "MEMORY.md", needs: "full" },
  ])
})

test("all of memory behind a link is no memory", async () => {
  folder.write("outside/social/a.md", "- The boat is red\n")
  symlinkSync(join(folder.path, "outside"), at("memory"))
  expect(await found("full")).toEqual(same())
  const memory = memoryOf(openWorkspace(folder.root), join(folder.path, "index.db"))
  const { status } = await memory.write("Bob was here", {
    ...{ trust: "full", by: "bob", now: 0, store: "social" },
  })
  expect(status).toBe("refused")
  await memory.close()
})

test("another name of a private file is in no store", async () => {
  write("users/ada/USER.md", "- The boat is hers\n")
  write("memory/private/a.md", "- The boat is red\n")
  mkdirSync(at("memory/social"))
  linkSync(at("users/ada/USER.md"), at("memory/social/user.md"))
  linkSync(at("memory/private/a.md"), at("memory/social/a.md"))
  expect(await found("familiar")).toEqual(same())
  expect(await found("full")).toEqual(same("private/a.md"))
})

test("rules behind links that lead in a circle are read once", () => {
  write("rules/a.md", "One.\n")
  write("rules/deep/b.md", "Two.\n")
  symlinkSync(".", at("rules/self"))
  symlinkSync("..", at("rules/deep/up"))
  symlinkSync("../..", at("rules/deep/out"))
  const { files } = gatherAgent(openWorkspace(folder.root)).value
  expect(files.map(({ path }) => path)).toEqual(["rules/a.md", "rules/deep/b.md"])
})

test.runIf(process.getuid?.() === 0)(
  "a file of another user in a folder that anybody can write to is left out with a finding",
  () => {
    for (const path of ["AGENTS.md", "rules/a.md", "rules/b.md", "project/AGENTS.md"]) {
      write(path, `Text of ${path}.\n`)
      if (path !== "rules/b.md") chownSync(at(path), 12_345, 12_345)
    }
    chmodSync(at("rules"), 0o1777)
    chmodSync(at("project"), 0o777)
    const workspace = openWorkspace(folder.root)
    const agent = gatherAgent(workspace)
    const session = gatherSession(workspace, { directory: at("project"), known: agent.value.files })
    const told = [...agent.value.files, ...session.value.files].map(({ path }) => path)
    expect(told.filter((path) => !path.includes("incipit-folder"))).toEqual(["AGENTS.md", "rules/b.md"])
    expect(
      [...agent.diagnostics, ...session.diagnostics].filter(({ code }) => code === "foreign-file"),
    ).toEqual([
      { code: "foreign-file", path: "rules/a.md", needs: "full" },
      { code: "foreign-file", path: at("project/AGENTS.md"), needs: "full" },
    ])
  },
)

test("an import of something closed looks as if it was not there to whoever may not know of it", () => {
  write("incipit.yaml", 'users: { bob: { trust: familiar, match: ["telegram:2"] } }\n')
  write("users/ada/USER.md", "Ada.\n")
  write("project/AGENTS.md", "@../users/ada/USER.md\n@../users/eve/USER.md\n")
  const codes = (sender: { readonly channel?: string }) =>
    gatherSession(openWorkspace(folder.root), { ...sender, directory: at("project") }).diagnostics.map(
      ({ code, needs }) => `${code} ${needs}`,
    )
  expect(codes({ channel: "telegram:2" })).toEqual(["import-missing familiar", "import-missing familiar"])
  expect(codes({})).toEqual(["import-outside full", "import-missing familiar"])
})

test("what hides a context file also keeps it from taking the place of another", () => {
  write("incipit.yaml", 'users: { bob: { trust: familiar, match: ["telegram:2"] } }\n')
  write("project/AGENTS.override.md", "---\ntrust: full\n---\nFor the owner.\n")
  write("project/AGENTS.md", "For all.\n")
  const told = (sender: { readonly channel?: string }) => {
    const session = gatherSession(openWorkspace(folder.root), { ...sender, directory: at("project") })
    return [
      session.value.files.map(({ text, trust }) => `${text.trim()} ${trust}`),
      session.diagnostics.length,
    ]
  }
  expect(told({ channel: "telegram:2" })).toEqual([["For all. familiar"], 0])
  expect(told({})).toEqual([[expect.stringContaining("For the owner. full")], 1])
})

test("a skill that is for some situations is neither listed nor read in others", () => {
  write("skills/tea/SKILL.md", "---\nname: tea\ndescription: Tea.\nsituations: [group]\n---\nBoil.\n")
  write("skills/tea/run.sh", "echo tea\n")
  const workspace = openWorkspace(folder.root)
  expect(gatherAgent(workspace).value.skills).toMatchObject([{ name: "tea", situations: ["group"] }])
  expect(workspaceGate(workspace).guardOf(at("skills/tea/run.sh"))).toEqual({ situations: ["group"] })
})

test("a hard link to a private file opens nothing, also if the file is in a folder called objects", () => {
  write("memory/private/objects/secret.md", "- The code is 4711\n")
  linkSync(at("memory/private/objects/secret.md"), at("notes.md"))
  expect(workspaceGate(openWorkspace(folder.root)).guardOf(at("notes.md"))?.trust).toBe("full")
})
