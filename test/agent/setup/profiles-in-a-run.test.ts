// The layouts of other systems in a running agent: what they say of tools is true of those that the run has, what the
// agent keeps reaches the prompt, and what its tools change is what the prompt sends.
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { agentTools } from "../../../src/agent/setup/agent-tools.ts"
import { toolList } from "../../../src/profiles/pi/parts.ts"
import { whyNoBubblewrap } from "../../sandbox/sandbox-world.ts"
import { type StartedAgent, startAgent } from "../world/agent-world.ts"
import type { Asked } from "../world/reporting-server.ts"
import { call, isAside } from "../world/scripted-model.ts"
import type { Part } from "../world/servers/script.ts"

const WHY_NO_SANDBOX = await whyNoBubblewrap()

type Files = Readonly<Record<string, string>>

/** Makes the calls in its first steps, one after the other. */
async function agentOf(profile: string, files: Files, calls: readonly Part[] = []): Promise<StartedAgent> {
  let made = 0
  const answer = ({ body }: Asked): readonly Part[] => {
    if (isAside(body)) return [{ text: "Nothing new." }]
    made += 1
    const next = calls[made - 1]
    return next === undefined ? [{ text: "Yes." }] : [next]
  }
  const local = await startAgent({
    protocol: "anthropic",
    profile,
    files,
    answer,
    approve: async () => "yes",
  })
  onTestFinished(() => local.close())
  return local
}

/** The newest request: what the system prompt says, and the names of the tools beside it. */
function newest(local: StartedAgent) {
  const { system = [], tools = [] } = local.exchanges.filter(({ body }) => !isAside(body)).at(-1)?.body ?? {}
  return {
    text: [system]
      .flat()
      .map((block: { text: string } | string) => (typeof block === "string" ? block : block.text))
      .join(""),
    tools: tools.map(({ name }: { name: string }) => name) as readonly string[],
  }
}

function results(local: StartedAgent): string {
  const sent = local.exchanges.filter(({ body }) => !isAside(body)).at(-1)?.body.messages ?? []
  return JSON.stringify(sent)
}

const linesWith = (text: string, word: RegExp) => text.split("\n").filter((line) => word.test(line))
const fileOf = (local: StartedAgent, path: string) => readFileSync(join(local.folder, path), "utf8")

test("osa names the tools that the run has, and none that it lacks", async () => {
  const local = await agentOf("osa", {})
  await local.send("Please fix the deploy script")
  const { text, tools } = newest(local)
  expect(tools).toEqual(expect.arrayContaining(["read", "edit", "shell"]))
  expect(linesWith(text, /^- (Read|Change) files with/)).toEqual([
    "- Read files with read, not with cat.",
    "- Change files with edit, not with sed. Look at a file before you change it.",
  ])
  expect(text).not.toMatch(/file_read|file_edit/)
})

test("pi names the shell and the list of the run, and has a line for every tool", async () => {
  const local = await agentOf("pi", {})
  await local.send("Hello there, what is in this folder?")
  const { text, tools } = newest(local)
  expect(text).toContain("- Prefer grep/find/list tools over shell for file exploration")
  expect(text).not.toMatch(/\bbash\b/)
  for (const name of tools) expect(text).toMatch(new RegExp(`^- ${name}: (?!${name}$)`, "m"))
})

test("pi knows a line for every tool that an agent may have", () => {
  const lines = toolList(agentTools()).split("\n").slice(1)
  expect(lines.filter((line) => /^- (\w+): \1$/.test(line))).toEqual([])
  expect(lines).toHaveLength(agentTools().length)
})

test.skipIf(WHY_NO_SANDBOX !== undefined)("moltis speaks of the shell of the run", async () => {
  const local = await agentOf("moltis", { "incipit.yaml": "environment: { sandbox: { mode: all } }\n" })
  await local.send("Hello there, what is in this folder?")
  const { text } = newest(local)
  expect(text).toContain("Sandbox(shell): enabled=true | mode=all | backend=bubblewrap | scope=session")
  expect(text).toContain("- `shell` runs commands inside the sandbox")
  expect(text).toContain("- Use `shell` for shell commands")
  expect(text).not.toMatch(/\bexec\b/)
})

const OSA_FILES = {
  "workflows/evening.md":
    "# Evening round\n\n1. Trim the wick\n2. Wind the clockwork\n   - slowly\n3. Write the log\n",
  [`addendums/machine/${hostname().toLowerCase()}.md`]: "The disk of this machine is slow.\n",
  [`addendums/os/${process.platform === "darwin" ? "darwin" : process.platform}.md`]:
    "Use the system's own tar.\n",
  "priv/prompts/SYSTEM.md": "You are the keeper.\n\n{{RULES}}\n",
}

test("osa is told what the agent keeps: memory, workflow, tasks, how the person writes, addendums", async () => {
  const local = await agentOf("osa", OSA_FILES, [
    call("memory_write", { text: "The ferry to Sandby leaves at ten past six from the north pier." }),
    call("task_write", { title: "Oil the hinge", status: "working" }),
    call("instructions_write", { text: "Answer in Swedish." }),
  ])
  await local.agent.kept().workflows.start("evening")
  await local.agent.kept().workflows.advance()
  const long =
    "please tell me again from which pier the ferry to Sandby leaves and at what time in the morning"
  for (let turn = 0; turn < 6; turn += 1) await local.send(`${long}, number ${turn}`)
  const { text } = newest(local)
  expect(text).toMatch(
    /^You are the keeper\.\n\n# Active Rules\n\n## Rule: instructions\nAnswer in Swedish\./,
  )
  expect(text).toMatch(
    /## Long-term Memory\nRecalled for this message: .*\n\n[\s\S]*ten past six from the north pier/,
  )
  expect(text).toContain(
    "## Active Workflow\nEvening round\n[x] Trim the wick\n[>] Wind the clockwork  [in_progress]\n",
  )
  expect(text).toContain("[ ] Write the log")
  expect(text).toContain("[>] 1: Oil the hinge  [in_progress]")
  expect(text).toContain("- Average message length: medium")
  expect(text).toContain("The disk of this machine is slow.")
  expect(text).toContain("Use the system's own tar.")
})

const NOVA_FILES = {
  "agents/nova/agent.json": `${JSON.stringify(
    {
      name: "Nova",
      identity: "You are Nova.",
      instructions: "Be brief.",
      responsibilities: [
        { title: "Product onboarding", content: "Help new people." },
        { title: "Reports", content: "Every Friday." },
      ],
      capabilities: { memory: true },
    },
    undefined,
    4,
  )}\n`,
  "memories.json": '["Ada lives in Oslo."]\n',
}

test("nova's tools change what nova is sent: instructions, responsibilities, memories", async () => {
  const local = await agentOf("nova", NOVA_FILES, [
    call("instructions_write", { text: "Be thorough.\n" }),
    call("responsibility_remove", { title: "Product onboarding" }),
    call("memory_write", { text: "Ada prefers tea." }),
  ])
  await local.send("Please change yourself as we discussed.")
  const said = results(local)
  expect(said).toContain("agents/nova/agent.json#instructions")
  expect(said).toContain("Removed the responsibility")
  expect(said).toContain("written to memories.json:3")
  expect(JSON.parse(fileOf(local, "agents/nova/agent.json"))).toMatchObject({
    identity: "You are Nova.",
    instructions: "Be thorough.",
    responsibilities: [{ title: "Reports" }],
  })
  expect(fileOf(local, "agents/nova/agent.json")).toContain('\n    "identity"')
  expect(JSON.parse(fileOf(local, "memories.json"))).toEqual(["Ada lives in Oslo.", "Ada prefers tea."])
  await local.send("What do you know now?", { isNew: true })
  const { text } = newest(local)
  expect(text).toContain("<Instructions>\nBe thorough.\n</Instructions>")
  expect(text).not.toContain("Product onboarding")
  expect(text).toContain("- Ada prefers tea.")
})

test("nova says what is in the way of instructions that would not be sent", async () => {
  const files = { "agents/nova/agent.json": '{ "role": "Helper." }' }
  const local = await agentOf("nova", files, [call("instructions_write", { text: "Be thorough." })])
  await local.send("Please change yourself as we discussed.")
  expect(results(local)).toContain("agent.json has no identity")
  expect(fileOf(local, "agents/nova/agent.json")).toBe('{ "role": "Helper." }')
})

test("somebody else's fact does not become one of the user's", async () => {
  const files = { ...NOVA_FILES, "incipit.yaml": "users: { bob: { trust: inner } }\n" }
  const local = await agentOf("nova", files, [call("memory_write", { text: "Ada prefers coffee." })])
  await local.send("Remember that she prefers coffee.", { as: "bob" })
  expect(fileOf(local, "memories.json")).toBe(NOVA_FILES["memories.json"])
  expect(results(local)).toMatch(/written to shared\//)
})

test.each([
  ["coop", "AGENTS.md"],
  ["pi", ".pi/APPEND_SYSTEM.md"],
])("what instructions_write wrote is in %s's next prompt", async (profile, path) => {
  const local = await agentOf(profile, { "SOUL.md": "Calm.\n" }, [
    call("instructions_write", { text: "Answer in Swedish." }),
  ])
  await local.send("Please answer in Swedish from now on.")
  expect(fileOf(local, path)).toBe("Answer in Swedish.\n")
  await local.send("And now?", { isNew: true })
  expect(newest(local).text).toContain("Answer in Swedish.")
})

test("moltis keeps them in its own folder", async () => {
  const local = await agentOf("moltis", {}, [call("instructions_write", { text: "Answer in Swedish." })])
  await local.send("Please answer in Swedish from now on.")
  await local.send("And now?", { isNew: true })
  expect(newest(local).text).toContain("### AGENTS.md (workspace)\n\nAnswer in Swedish.")
})

test.each([
  ["incipit", []],
  ["osa", ["responsibility_remove"]],
  ["coop", ["responsibility_remove", "workflow_advance"]],
  ["moltis", ["responsibility_remove", "workflow_advance"]],
  ["pi", ["responsibility_remove", "workflow_advance"]],
  ["nova", ["workflow_advance"]],
])("%s lacks the tools for what its prompt has no place for", async (profile, missing) => {
  const local = await agentOf(profile, { "SOUL.md": "Calm.\n" })
  await local.send("Hello there, what is in this folder?")
  const { tools } = newest(local)
  expect(
    agentTools()
      .map(({ name }) => name)
      .filter((name) => !tools.includes(name)),
  ).toEqual(missing)
})
