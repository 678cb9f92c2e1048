// What Moltis says about the machine, its tools, and how to answer.
import { arch } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { compile } from "../../../src/core/compile/compiler.ts"
import type { Tool } from "../../../src/core/model/inputs.ts"
import { moltis } from "../../../src/profiles/moltis/moltis.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeAgent, makeSession, makeTurn } from "../../core/make.ts"
import { type MoltisFolder, openMoltis, toolsNamed } from "./moltis-folder.ts"

let here: MoltisFolder
beforeEach(() => {
  here = openMoltis()
})
afterEach(() => here.remove())

const HOST = "host: moltis-devbox, os: macos, arch: arm64, shell: zsh"
const env = { SHELL: "/bin/bash" }
const configure = (environment: string) =>
  here.write("workspace/incipit.yaml", `model: openai/gpt-5\nenvironment: { ${environment} }\n`)

describe("the runtime", () => {
  test("is compact key=value lines, as the description prints them", () => {
    configure(`${HOST}, sudo_non_interactive: true`)
    const sandbox = {
      ...{ network: "off", mode: "on", backend: "docker", scope: "session" },
      ...{ image: "moltis-sandbox:abc123", workspace: "read-only" },
    }
    expect(here.section("runtime", { session: { env, timeZone: "Europe/Paris" }, sandbox })).toBe(
      `## Runtime

Host: host=moltis-devbox | os=macos | arch=aarch64 | shell=zsh | provider=openai | model=gpt-5 | session=main | sudo_non_interactive=true | timezone=Europe/Paris
Sandbox(exec): enabled=true | mode=all | backend=docker | scope=session | image=moltis-sandbox:abc123 | workspace_mount=ro | network=disabled`,
    )
  })

  test.each(["", ", sandbox: { enabled: true, mode: all }"])(
    "says nothing of a sandbox that is not there (%j)",
    (sandbox) => {
      configure(HOST + sandbox)
      expect(here.section("runtime", { session: { env, id: "work" } })).toBe(
        `## Runtime

Host: host=moltis-devbox | os=macos | arch=aarch64 | shell=zsh | provider=openai | model=gpt-5 | session=work`,
      )
    },
  )

  test("detects the machine, without the runtime of this program", () => {
    const text = here.section("runtime", { session: { env } }) ?? ""
    const names = new Map([
      ["x64", "x86_64"],
      ["arm64", "aarch64"],
    ])
    expect(text).toContain(` | arch=${names.get(arch()) ?? arch()} | shell=bash | session=main`)
    expect(text).not.toContain("node")
  })

  test("lists custom facts after the known ones, and leaves out those that are off", () => {
    configure(`${HOST}, surface: web, accept_language: fr, model: off`)
    expect(here.section("runtime", { session: { env } })).toBe(
      `## Runtime

Host: host=moltis-devbox | os=macos | arch=aarch64 | shell=zsh | provider=openai | session=main | accept_language=fr | surface=web`,
    )
  })

  test("takes place and time zone from USER.md where the machine does not know them", () => {
    here.write("home/.moltis/USER.md", "---\ntimezone: Europe/Paris\nlocation: Lyon\n---\n")
    configure(HOST)
    const line = (timeZone?: string) =>
      here.section("runtime", { session: { env, ...(timeZone && { timeZone }) } })?.split("session=main")[1]
    expect(line()).toBe(" | timezone=Europe/Paris | location=Lyon")
    expect(line("UTC")).toBe(" | timezone=UTC | location=Lyon")
  })

  test("takes a place in numbers from USER.md, and words before numbers", () => {
    configure(HOST)
    const lineOf = (fields: string) => {
      here.write("home/.moltis/USER.md", `---\n${fields}\n---\n`)
      return here.section("runtime", { session: { env } })?.split("session=main")[1]
    }
    expect(lineOf("latitude: 45.76\nlongitude: 4.84")).toBe(" | location=45.76,4.84")
    expect(lineOf("latitude: 0\nlongitude: 0")).toBe(" | location=0,0")
    expect(lineOf("latitude: 45.76\nlongitude: 4.84\nlocation: Lyon")).toBe(" | location=Lyon")
    expect(lineOf("latitude: 45.76")).toBe("")
  })

  test("takes what a browser says of its user before what is configured, and not what is off", () => {
    configure(`${HOST}, timezone: Europe/Oslo, accept_language: off`)
    const place = { timezone: "Europe/Paris", accept_language: "fr", location: "Lyon" }
    const line = here.section("runtime", { session: { env, place } })?.split("session=main")[1]
    expect(line).toBe(" | timezone=Europe/Paris | location=Lyon")
  })

  test("keeps the provenance of each fact from USER.md, and tells none in a group", () => {
    here.write("home/.moltis/USER.md", "---\nlocation: Lyon\n---\n")
    configure(HOST)
    const { plan } = here.build({ session: { env } })
    const { spans = [] } = plan.entries.find(({ id }) => id === "moltis/runtime") ?? {}
    const told = spans.find(({ from }) => from?.kind === "file" && from.path === "~/.moltis/USER.md")
    expect(told && plan.blocks[told.block]?.text.slice(told.start, told.end)).toBe(" | location=Lyon")
    expect(here.section("runtime", { session: { env, situation: "group" } })).not.toContain("location")
  })

  test("is left out if nothing is known about the machine", () => {
    expect(here.outcome("runtime")).toBe("unused")
  })

  test("leaves out what is empty", () => {
    const session = makeSession({ sandbox: { enabled: "true", mode: "" } })
    const prompt = compile(moltis, { agent: makeAgent(), session, turn: makeTurn() }, { counter: o200k })
    expect(prompt.text).toContain("## Runtime\n\nHost: session=s1\nSandbox(exec): enabled=true\n\n")
  })

  test("knows model and session of a session that has only a sandbox", () => {
    const session = makeSession({
      id: "work",
      model: "openai/gpt-5",
      sandbox: { mode: "all", enabled: "true" },
    })
    const prompt = compile(moltis, { agent: makeAgent(), session, turn: makeTurn() }, { counter: o200k })
    expect(prompt.text).toContain(
      "\n\n## Runtime\n\nHost: provider=openai | model=gpt-5 | session=work\nSandbox(exec): enabled=true | mode=all\n\n",
    )
  })
})

describe("execution routing", () => {
  const routing = (environment: string, ...names: readonly string[]) => {
    configure(environment)
    return inside(undefined, names)
  }
  const inside = (sandbox: Readonly<Record<string, string>> | undefined, names: readonly string[]) => {
    return here
      .section("runtime", { session: { env }, tools: toolsNamed(...names), ...(sandbox && { sandbox }) })
      ?.split("Execution routing:\n")[1]
  }

  test("between sandbox and host", () => {
    expect(inside({ mode: "on" }, ["exec"])).toBe(
      "- `exec` runs commands inside the sandbox, not on the host.\n- If the sandbox lacks something, ask the user before you install it on the host or change how the sandbox is set up.",
    )
  })

  test("on the host alone, without sudo, is to ask before anything is installed", () => {
    expect(routing(HOST, "exec")).toBe(
      "- `exec` runs commands on the host; the user may have to approve them.\n- Ask the user before you install packages on the host.",
    )
  })

  test("on the host alone does not mention a sandbox", () => {
    expect(routing(`${HOST}, sudo_non_interactive: true`, "exec")).toBe(
      "- `exec` runs commands on the host; the user may have to approve them.\n- `sudo_non_interactive=true`: on the host, packages can be installed with sudo, which asks for no password.",
    )
  })

  test.each([[[]], [["browser"]]])("is not explained where there is no exec: %j", (names) => {
    expect(routing(HOST, ...names)).toBeUndefined()
  })

  test("is not explained in mode minimal", () => {
    const options = { tools: toolsNamed("exec"), session: { env, mode: "minimal" } as const }
    expect(here.section("runtime", options)).not.toContain("Execution routing")
  })
})

describe("the memory hint", () => {
  test("is there when memory_search is registered", () => {
    expect(here.section("memory", { tools: toolsNamed("memory_search") })).toContain(
      "## Long-Term Memory\n\n",
    )
  })

  test.each([["memory_get"], ["exec"]])("is not there for %s", (name) => {
    expect(here.outcome("memory", { tools: toolsNamed(name) })).toBe("unused")
  })

  test("is left out for audiences that may not call it", () => {
    const tools = toolsNamed("memory_search").map((tool) => ({ ...tool, trust: "full" as const }))
    expect(here.outcome("memory", { tools, session: { channel: "telegram:1" } })).toBe("unused")
  })
})

describe("tools for a provider with tool calling", () => {
  const tool = (name: string, description: string): Tool => ({ name, description, parameters: {} })
  const listed = (...tools: readonly Tool[]) => here.section("tools", { tools })

  test("are one line each, by name", () => {
    expect(listed(tool("b", "Does b."), tool("a", "Does\n  a."), tool("c", ""))).toBe(
      "## Available Tools\n\n- `a`: Does a.\n- `b`: Does b.\n- `c`",
    )
  })

  test("have their description cut at 160 characters, and three dots after that", () => {
    const line = (text: string) => listed(tool("t", text))?.split("`t`: ")[1]
    expect(line("x".repeat(160))).toBe("x".repeat(160))
    expect(line("x".repeat(161))).toBe(`${"x".repeat(160)}...`)
    expect(line("🦊".repeat(161))).toBe(`${"🦊".repeat(160)}...`)
  })

  test("come without their schemas and without a calling format", () => {
    const options = { tools: toolsNamed("exec") }
    expect(here.section("tools", options)).not.toContain("json")
    expect(here.outcome("tool-calls", options)).toBe("unused")
  })
})

describe("tools for a provider without tool calling", () => {
  const fallback = { toolFormat: "fallback" } as const

  test("have their schemas in the prompt", () => {
    const tools: readonly Tool[] = [
      {
        name: "t",
        description: `Does t.${" long".repeat(60)}`,
        parameters: { type: "object", properties: { b: { type: "string" }, a: { type: "integer" } } },
      },
      { name: "u", description: "Does u.", parameters: { type: "object" } },
    ]
    expect(here.section("tools", { ...fallback, tools })).toBe(
      `## Available Tools

### t
Does t.${" long".repeat(60)}

Parameters:
\`\`\`json
{
  "properties": {
    "a": {
      "type": "integer"
    },
    "b": {
      "type": "string"
    }
  },
  "type": "object"
}
\`\`\`

### u
Does u.

Parameters:
\`\`\`json
{
  "type": "object"
}
\`\`\``,
    )
  })

  test("are followed by how to write a call", () => {
    const text = here.text({ ...fallback, tools: toolsNamed("exec") })
    expect(text).toMatch(
      /```\n\n## How to call tools\n\n[^#]*```tool_call\n\{"tool": "<tool_name>", "arguments": \{<arguments>\}\}\n```\n\n[^#]*\n\n## Guidelines\n/,
    )
  })

  test("need no calling format if there are none", () => {
    expect(here.outcome("tool-calls", fallback)).toBe("unused")
  })
})

describe("guidelines", () => {
  const lines = (...names: readonly string[]) =>
    here.section("guidelines", { tools: toolsNamed(...names) })?.split("\n- ") ?? []

  test.each([
    [["exec"], ["Use `exec`"]],
    [["browser"], ["Use `browser`"]],
    [
      ["browser", "exec"],
      ["Use `exec`", "Use `browser`"],
    ],
    [["other"], []],
  ])("speak only of tools that are there: %j", (names, told) => {
    const own = lines(...names).filter((line) => line.startsWith("Use "))
    expect(own.map((line) => line.split(" ", 2).join(" "))).toEqual(told)
  })

  test("remind not to parrot raw tool output", () => {
    expect(lines("exec").at(-1)).toBe(
      "The user sees the raw output of every tool beside your answer. Do not repeat it: say what it means, what stands out, or what went wrong.",
    )
  })

  test("end with the silent reply protocol, which ends the prompt", () => {
    expect(here.text({ tools: toolsNamed("exec") })).toMatch(
      /\n\n## Silent Replies\n\nWhen the output of a tool speaks for itself [^#]*return an empty response\.[^#]*\.\n$/,
    )
  })

  test("have no silent reply protocol without tool output", () => {
    expect(here.outcome("silent-replies")).toBe("unused")
  })
})

test("nothing in the prompt names a tool that is not registered", () => {
  configure(HOST)
  const session = { env, directory: join(here.root) }
  const text = here.text({ tools: toolsNamed("other"), session, sandbox: { mode: "on" } })
  expect(text.match(/`(?:exec|browser|memory_search)`/g)).toBeNull()
})

test("what the profile itself writes is ASCII", () => {
  here.write("home/.moltis/IDENTITY.md", "---\nname: Rex\n---\n")
  configure(HOST)
  const tools = toolsNamed("exec", "browser", "memory_search")
  const sandbox = { mode: "on" }
  expect(here.text({ tools, toolFormat: "fallback", session: { env }, sandbox })).toMatch(/^[\n\x20-\x7e]*$/)
})
