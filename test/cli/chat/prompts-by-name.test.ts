// Reusable prompts that hooks bring: listed, completed and called by name in a chat with a real agent.
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openChatContext } from "../../../src/cli/chat/chat-context.ts"
import { runSlash } from "../../../src/cli/chat/commands/slash.ts"
import { completed } from "../../../src/cli/chat/screen/complete.ts"

import { visible } from "../../../src/core/model/plan.ts"
import { startAgent } from "../../agent/world/agent-world.ts"

const VIEW = { columns: 80, colour: false, timeZone: "UTC", now: () => 0, cwd: "", env: {} }

async function opened() {
  const folders = ["library"]
  const local = await startAgent({
    protocol: "anthropic",
    files: {
      "incipit.yaml": "profile: incipit\nusers: { bob: { trust: public } }\nfeeds: { communication: off }\n",
      "library/review.md": "---\ndescription: Review a file\n---\nReview $1 for mistakes.\n",
      "library/git/commit.md": "# Write a commit\nStage, then commit: $@\n",
      "library/help.md": "Never called.\n",
      "library/secret.md": "---\ndescription: The vault\ntrust: full\n---\nOpen the vault.\n",
      "library/open.md": "---\ndescription: Anybody\ntrust: public\n---\nSay hello\u200b.\n",
      "library/notes.txt": "Not a prompt.\n",
      "more/plain.md": "Look around.\n",
      "more/review.md": "Another review.\n",
    },
    answer: () => [{ text: "Yes." }],
    hooks: [{ name: "library", resources_discover: () => ({ promptFolders: [...folders] }) }],
  })
  onTestFinished(() => local.close())
  const chat = (from = {}) => {
    const start = { from, session: undefined, isNew: true, isPlanning: false }
    return openChatContext({ agent: local.agent, view: VIEW, start, leave: () => {} })
  }
  return { local, folders, chat, root: join(local.folder, "library") }
}

test("prompts that hooks name are listed, completed and called by name, also after a reload", async () => {
  const { local, folders, chat } = await opened()
  const owner = await chat()
  expect((await runSlash(owner, "/prompts", false)).lines).toEqual([
    "/git:commit  Write a commit",
    "/help        Never called.",
    "/open        Anybody",
    "/review      Review a file",
    "/secret      The vault",
    "5 prompts",
  ])
  expect(await completed("/rev", owner)).toEqual({ text: "/review ", candidates: [] })
  expect(await runSlash(owner, '/review "tide table.csv" now', false)).toEqual({
    lines: [],
    send: { text: "Review tide table.csv for mistakes.", shown: '/review "tide table.csv" now' },
  })
  expect((await runSlash(owner, "/git:commit all\nof it", false)).send?.text).toBe(
    "# Write a commit\nStage, then commit: all of it",
  )
  expect((await runSlash(owner, "/open", false)).send?.text).toBe("Say hello.")
  expect((await runSlash(owner, "/help", false)).send).toBe(undefined)
  folders.push("more")
  await local.agent.reload()
  expect((await runSlash(owner, "/plain at the sea", false)).send?.text).toBe("Look around.\n\nat the sea")
  expect((await runSlash(owner, "/review x", false)).send?.text).toBe("Review x for mistakes.")
})

test("who may not see a prompt cannot call it, and is told what one who never had it is told", async () => {
  const { chat, root } = await opened()
  const bob = await chat({ as: "bob" })
  const all = async () =>
    Promise.all(["/prompts", "/secret", "/secre", "/review x"].map((text) => runSlash(bob, text, false)))
  const before = await all()
  expect(before[0]?.lines).toEqual(["/open  Anybody", "1 prompt"])
  expect(before.map(({ send }) => send)).toEqual([undefined, undefined, undefined, undefined])
  rmSync(join(root, "secret.md"))
  rmSync(join(root, "review.md"))
  expect(await all()).toEqual(before)
})

test("a prompt is no part of what the model is sent before it is called", async () => {
  const { local, root } = await opened()
  await local.send("Hello")
  writeFileSync(join(root, "review.md"), "---\ndescription: Another one\n---\nLook.\n")
  await local.send("Hello")
  expect(JSON.stringify(local.exchanges.map(({ body }) => body))).not.toMatch(
    /Review a file|Another one|vault/,
  )
})

test("what is wrong with a prompt's file is a diagnostic of the next turn, for those who may see the file", async () => {
  const { local, root } = await opened()
  const about = async (as?: string) => {
    const { prompt } = await local.send("Hello there, what is new?", { isNew: true, ...(as && { as }) })
    return (
      prompt &&
      visible(prompt.plan).diagnostics.flatMap((one) =>
        "path" in one && one.path.startsWith(root) ? [`${one.code} ${one.path.slice(root.length)}`] : [],
      )
    )
  }
  expect(await about()).toEqual(["invisible-characters /open.md"])
  writeFileSync(join(root, "review.md"), "---\ntrust: evrybody\n---\nReview $1 for mistakes.\n")
  expect(await about()).toEqual(["invisible-characters /open.md", "unknown-trust /review.md"])
  expect(await about("bob")).toEqual(["invisible-characters /open.md"])
})
