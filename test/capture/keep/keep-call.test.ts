// Calls that are kept in a record and read back: nothing is lost, nothing secret stays, and without text none is left.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { anyCalls, callOf, newFolder, openIn, readCalls } from "./captured-calls.ts"

test("every call that is kept is read back equal", async () => {
  await fc.assert(
    fc.asyncProperty(anyCalls, async (calls) => {
      const folder = newFolder()
      const { captures } = openIn({ folder })
      for (const call of calls) expect(await captures.keep(call)).toBe(true)
      await captures.close()
      expect(captures.recorder.health()).toMatchObject({ dropped: 0 })
      expect(await readCalls(folder)).toEqual(calls)
    }),
    { numRuns: 12 },
  )
})

test("a call that is found twice is kept once, also by another process", async () => {
  const folder = newFolder()
  const first = openIn({ folder }).captures
  expect(await first.keep(callOf({ id: "msg_1" }))).toBe(true)
  expect(await first.keep(callOf({ id: "msg_1", coverage: "none" }))).toBe(false)
  await first.close()
  const second = openIn({ folder }).captures
  expect(await second.keep(callOf({ id: "msg_1" }))).toBe(false)
  await second.close()
  expect(await readCalls(folder)).toHaveLength(1)
})

const KEY = "sk-ant-api03-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4"

test("keys are not stored: by form, by the value of a variable, and by what was learned", async () => {
  const { files, captures } = openIn({ variables: { MY_API_KEY: "plain-words-7431" } })
  captures.learn(["learned-value-99"])
  const said = `${KEY} and plain-words-7431 and learned-value-99`
  await captures.keep(
    callOf({
      id: "msg_1",
      request: { system: said, messages: [{ role: "user", content: said }] },
      files: [{ path: "a.md", text: said }],
      project: "/work/learned-value-99",
    }),
  )
  await captures.close()
  const bytes = bytesIn(files.folder)
  for (const secret of [KEY, "plain-words-7431", "learned-value-99"])
    expect(bytes.includes(secret)).toBe(false)
})

test("metadata only: no text is in the file", async () => {
  const { files, captures } = openIn({ metadataOnly: true })
  const words = ["zebra", "quokka", "narwhal", "axolotl", "pangolin", "ada.lovelace", "hunter2"]
  const [system, said, answer, schema, file] = words.map((word) => `${word} `.repeat(300))
  const request = (description: string) => ({
    model: "claude-sonnet-5-5",
    system: [{ type: "text", text: system ?? "", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "read", description, input_schema: { properties: { [schema ?? ""]: {} } } }],
    messages: [
      { role: "user", name: "ada.lovelace", content: said ?? "" },
      {
        role: "assistant",
        content: [{ type: "tool_use", name: "read", input: { [answer ?? ""]: 1, name: "hunter2" } }],
      },
    ],
  })
  await captures.keep(
    callOf({ id: "msg_1", request: request("before"), files: [{ path: "a.md", text: file ?? "" }] }),
  )
  await captures.keep(callOf({ id: "msg_2", request: request("now"), usage: NOTHING_READ }))
  await captures.close()
  const bytes = bytesIn(files.folder)
  for (const word of words) expect(bytes.includes(word)).toBe(false)
  const [call] = await readCalls(join(files.folder, ".."))
  expect(call).toMatchObject({ id: "msg_1", coverage: "none", usage: callOf({ id: "" }).usage })
  expect(call).not.toHaveProperty("request")
})

const NOTHING_READ = { uncached: 10, read: 0, write: { "5m": 2_500 }, output: 30 }

test("only the user can read captures", async () => {
  const { files, captures } = openIn()
  await captures.keep(callOf({ id: "msg_1" }))
  await captures.close()
  expect(statSync(files.folder).mode & 0o777).toBe(0o700)
  expect(statSync(files.record).mode & 0o777).toBe(0o600)
})

function bytesIn(folder: string): Buffer {
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
}
