// The Inspector's command line against the server that users get: `incipit mcp` over stdio and `/mcp` with a token, in both
// eras of the protocol. It checks what it gets against the protocol's schemas itself; here its answers are looked at.
import { execFile } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { z } from "zod"
import { DEFINITIONS } from "../../src/serve/mcp/definitions.ts"
import { installPackage } from "../clients/install.ts"
import type { OwnServer } from "./own/own-server.ts"
import type { CheckResult } from "./suite-run.ts"

const run = promisify(execFile)
const PACKAGE = { name: "inspector", package: "@modelcontextprotocol/inspector", version: "2.12.0" }

export async function checkInspector(cache: string, own: OwnServer): Promise<readonly CheckResult[]> {
  const modules = await installPackage(cache, PACKAGE)
  const program = join(modules, ".bin/mcp-inspector")
  const targets = {
    stdio: [process.execPath, ...own.command("mcp")],
    http: [`${own.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${own.secret}`],
  }
  const found: CheckResult[] = []
  for (const [way, target] of Object.entries(targets))
    for (const era of ["legacy", "modern"]) {
      const about = { run: `inspector ${way} ${era}`, scenario: "command line" }
      for (const { name, args, expected } of stepsOf(way, era)) {
        const why = await problemOf(
          [program, "--cli", ...target, ...args, "--protocol-era", era],
          expected,
          own.env,
        )
        found.push({ ...about, check: name, status: why === undefined ? "passed" : "failed", why: why ?? "" })
      }
    }
  return found
}

interface Step {
  readonly name: string
  readonly args: readonly string[]
  /** The lines of the output, each of which is JSON. */
  readonly expected: z.ZodType
}

const text = (has: string) => z.looseObject({ text: z.string().includes(has) })

/** In this order: what is written is found. */
function stepsOf(way: string, era: string): readonly Step[] {
  const fact = `The ${way} lantern is lit by the ${era} keeper.`
  // The server has kept no calls of coding agents, and so it has no bill.
  const tools = DEFINITIONS.map(({ name }) => name).filter((name) => way === "stdio" || name !== "bill")
  return [
    step("tools/list", ["--strict"], z.looseObject({ tools: names(tools) })),
    step(
      "tools/call",
      memory({ do: "write", text: fact }),
      z.looseObject({ structuredContent: z.unknown() }),
    ),
    step(
      "tools/call",
      memory({ do: "search", query: "lantern" }),
      z.looseObject({ content: z.tuple([text(fact)]) }),
    ),
    step(
      "tools/call",
      ["--tool-name", "compile"],
      z.looseObject({ content: z.tuple([text("AGENTS.md")]), structuredContent: z.looseObject({}) }),
    ),
    step(
      "resources/list",
      [],
      z.looseObject({ resources: z.array(z.looseObject({ uri: z.string() })).min(3) }),
    ),
    step(
      "resources/read",
      ["--uri", "incipit://prompt"],
      z.looseObject({ contents: z.tuple([text("The lamp is lit at dusk.")]) }),
    ),
    step(
      "resources/read",
      ["--uri", "incipit://files/AGENTS.md"],
      z.looseObject({ contents: z.tuple([text("# The lighthouse")]) }),
    ),
    step("prompts/list", [], z.looseObject({ prompts: names(["fog-bell", "tide-table"]) })),
    step(
      "prompts/get",
      ["--prompt-name", "fog-bell"],
      z.looseObject({ messages: z.tuple([z.looseObject({ content: text("Ring it twice a minute.") })]) }),
    ),
    {
      ...step("skills/list", ["--verify"], z.unknown()),
      expected: z.tuple([
        z.looseObject({ name: z.literal("fog-bell"), ok: z.literal(true) }),
        z.looseObject({ name: z.literal("tide-table"), ok: z.literal(true) }),
      ]),
    },
  ]
}

function step(method: string, args: readonly string[], result: z.ZodType): Step {
  return {
    name: [method, ...args].join(" "),
    args: ["--method", method, "--format", "json", ...args],
    expected: z.tuple([z.looseObject({ result })]),
  }
}

function memory(input: Readonly<Record<string, string>>): readonly string[] {
  return ["--tool-name", "memory", "--tool-args-json", JSON.stringify(input)]
}

/** Exactly these, in this order. */
function names(expected: readonly string[]) {
  return z
    .array(z.looseObject({ name: z.string() }))
    .refine((found) => found.map(({ name }) => name).join() === expected.join(), {
      error: `expected ${expected.join(", ")}`,
    })
}

/** Longer than a start on a busy machine. */
const MOST_MS = 120_000

async function problemOf(
  args: readonly string[],
  expected: z.ZodType,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const { stdout } = await run(process.execPath, [...args], { env, timeout: MOST_MS })
    const lines = stdout.trimEnd().split("\n")
    const { success, error } = expected.safeParse(lines.map((line) => JSON.parse(line)))
    return success ? undefined : `${z.prettifyError(error)}\n${stdout.slice(0, 500)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
