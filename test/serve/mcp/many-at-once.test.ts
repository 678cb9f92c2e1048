// 1,000 calls of ten people at the same time over a real gateway: each gets its own answer.
import { expect, test } from "vitest"
import { openPageWorld } from "../page/page-world.ts"
import { requestOf } from "./mcp-caller.ts"

const PEOPLE = Array.from({ length: 10 }, (_, at) => `person${at}`)
const CALLS = 1_000

const FILES = {
  "incipit.yaml": `users: { ${PEOPLE.map((name) => `${name}: { trust: familiar }`).join(", ")} }\n`,
  ...Object.fromEntries(
    PEOPLE.map((name) => [`memory/social/${name}.md`, `Jonas gave ${name} a cable.\n`] as const),
  ),
}

test("1,000 calls at the same time each get their own answer", async () => {
  const { token, url } = await openPageWorld({ files: FILES })
  const tokens = await Promise.all(PEOPLE.map((name) => token(name)))
  const ask = async (at: number) => {
    const person = at % PEOPLE.length
    const kinds = [
      { name: "memory", arguments: { do: "get", path: `social/person${person}.md` } },
      { name: "trace", arguments: { id: `none-${at}` } },
      { name: "memory", arguments: { do: "get", path: `social/none-${at}.md` } },
    ]
    const { headers, body } = requestOf("tools/call", kinds[at % kinds.length], `call ${at}`)
    const authorization = `Bearer ${tokens[person]}`
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { ...headers, authorization },
      body: JSON.stringify(body),
    })
    const { id, result } = JSON.parse(await response.text())
    return { status: response.status, id, text: String(result.content[0].text) }
  }
  const answers = await Promise.all(Array.from({ length: CALLS }, (_, at) => ask(at)))
  for (const [at, { status, id, text }] of answers.entries()) {
    expect([status, id]).toEqual([200, `call ${at}`])
    expect(text).toContain(at % 3 === 0 ? `Jonas gave person${at % PEOPLE.length} a cable.` : `none-${at}`)
  }
})
