// A folder of Nova: which agent is meant, what is read where, and what becomes of files that are not as they should be.
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Diagnostic } from "../../../src/base/diagnostic.ts"
import { visible } from "../../../src/core/model/plan.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import { lint } from "../../../src/lint/lint.ts"
import { nova } from "../../../src/profiles/nova/nova.ts"
import { novaSystem } from "../../../src/sources/systems/nova.ts"
import { compileFolder, type FolderOptions, gatherFolder } from "../../profiles/compile-folder.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const write = (path: string, value: unknown) =>
  folder.write(`workspace/${path}`, typeof value === "string" ? value : JSON.stringify(value, undefined, 2))
const agentFile = (id: string, facts: object) =>
  write(`agents/${id}/agent.json`, { trust: "sandbox", ...facts })
const options = (more: Partial<FolderOptions> = {}): FolderOptions => {
  return { profile: nova, system: novaSystem, root: folder.root, home: folder.home, ...more }
}
const compiled = (more: Partial<FolderOptions> = {}): Prompt => compileFolder(options(more))
const identity = (prompt: Prompt) => /<Identity>\n([\s\S]*?)\n<\/Identity>/.exec(prompt.text)?.[1]
const findings = ({ plan }: Prompt): readonly Diagnostic[] =>
  plan.diagnostics.filter(({ code }) => code !== "moving-text")

describe("the agent", () => {
  test("is the only one, if none is named", () => {
    agentFile("baker", { identity: "The baker." })
    expect(identity(compiled())).toBe("The baker.")
  })

  test("is main, if there are several and none is named", () => {
    agentFile("baker", { identity: "The baker." })
    agentFile("main", { identity: "The main one." })
    expect(identity(compiled())).toBe("The main one.")
  })

  test("is the one that is named", () => {
    agentFile("baker", { identity: "The baker." })
    agentFile("main", { identity: "The main one." })
    expect(identity(compiled({ agent: "baker" }))).toBe("The baker.")
  })

  test("is asked for, if there are several and none of them is main", () => {
    agentFile("b", { identity: "B." })
    agentFile("a", { identity: "A." })
    write("agents/notes/readme.txt", "no agent")
    const prompt = compiled()
    expect(identity(prompt)).toBeUndefined()
    expect(findings(prompt)[0]).toEqual({
      code: "several-agents",
      path: "agents",
      agents: "a, b",
      needs: "full",
    })
  })

  test("need not be there", () => {
    expect(findings(compiled()).map(({ code }) => code)).toEqual(["no-files"])
  })
})

test("the working directory is the agent's folder, and other directories become absolute", () => {
  agentFile("baker", {
    trust: "controlled",
    directories: ["recipes", "./a/../b", "~/orders", "~", "/srv", "~x"],
  })
  const lines = compiled().text.match(/^(?:- |Your working).*$/gm)
  expect(lines?.slice(0, 7)).toEqual([
    `Your working directory is: ${folder.root}/agents/baker`,
    `- ${folder.root}/recipes`,
    `- ${folder.root}/b`,
    `- ${folder.home}/orders`,
    `- ${folder.home}`,
    "- /srv",
    `- ${folder.root}/~x`,
  ])
})

test("text keeps the file and the line that it comes from", () => {
  agentFile("baker", { identity: "One.\nTwo.", responsibilities: [{ title: "T", content: "C" }] })
  write("memories.json", ["A.", "B."])
  write("tasks/tasks.json", { tasks: [{ id: "7", title: "T", steps: [{ title: "S", done: false }] }] })
  const { plan } = compiled({ session: { task: "7" } })
  const places = plan.entries.flatMap(({ id, spans }) =>
    spans.flatMap(({ from, block, start, end }) =>
      from?.kind === "file"
        ? [[id, `${from.path}:${from.lines.join("-")}`, plan.blocks[block]?.text.slice(start, end).trim()]]
        : [],
    ),
  )
  expect(places).toEqual([
    ["nova/identity", "agents/baker/agent.json:3-3", "One.\nTwo."],
    ["nova/responsibilities", "agents/baker/agent.json:6-6", '<Responsibility title="T">'],
    ["nova/responsibilities", "agents/baker/agent.json:7-7", "C"],
    ["nova/responsibilities", "agents/baker/agent.json:5-5", "</Responsibility>"],
    ["nova/memories", "memories.json:2-2", "- A."],
    ["nova/memories", "memories.json:3-3", "- B."],
    [
      "nova/task",
      "tasks/tasks.json:4-4",
      "You are working on task #7. Focus solely on progressing this task.",
    ],
    ["nova/task", "tasks/tasks.json:5-5", "Title: T"],
    ["nova/task", "tasks/tasks.json:6-6", "Steps:"],
    ["nova/task", "tasks/tasks.json:8-8", "1. → S"],
  ])
})

describe("a file that is not as it should be", () => {
  test("is a diagnostic with its line, and the rest still loads", () => {
    agentFile("baker", { identity: "The baker." })
    write("memories.json", '[\n  "A."\n  "B."\n]')
    const prompt = compiled()
    expect(identity(prompt)).toBe("The baker.")
    expect(findings(prompt)).toEqual([
      {
        code: "bad-json",
        path: "memories.json",
        line: 3,
        problem: "it is not valid JSON here",
        needs: "inner",
      },
    ])
  })

  test("has a diagnostic for each value of the wrong kind, and is sent without it", () => {
    write(
      "agents/baker/agent.json",
      '{\n "identity": 7,\n "role": "R.",\n "responsibilities": [\n  {"title": 1}\n ]\n}',
    )
    const found = findings(compiled())
    expect(found.map((finding) => [finding.code, "line" in finding && finding.line])).toEqual([
      ["bad-json", 2],
      ["bad-json", 5],
      ["bad-json", 5],
    ])
  })

  test.each([
    ["a list of tasks", [{ id: 7, title: "T" }, { title: "no id" }], 6],
    ["an object with tasks", { tasks: [{ id: "7", title: "T" }, { title: "no id" }] }, 7],
  ])("may be %s in which one task has no id", (_name, value, line) => {
    agentFile("baker", {})
    write("tasks/tasks.json", value)
    const prompt = compiled({ session: { task: "7" } })
    expect(prompt.text).toMatch(/^Title: T$/m)
    expect(findings(prompt).map((finding) => [finding.code, "line" in finding && finding.line])).toEqual([
      ["bad-json", line],
    ])
  })

  test("that lacks the task that was asked for says so", () => {
    agentFile("baker", {})
    expect(findings(compiled({ session: { task: "9" } }))).toEqual([
      { code: "unknown-task", path: "tasks/tasks.json", task: "9", needs: "inner" },
    ])
  })

  test("may not lead out of the workspace", () => {
    agentFile("baker", { identity: "The baker." })
    symlinkSync(folder.write("elsewhere.json", '["Secret."]'), join(folder.root, "memories.json"))
    const prompt = compiled()
    expect(prompt.text).not.toMatch(/Secret/)
    expect(findings(prompt).map(({ code }) => code)).toEqual(["outside-roots"])
  })

  test("is rid of its byte order mark, of carriage returns, and of what is hidden, escaped or not", () => {
    write(
      "agents/baker/agent.json",
      '\ufeff{\r\n"trust": "sandbox", "identity": "a\\r\\nb\\u0000\\u001b\\udb40\\udc41\\ud800"\r\n}\r\n',
    )
    const prompt = compiled()
    expect(identity(prompt)).toBe("a\nb\ufffd")
    expect(findings(prompt)).toEqual([
      { code: "escaped-characters", path: "agents/baker/agent.json", line: 1, needs: "familiar" },
    ])
  })
})

describe("an agent of which one value is not as it should be", () => {
  const AGENT = {
    name: "Baker",
    identity: "The baker.",
    instructions: "Knead.",
    responsibilities: [{ title: "Bread", content: "Daily." }],
    directories: ["flour"],
    capabilities: ["memory"],
  }
  const TAGS = ["Identity", "Instructions", "Responsibilities", "Directories", "Storage"]
  const toldOf = (prompt: Prompt) => TAGS.filter((tag) => prompt.text.includes(`<${tag}>`))

  test.each([
    [
      "a map of capabilities",
      { capabilities: { memory: true, files: { paths: [] }, secrets: false } },
      TAGS,
      [],
    ],
    ["capabilities that are a text", { capabilities: "memory" }, TAGS.slice(0, 4), ["bad-json"]],
    ["a name that is a number", { name: 7 }, TAGS, ["bad-json"]],
    ["a role that is a list", { role: [] }, TAGS, ["bad-json"]],
    ["one bad capability", { capabilities: ["memory", 7] }, TAGS, ["bad-json"]],
    [
      "one bad responsibility",
      { responsibilities: [{ title: "Bread", content: "Daily." }, { title: 7 }] },
      TAGS,
      ["bad-json"],
    ],
    ["an unknown key", { colour: "white" }, TAGS, []],
  ])("%s: everything else is sent", (_what, more, tags, codes) => {
    agentFile("baker", { ...AGENT, ...more })
    const prompt = compiled()
    expect(toldOf(prompt)).toEqual(tags)
    expect([...new Set(findings(prompt).map(({ code }) => code))]).toEqual(codes)
  })
})

describe("who may see what", () => {
  const audiences: readonly [string, FolderOptions["session"], readonly string[]][] = [
    ["the owner", {}, ["nova/identity", "nova/context", "nova/memories", "nova/task"]],
    ["a group", { situation: "group" }, ["nova/identity", "nova/context"]],
    ["a stranger", { channel: "chat:1" }, ["nova/context"]],
  ]
  test.each(audiences)("%s", (_name, session, seen) => {
    agentFile("baker", { identity: "The baker." })
    write("memories.json", ["A."])
    write("tasks/tasks.json", [{ id: "7", title: "T" }])
    const { plan } = compiled({ session: { ...session, task: "7" } })
    expect(plan.entries.filter(({ spans }) => spans.length > 0).map(({ id }) => id)).toEqual(seen)
  })

  test("what a running agent feeds in is withheld like the files that it replaces", () => {
    const { text, plan } = compiled({
      session: { channel: "chat:1", task: "7", inputs: { memories: ["Secret."] } },
      turn: { inputs: { tasks: [{ id: "7", title: "Secret." }] } },
    })
    expect(text).not.toMatch(/Secret|Memories|Task/)
    expect(plan.entries.find(({ id }) => id === "nova/task")?.outcome.kind).toBe("withheld")
  })

  test("the configuration can raise the trust of a file, and its directories are hidden with it", () => {
    agentFile("baker", { identity: "The baker.", directories: ["secret"] })
    write("incipit.yaml", "prompt:\n  files: [{ path: agents/baker/agent.json, trust: full }]\n")
    expect(compiled({ session: { situation: "group" } }).text).not.toMatch(/baker|secret/)
  })

  test("a stranger cannot tell what is in the files, or that they are broken", () => {
    const session = { channel: "chat:1", task: "7" }
    agentFile("baker", {})
    const before = compiled({ session })
    agentFile("baker", {
      identity: "Other.",
      trust: "controlled",
      directories: ["x"],
      capabilities: ["memory"],
    })
    write("memories.json", "[ broken")
    write("tasks/tasks.json", { tasks: [{ id: "7", title: 5 }] })
    const after = compiled({ session })
    expect(visible(after.plan)).toEqual(visible(before.plan))
    expect(after.text).toBe(before.text)
  })
})

test("a check of the folder does not take the keys of a JSON file for frontmatter", () => {
  agentFile("baker", { identity: "The baker.", name: "B" })
  const { agent } = gatherFolder(options())
  const facts = { tools: [], knownTools: [], hasAllTools: true, chainLimit: 1000 }
  expect(lint({ files: agent.files, ...facts, count: () => 0 })).toEqual([])
})
