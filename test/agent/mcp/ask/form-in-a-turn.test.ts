// A server's form in a turn of a real agent: what the person types reaches the server, and neither the model nor the record.
// Where nobody can answer, it is declined, and that is said.
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { AgentOptions } from "../../../../src/agent/setup/agent.ts"
import { queryEvents } from "../../../../src/record/ask/logs.ts"
import type { ApprovalRequest } from "../../../../src/tools/host.ts"
import { startAgent } from "../../world/agent-world.ts"
import { call } from "../../world/scripted-model.ts"

const TYPED = "Ada-of-the-eastern-skerries"

async function turn(tool: string, options: Pick<AgentOptions, "approve" | "fill">) {
  const [command, server] = [process.execPath, resolve("test/agent/mcp/ask/filing-server.ts")].map((text) =>
    JSON.stringify(text),
  )
  const local = await startAgent({
    protocol: "anthropic",
    files: {
      "incipit.yaml": `profile: incipit\nmcp: { desk: { command: ${command}, args: [${server}, filed.txt], tools: { "*": allow } } }\n`,
    },
    answer: ({ calls }) => (calls === 1 ? [call(tool, {})] : [{ text: "Done." }]),
    ...options,
  })
  onTestFinished(() => local.close())
  expect((await local.send("Book it.")).text).toBe("Done.")
  const sent = JSON.stringify(local.exchanges.map(({ body }) => body))
  const filed = () => readFileSync(join(local.folder, "filed.txt"), "utf8")
  // What is still in memory is written first.
  const events = await local.agent.record.read((store) => queryEvents(store, {}))
  const state = join(local.folder, ".incipit")
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const kept = files.map((one) => readFileSync(join(one.parentPath, one.name), "latin1")).join("\n")
  return { local, sent, filed, kept: `${kept}${JSON.stringify(events)}` }
}

test("what a person types goes to the server and nowhere else", async () => {
  const asked: string[] = []
  const { local, sent, filed, kept } = await turn("file", {
    async fill(form, { session }) {
      asked.push(`${form.server} ${form.fields.map(({ name }) => name).join()} ${session !== ""}`)
      return { action: "accept", content: { name: TYPED } }
    },
  })
  expect([asked, filed()]).toEqual([["desk name true"], JSON.stringify({ name: TYPED })])
  expect(sent).toContain("filed, thank you")
  expect(kept).toContain("Book it.")
  expect([sent, JSON.stringify(local.events), kept].map((text) => text.includes(TYPED))).toEqual([
    false,
    false,
    false,
  ])
  const kinds = local.events.flatMap((event) =>
    event.kind === "approval-requested" || event.kind === "approval-finished" ? [event] : [],
  )
  expect(kinds).toMatchObject([
    { kind: "approval-requested", request: { kind: "question", server: "desk", text: "For the file." } },
    { kind: "approval-finished", answer: "yes" },
  ])
})

test("a form is declined where nobody can fill it in, and the person is told", async () => {
  const { local, filed } = await turn("file", {})
  expect(filed()).toBe("decline")
  const told = local.events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : []))
  expect(told).toContain(
    "The MCP server desk asked something that nobody can answer here, so it was declined: For the file.",
  )
})

test("a page is asked like an approval, and a no is a no", async () => {
  const requests: ApprovalRequest[] = []
  const { filed } = await turn("pay", {
    async approve(request) {
      requests.push(request)
      return "no"
    },
  })
  expect(requests).toEqual([
    { kind: "question", server: "desk", text: "To pay.", page: "https://pay.example.org/1" },
  ])
  expect(filed()).toBe("decline")
})
