// Whatever is sent to the MCP server, over HTTP and over stdio, it answers or refuses in the form of the protocol, and
// answers what comes next. `npm run soak` sends much more.
import fc from "fast-check"
import { expect, test } from "vitest"
import { INITIALIZE, openStdio } from "../cli/mcp/stdio-client.ts"
import { noteFigures } from "../figures.ts"
import { requestOf } from "../serve/mcp/mcp-caller.ts"
import { type Asked, asked, faultIn, garbage } from "../serve/mcp/random-requests.ts"
import { CONFIG, openPageWorld } from "../serve/page/page-world.ts"

const RUNS = Number(process.env.FUZZ_RUNS ?? 60)

const FILES = {
  "incipit.yaml": `${CONFIG}serve: { limits: { requests: 1000000000 } }\n`,
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "MEMORY.md": "The key is under the third stone.\n",
  "memory/social/cable.md": "Jonas replaced the winch cable on Thursday.\n",
  "memory/private/ring.md": "The white ring is at the jeweller's.\n",
  "skills/knots/SKILL.md": "---\nname: knots\ndescription: Ties knots.\n---\nTie a bowline.\n",
}

/** A person without an answer would wait for as long as the test may take. */
const headers = fc.record(
  {
    accept: fc.constantFrom("application/json, text/event-stream", "*/*", "text/html", ""),
    "content-type": fc.constantFrom(
      "application/json",
      "application/json; charset=utf-16",
      "text/plain",
      "x",
    ),
    "mcp-protocol-version": fc.constantFrom("2026-07-28", "2025-11-25", "2025-03-26", "2024-11-05", "1", ""),
    "mcp-method": fc.constantFrom("tools/call", "ping", "subscriptions/list", ""),
    "mcp-name": fc.constantFrom("memory", "=?base64?AAAA?=", "x".repeat(1_000)),
    "mcp-session-id": fc.constantFrom("1", "__proto__"),
    "last-event-id": fc.constantFrom("1", "x"),
  },
  { requiredKeys: [] },
)

async function openHttp() {
  const { as, token, url, operator } = await openPageWorld({ files: FILES })
  await (await as("ada")).say("when is high water?")
  await operator.say("where is the ring?")
  const tokens = [await token("ada"), await token(undefined, "dm", ["talk", "read", "operate"])]
  const post = async (who: number, body: string | Uint8Array, given: Record<string, string>) => {
    const authorization = `Bearer ${tokens[who]}`
    const init = { method: "POST", body: Buffer.from(body), headers: { authorization, ...given } }
    const response = await fetch(`${url}/mcp`, init)
    return { status: response.status, answers: answersIn(response, await response.text()) }
  }
  return { post }
}

/** Of one JSON text, or of the events of a stream. */
function answersIn(response: Response, text: string): readonly unknown[] {
  if (text === "") return []
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return [JSON.parse(text)].flat()
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data))
}

const WHO = fc.nat(1)

test("requests over HTTP, in both protocols", async (context) => {
  const { post } = await openHttp()
  const modern = (who: number, { method, params }: Asked) => {
    const fields = typeof params === "object" && params !== null ? params : {}
    const { headers: given, body } = requestOf(method, fields as Record<string, unknown>)
    const plain = Object.entries(given).map(([name, value]) => [name, headerText(value)])
    return post(who, JSON.stringify(body), Object.fromEntries(plain))
  }
  const old = (who: number, { method, params }: Asked) =>
    post(who, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), {
      accept: "application/json, text/event-stream",
      ...{ "content-type": "application/json", "mcp-protocol-version": "2025-11-25" },
    })
  await fc.assert(
    fc.asyncProperty(WHO, asked, async (who, one) => {
      for (const ask of [modern, old]) {
        const { status, answers } = await ask(who, one)
        expect(status, JSON.stringify(answers)).toBeLessThan(500)
        expect(answers).toHaveLength(1)
        expect(faultIn(answers[0], one)).toBe(undefined)
      }
    }),
    { numRuns: RUNS, endOnFailure: false },
  )
  noteFigures(context, { requests: 2 * RUNS })
})

/** Beyond ASCII, the protocol has it encoded. */
function headerText(value: string): string {
  if (/^[\x21-\x7e]+$/.test(value) && value.length < 2_000) return value
  return `=?base64?${Buffer.from(value.slice(0, 1_000)).toString("base64")}?=`
}

test("bodies and headers of any kind over HTTP", async () => {
  const { post } = await openHttp()
  await fc.assert(
    fc.asyncProperty(WHO, garbage, headers, async (who, body, given) => {
      const { status, answers } = await post(who, body, given)
      expect(status, JSON.stringify(answers)).toBeLessThan(500)
      for (const answer of answers)
        expect(faultIn(answer, { method: "", params: body.toString() })).toBe(undefined)
    }),
    { numRuns: RUNS, endOnFailure: false },
  )
})

test("lines of any kind over stdio", async () => {
  const ROUND = 50
  const requests = fc.array(fc.oneof(asked, garbage), { minLength: ROUND, maxLength: ROUND })
  await fc.assert(
    fc.asyncProperty(requests, fc.boolean(), async (lines, isOwner) => {
      const client = openStdio({ files: FILES, args: isOwner ? [] : ["--as", "ada"] })
      await client.request("initialize", INITIALIZE)
      const sent = new Map<string, Asked>()
      for (const [at, line] of lines.entries()) {
        if (typeof line === "string" || line instanceof Uint8Array) {
          client.raw(line)
          client.raw("\n")
        } else {
          const id = `line ${at}`
          if (typeof line.params === "object" && line.params !== null) sent.set(id, line)
          client.send({ jsonrpc: "2.0", id, ...line })
        }
      }
      expect((await client.call("memory", { do: "search", query: "winch" })).result.isError).toBeUndefined()
      const code = await client.end()
      for (const [id, one] of sent) expect(faultIn(await client.answer(id), one)).toBe(undefined)
      for (const answer of client.answers)
        if (!sent.has(answer.id)) expect(faultIn(answer, { method: "", params: lines })).toBe(undefined)
      expect([code, client.stderr()]).toEqual([0, expect.not.stringContaining("    at ")])
    }),
    { numRuns: Math.ceil(RUNS / ROUND), endOnFailure: true },
  )
})
