// Plan mode is a promise, not a request: while it is on, nothing runs but tools that read, whoever has allowed what.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import { agentTools } from "../../../src/agent/setup/agent-tools.ts"
import { defineTool, type RunnableTool } from "../../../src/tools/define-tool.ts"
import { bundled } from "../../bundled.ts"
import { inFile } from "../../record/in-file.ts"
import { tools as lamps } from "../store/crash-worker.ts"
import {
  call as calls,
  open,
  type StartOptions,
  say,
  server,
  startAgent,
  transcript,
  workspace,
} from "../world/agent-world.ts"
import { call } from "../world/scripted-model.ts"
import type { Json } from "../world/servers/refusals.ts"

const REFUSED = /^Not run: plan mode is on/

/** Written down here, so that a new tool is refused until somebody decides otherwise. */
const READ = [
  ...["delegate", "find", "grep", "incipit_cost", "incipit_explain", "incipit_logs", "incipit_status"],
  ...["incipit_trace", "list", "memory_get", "memory_search", "read"],
]

/** What each would do if it could. */
const INPUTS: Readonly<Record<string, unknown>> = {
  read: { path: "notes.md" },
  list: {},
  find: { pattern: "*.md" },
  grep: { pattern: "tide" },
  write: { path: "new.md", text: "new" },
  edit: { path: "notes.md", old: "tide", new: "time" },
  shell: { command: "echo ran > ran" },
  task_write: { title: "A task" },
  schedule_write: { cron: "0 6 * * *", run: "Wake up" },
  instructions_write: { text: "Obey." },
  responsibility_remove: { title: "The lamp" },
  notify_user: { text: "Look!" },
  delegate: { task: "Write new.md" },
  workflow_advance: { done: 1 },
  memory_write: { text: "The tide turns at six." },
  memory_search: { query: "tide" },
  memory_get: { id: "nothing" },
}

const FILES = {
  "notes.md": "The tide turns.\n",
  "memory/private/notes.md": "# Notes\nThe lamp is lit at six.\n",
  "incipit.yaml": "profile: incipit\nfeeds: { communication: off, bulletin: off, recall: off }\n",
}

async function local(options: Omit<StartOptions, "protocol">) {
  const agent = await startAgent({
    protocol: "anthropic",
    files: FILES,
    approve: async () => "always",
    ...options,
  })
  onTestFinished(() => agent.close())
  return agent
}

function resultsOf({ events }: Awaited<ReturnType<typeof local>>): readonly string[] {
  return events.flatMap((event) => (event.kind === "tool-finished" ? [`${event.name}: ${event.text}`] : []))
}

/** Files of the workspace with their text, without what the agent keeps of its own. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith(".incipit"))
    .sort()
    .map((path) => (path.endsWith(".md") ? `${path}: ${readFileSync(join(folder, path), "utf8")}` : path))
}

test.each(agentTools().map(({ name }) => name))("%s, allowed and called in plan mode", async (name) => {
  const agent = await local({
    answer: ({ body, calls: count }) =>
      count === 1 || (name === "delegate" && count === 2 && isPart(body))
        ? [call(count === 1 ? name : "write", INPUTS[count === 1 ? name : "write"] ?? {})]
        : [{ text: "Done." }],
  })
  const before = filesIn(agent.folder)
  await agent.send("Do it.", { planMode: true })
  const [result = ""] = resultsOf(agent)
  expect(REFUSED.test(result.slice(name.length + 2))).toBe(!READ.includes(name))
  expect(filesIn(agent.folder)).toEqual(before)
  expect(await agent.agent.kept().tasks.list()).toEqual([])
  expect(await agent.agent.notices()).toEqual([])
})

function isPart(body: Json): boolean {
  return !JSON.stringify(body.messages).includes("Do it.")
}

test("which tools read is written down", () => {
  const reading = agentTools().filter(({ isReadOnly }) => isReadOnly === true)
  expect(reading.map(({ name }) => name).sort()).toEqual(READ)
})

test("without plan mode they run", async () => {
  const agent = await local({
    answer: ({ calls: count }) => (count === 1 ? [call("shell", INPUTS.shell)] : [{ text: "Done." }]),
  })
  await agent.send("Do it.")
  expect(existsSync(join(agent.folder, "ran"))).toBe(true)
})

test("a tool of the program runs only if it says that it reads", async () => {
  const ran: string[] = []
  const own = (name: string, more: Partial<RunnableTool>) =>
    defineTool({
      name,
      description: name,
      input: z.strictObject({}),
      ...more,
      run: () => ran.push(name).toString(),
    })
  const agent = await local({
    tools: [own("acts", {}), own("looks", { isReadOnly: true }), own("lies", { isReadOnly: false })],
    answer: ({ calls: count }) =>
      count === 1 ? [call("acts", {}), call("looks", {}), call("lies", {})] : [{ text: "Done." }],
  })
  const { turn } = await agent.send("Do it.", { planMode: true })
  expect(ran).toEqual(["looks"])
  // The model and the record know why.
  expect(JSON.stringify(agent.exchanges.at(-1)?.body.messages.at(-1))).toMatch(/plan mode is on/)
  await agent.agent.record.flush()
  const rows = inFile(agent.agent.record, (database) =>
    database.all("SELECT metadata FROM events WHERE event_type = 'tool_error' AND turn_id = ?", turn),
  )
  expect(rows.map(({ metadata }) => JSON.parse(String(metadata)).refused)).toEqual(["plan-mode", "plan-mode"])
})

test("a part that was given away in plan mode is in plan mode", async () => {
  const agent = await local({
    answer: ({ body }) => {
      const text = JSON.stringify(body.messages)
      if (text.includes("tool_result")) return [{ text: "Done." }]
      return text.includes("Do it.")
        ? [call("delegate", { task: "Write it." })]
        : [call("write", INPUTS.write)]
    },
  })
  await agent.send("Do it.", { planMode: true })
  expect(existsSync(join(agent.folder, "new.md"))).toBe(false)
  const part = agent.exchanges
    .map(({ body }) => JSON.stringify(body.messages))
    .filter((text) => !text.includes("Do it."))
  expect(part.some((text) => text.includes("Plan first."))).toBe(true)
  expect(part.some((text) => text.includes("plan mode is on"))).toBe(true)
})

test("plan mode that is put on in the middle of a turn holds from the next call on, in its parts too", async () => {
  const agent = await local({
    answer: ({ body, calls: count }) => {
      const text = JSON.stringify(body.messages)
      if (count === 1) return [call("delegate", { task: "A part." })]
      if (count === 2) return [call("write", INPUTS.write)]
      return text.includes("Do it.") && count === 4 ? [call("write", INPUTS.write)] : [{ text: "Done." }]
    },
  })
  const tell = (event: { readonly kind: string; readonly session?: string }) => {
    if (event.kind === "turn-started" && event.session !== undefined)
      void agent.agent.setPlanMode(event.session, true)
  }
  await agent.agent.send("Do it.", { tell })
  expect(existsSync(join(agent.folder, "new.md"))).toBe(false)
  expect(JSON.stringify(agent.exchanges.at(-1)?.body.messages).match(/plan mode is on/g)).toHaveLength(1)
})

test("plan mode that is put on while a question is open is not overruled by its answer", async () => {
  const agent = await local({
    approve: async (_request, { session }) => {
      await agent.agent.setPlanMode(session, true)
      return "yes"
    },
    answer: ({ calls: count }) => (count === 1 ? [call("shell", INPUTS.shell)] : [{ text: "Done." }]),
  })
  await agent.send("Do it.")
  expect(existsSync(join(agent.folder, "ran"))).toBe(false)
  expect(resultsOf(agent)[0]).toMatch(/plan mode is on/)
})

test("a message that says no to plan mode ends it; one that says nothing leaves it", async () => {
  const agent = await local({
    answer: ({ body }) =>
      JSON.stringify(body.messages.at(-1)).includes("tool_result")
        ? [{ text: "Done." }]
        : [call("shell", INPUTS.shell)],
  })
  const { session } = await agent.send("One.", { planMode: true })
  await agent.agent.setPlanMode(session, true)
  await agent.send("Two.")
  expect(existsSync(join(agent.folder, "ran"))).toBe(false)
  await agent.send("Three.", { planMode: false })
  expect(existsSync(join(agent.folder, "ran"))).toBe(true)
})

test("calls from before a crash do not run if plan mode was put on since", async () => {
  const root = workspace()
  const from = await server(({ body }: { readonly body: Json }) =>
    body.messages.some(({ role }: Json) => role === "assistant")
      ? say("Done.")
      : calls(["light", { lamp: "a" }]),
  )
  const program = await bundled("test/agent/store/crash-worker.ts")
  let where = ""
  for (let at = 5; where !== "before runs.start"; at += 1) {
    const worker = spawn("node", [program, root, `before ${at}`], {
      env: { ...process.env, ...from.env },
      stdio: ["ignore", "pipe", "inherit"],
    })
    worker.stdout.on("data", (data) => {
      where = String(data).trim()
    })
    await once(worker, "close")
    expect(where).not.toBe("completed")
  }
  const { agent } = await open(root, from, { tools: lamps(root) })
  const [session] = await agent.sessions({})
  await agent.setPlanMode(session?.id ?? "", true)
  const [reply] = await agent.resume()
  expect(reply?.text).toBe("Done.")
  expect(existsSync(join(root, "acts"))).toBe(false)
  expect(transcript(root, session?.id ?? "").some((line) => line.includes("plan mode is on"))).toBe(true)
})
