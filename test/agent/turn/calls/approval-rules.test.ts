// Rules under `approve:`: what runs without a question, what is asked about and what never runs, and who may say so.
import { join } from "node:path"
import { expect, test } from "vitest"
import type { ApprovalRequest } from "../../../../src/tools/host.ts"
import {
  approveServers,
  call,
  collect,
  inRecord,
  open,
  say,
  server,
  tool,
  workspace,
} from "../../world/agent-world.ts"

const RULES = `approve:
  allow: [echo *, "true", { edit: notes/** }, { tool: look }]
  ask: [echo publish *]
  deny: [rm *, { edit: notes/secret/** }]
`
const CONFIG = `profile: incipit\nfeeds: { communication: off, bulletin: off }\nenvironment: { host: off }\n`

interface Told {
  readonly answer?: "yes" | "always"
  readonly isApproved?: boolean
  readonly without?: readonly "approve"[]
}

/** Runs the commands in one turn each; returns who was asked about what, and the results. */
async function run(
  calls: readonly (readonly [name: string, input: unknown])[],
  { answer = "yes", isApproved = true, without = [] }: Told = {},
) {
  const root = workspace({ "incipit.yaml": CONFIG + RULES })
  const home = join(root, "no-home")
  if (isApproved) approveServers(root, home)
  const asked: ApprovalRequest[] = []
  const approve = async (request: ApprovalRequest) => {
    asked.push(request)
    return answer
  }
  const look = tool("look", async () => "It is calm.", { approve: true })
  const from = await server([...calls.map((one) => call(one)), say("Done.")])
  const { agent } = await open(root, from, {
    home,
    tools: [look],
    without,
    ...(without.length === 0 && { approve }),
  })
  const { events, tell } = collect()
  await agent.send("Do it.", { tell })
  await agent.close()
  const rows = inRecord(root, (record) =>
    record.all("SELECT metadata FROM events WHERE event_type LIKE 'tool_%' ORDER BY id"),
  )
  const rules = rows.map(({ metadata }) => JSON.parse(String(metadata)).rules)
  const results = events.flatMap((event) => (event.kind === "tool-finished" ? [event.text.trim()] : []))
  return { asked: asked.map(subject), rules, results }
}

function subject(request: ApprovalRequest): string {
  const what =
    request.kind === "shell" ? request.command : request.kind === "edit" ? request.path : request.kind
  return request.rule === undefined ? what : `${what} (${request.rule})`
}

const shell = (command: string) => ["shell", { command }] as const

test("what is allowed runs without a question and is recorded with its rule; everything else is asked about", async () => {
  const { asked, rules } = await run([
    shell("echo hello"),
    shell("echo hello; true"),
    ["write", { path: "notes/a.md", text: "A.\n" }],
    ["write", { path: "other.md", text: "A.\n" }],
    ["write", { path: "SOUL.md", text: "A.\n" }],
    ["look", {}],
  ])
  expect(asked).toEqual(["echo hello; true", "other.md", "instructions"])
  expect(rules).toEqual([
    ["allow: echo *"],
    undefined,
    ["allow: edit: notes/**"],
    undefined,
    undefined,
    ["allow: tool: look"],
  ])
})

test("deny wins over allow and needs no question, and ask wins over allow", async () => {
  const { asked, rules, results } = await run([
    shell("rm -rf x"),
    shell("true && rm -rf x"),
    ["write", { path: "notes/secret/a.md", text: "A.\n" }],
    shell("echo publish it"),
  ])
  expect(asked).toEqual(["echo publish it (echo publish *)"])
  expect(rules).toEqual([
    ["deny: rm *"],
    ["deny: rm *"],
    ["deny: edit: notes/secret/**"],
    ["ask: echo publish *"],
  ])
  expect(results[0]).toBe('Not run: it is denied here.\nThe rule is "rm *" in approve.deny.')
})

test("a folder may deny and ask, but allows nothing until it is approved", async () => {
  const { asked, rules } = await run([shell("echo hello"), shell("rm x"), shell("echo publish it")], {
    isApproved: false,
  })
  expect(asked).toEqual(["echo hello", "echo publish it (echo publish *)"])
  expect(rules).toEqual([undefined, ["deny: rm *"], ["ask: echo publish *"]])
})

test("a yes to all commands covers neither those of a rule nor those that hide what they run", async () => {
  const { asked } = await run(
    [
      shell("pwd"),
      shell("pwd -P"),
      shell("echo publish it"),
      shell("echo publish it"),
      shell("pwd $X"),
      shell("pwd"),
    ],
    { answer: "always" },
  )
  expect(asked).toEqual([
    "pwd",
    "echo publish it (echo publish *)",
    "echo publish it (echo publish *)",
    "pwd $X",
  ])
})

test("where nobody can be asked, what is allowed runs and nothing else does", async () => {
  const { rules, results } = await run([shell("echo hello"), shell("pwd"), ["look", {}]], {
    without: ["approve"],
  })
  expect(rules).toEqual([["allow: echo *"], undefined, ["allow: tool: look"]])
  expect(results).toEqual(["exit code 0\nhello", "The command was not approved.", "It is calm."])
})
