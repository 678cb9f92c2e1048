// A provider that refuses a conversation for one message and says which: that message is left out and the rest sent again,
// so that the session goes on. What cannot be left out is named.
import { expect, test } from "vitest"
import { collect, open, tool, transcript, workspace } from "../world/agent-world.ts"
import { type AskedOf, allServers } from "../world/all-providers.ts"
import { MODELS, PROTOCOL_NAMES } from "../world/ask-model.ts"
import type { Json } from "../world/servers/refusals.ts"
import type { Part, Script } from "../world/servers/script.ts"

/** How each provider names a place in what it was sent. */
function placeOf({ protocol, body }: AskedOf, isBad: (entry: string) => boolean): string | undefined {
  const entries: Json[] = body.messages ?? body.input ?? body.contents
  const entry = entries.findIndex((one) => isBad(JSON.stringify(one)))
  if (entry === -1) return undefined
  const parts: Json[] = entries[entry].content ?? entries[entry].parts ?? []
  const part = Array.isArray(parts) ? parts.findIndex((one) => isBad(JSON.stringify(one))) : -1
  switch (protocol) {
    case "anthropic":
    case "bedrock":
      return `messages.${entry}.content.${part}.text: this is not taken`
    case "google":
      return `GenerateContentRequest.contents[${entry}].parts[${part}]: this is not taken`
    case "openai-responses":
      return `Invalid 'input[${entry}].output': this is not taken`
    case "openai-chat":
      return `Invalid 'messages[${entry}].content': this is not taken`
  }
}

function refusing(message: string): Script {
  const error = { type: "invalid_request_error", code: 400, message, status: "INVALID_ARGUMENT", param: null }
  return { kind: "error", status: 400, body: { type: "error", message, error } }
}

/** Takes nothing that says POISON. The scripts are for what it takes. */
async function strict(
  scripts: readonly (readonly Part[])[],
  isBad = (entry: string) => /POISON/.test(entry),
) {
  const places: string[] = []
  let at = 0
  const servers = await allServers((asked) => {
    const place = placeOf(asked, isBad)
    if (place !== undefined) {
      places.push(place)
      return refusing(place)
    }
    at += 1
    return scripts[Math.min(at, scripts.length) - 1] ?? []
  })
  return { servers, places }
}

const call = (name: string): Part => ({ call: { name, input: {} } })
const poison = tool("poison", async () => "POISON")
const fine = tool("fine", async () => "fine")

test.each(PROTOCOL_NAMES)(
  "%s: of a result that is refused only the text goes, and its turn goes on",
  async (protocol) => {
    const root = workspace()
    const { servers, places } = await strict([
      [{ text: "Hello." }],
      [call("fine"), call("poison")],
      [{ text: "Done." }],
    ])
    const { agent } = await open(root, servers, { model: MODELS[protocol], tools: [poison, fine] })
    const { session } = await agent.send("Hi.")
    const { events, tell } = collect()
    expect(await agent.send("Look.", { tell })).toMatchObject({ state: "answered", text: "Done." })
    expect(places).toHaveLength(1)
    const lines = transcript(root, session)
    expect(lines).toContain("error: The provider refused this result, so it is left out.")
    expect(lines.slice(0, 5)).toEqual([
      "user: Hi.",
      "assistant: Hello.",
      "user: Look.",
      "calls fine {}",
      "calls poison {}",
    ])
    // Where the provider says which part it is, the other results stay.
    if (["anthropic", "google", "bedrock"].includes(protocol)) expect(lines).toContain("result: fine")
    const findings = events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : []))
    expect(findings).toContainEqual(
      expect.stringMatching(
        /^The provider refused a tool's result of .* It is left out, and the rest was sent again\.$/,
      ),
    )
  },
)

test.each(PROTOCOL_NAMES)("%s: an old message is left out, whoever said it", async (protocol) => {
  const root = workspace()
  let isStrict = false
  const { servers, places } = await strict(
    [
      [{ text: "One." }],
      [call("fine")],
      [{ text: "POISON, I said." }],
      [{ text: "Three." }],
      [{ text: "Four." }],
    ],
    (entry) => isStrict && /POISON/.test(entry),
  )
  const { agent } = await open(root, servers, { model: MODELS[protocol], tools: [fine] })
  const { session } = await agent.send("POISON, please.")
  await agent.send("Second.")
  isStrict = true
  expect(await agent.send("Third.")).toMatchObject({ state: "answered", text: "Three." })
  expect(places).toHaveLength(2)
  expect(await agent.send("Fourth.")).toMatchObject({ state: "answered", text: "Four." })
  expect(places).toHaveLength(2)
  const note = "The provider refused this message, so it is left out."
  expect(transcript(root, session)).toEqual([
    ...[`user: ${note}`, "assistant: One.", "user: Second.", "calls fine {}", "result: fine"],
    ...[`assistant: ${note}`, "user: Third.", "assistant: Three.", "user: Fourth.", "assistant: Four."],
  ])
})

test("a call that is refused goes with its result", async () => {
  const root = workspace()
  let isStrict = false
  const { servers } = await strict(
    [[call("fine")], [{ text: "One." }], [{ text: "Two." }]],
    (entry) => isStrict && /"tool_use"/.test(entry),
  )
  const { agent } = await open(root, servers, { model: MODELS.anthropic, tools: [fine] })
  const { session } = await agent.send("First.")
  isStrict = true
  expect(await agent.send("Second.")).toMatchObject({ state: "answered", text: "Two." })
  const note = "The provider refused this message, so it is left out."
  expect(transcript(root, session).slice(0, 4)).toEqual([
    "user: First.",
    `assistant: ${note}`,
    `user: ${note}`,
    "assistant: One.",
  ])
  expect(servers.refusals()).toEqual([])
})

test("the message that the turn is about is named as the reason, and the session continues", async () => {
  const root = workspace()
  const { servers, places } = await strict([[{ text: "Hello." }], [{ text: "Yes." }]])
  const { agent } = await open(root, servers, { model: MODELS.anthropic })
  await agent.send("Hi.")
  const { state, text } = await agent.send("POISON.")
  expect(state).toBe("failed")
  expect(text).toMatch(
    /^This message cannot be answered: the provider refused this message \(400: messages\.\d\.content\.\d\.text/,
  )
  expect(places).toHaveLength(1)
  expect(await agent.send("Still there?")).toMatchObject({ state: "answered", text: "Yes." })
})

test("a provider that refuses whatever it is sent is not asked for ever", async () => {
  const root = workspace()
  let isStrict = false
  const { servers, places } = await strict(
    [[call("fine")], [{ text: "One." }]],
    (entry) => isStrict && /assistant|tool_result/.test(entry),
  )
  const { agent } = await open(root, servers, { model: MODELS.anthropic, tools: [fine] })
  await agent.send("First.")
  isStrict = true
  expect(await agent.send("Second.")).toMatchObject({ state: "failed" })
  expect(places.length).toBeLessThan(6)
})
