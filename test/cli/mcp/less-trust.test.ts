// `incipit mcp --as`: what a person may see is what they may see now, and no refusal says where the folder is.
import { readdirSync, rmSync } from "node:fs"
import { expect, test } from "vitest"
import { type Answer, INITIALIZE, openStdio } from "./stdio-client.ts"

const config = (trust: string) => `users: { bo: { trust: ${trust} } }\n`

const FILES = {
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "memory/social/cable.md": "Jonas replaced the winch cable on Thursday.\n",
  "memory/private/ring.md": "The white ring is at the jeweller's.\n",
}

test("trust that is taken away holds for the next request", async () => {
  const client = openStdio({ files: { ...FILES, "incipit.yaml": config("full") }, args: ["--as", "bo"] })
  await client.request("initialize", INITIALIZE)
  const found = async () => (await client.call("memory", { do: "search", query: "ring cable" })).result
  expect((await found()).structuredContent.hits).toHaveLength(2)
  client.write("incipit.yaml", config("familiar"))
  const after = await found()
  expect(after.structuredContent.hits).toMatchObject([{ path: "social/cable.md" }])
  expect(JSON.stringify(after)).not.toContain("jeweller")
  expect((await client.call("bill")).result).toMatchObject({ isError: true })
  client.write("incipit.yaml", "users: { ada: { trust: familiar } }\n")
  expect((await found()).isError).toBe(true)
})

test("no refusal says where the folder is", async () => {
  const client = openStdio({ files: { "incipit.yaml": config("familiar") }, args: ["--as", "bo"] })
  await client.request("initialize", INITIALIZE)
  const empty = await client.call("memory", { do: "search", query: "ring" })
  expect(empty.result.structuredContent).toMatchObject({ status: "empty", hits: [] })
  expect(readdirSync(client.folder)).toEqual(["incipit.yaml"])
  const everything = async (): Promise<Answer[]> => [
    await client.call("memory", { do: "get", path: "ring.md" }),
    await client.call("logs"),
    await client.call("trace"),
    await client.call("compile", { user: "nobody" }),
    await client.request("resources/read", { uri: "incipit://files/SOUL.md" }),
    await client.request("prompts/get", { name: "knots" }),
  ]
  const before = await everything()
  rmSync(client.folder, { recursive: true })
  const after = [...(await everything()), await client.request("resources/list")]
  for (const answer of [...before, ...after]) {
    expect(answer.error !== undefined || answer.result.isError, JSON.stringify(answer)).toBe(true)
    expect(JSON.stringify(answer)).not.toContain(client.folder)
  }
})
