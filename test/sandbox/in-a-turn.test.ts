// The sandbox in conversations of a real agent: what the prompt says, which questions are asked, and what its commands
// can do.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { ApprovalRequest } from "../../src/tools/host.ts"
import { type StartedAgent, startAgent } from "../agent/world/agent-world.ts"
import type { Asked } from "../agent/world/reporting-server.ts"
import { call, isAside } from "../agent/world/scripted-model.ts"
import type { Part } from "../agent/world/servers/script.ts"
import { whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = await whyNoBubblewrap()

interface Talk extends StartedAgent {
  readonly questions: readonly ApprovalRequest[]
}

/** An agent that makes these calls of `shell`, one in each step. */
async function talk(
  config: string,
  inputs: readonly object[],
  more: { readonly isNew?: boolean } = {},
): Promise<Talk> {
  const questions: ApprovalRequest[] = []
  let made = 0
  const answer = ({ body }: Asked): readonly Part[] => {
    if (isAside(body)) return [{ text: "Nothing new." }]
    const input = inputs[made]
    made += 1
    return input === undefined ? [{ text: "Done." }] : [call("shell", input)]
  }
  const local = await startAgent({
    protocol: "anthropic",
    ...{ profile: "incipit", answer, ...more },
    files: { "incipit.yaml": `${config}\n` },
    approve: async (request) => {
      questions.push(request)
      return request.kind === "shell" && request.leaves === "no" ? "no" : "yes"
    },
  })
  onTestFinished(() => local.close())
  return Object.assign(local, { questions })
}

/** The results of tools in the newest request. */
function results(local: StartedAgent): string {
  return JSON.stringify(local.exchanges.filter(({ body }) => !isAside(body)).at(-1)?.body.messages)
}

describe.skipIf(WHY_NOT !== undefined)("a turn", () => {
  test("an ordinary command inside needs no question, and its files are those of the file tools", async () => {
    const local = await talk("sandbox: { mode: on }", [
      { command: "echo low > tide.txt; hostname; id -u; ls /home" },
    ])
    await local.send("Is it low tide?")
    expect(local.questions).toEqual([])
    expect(results(local)).toContain("exit code 2")
    expect(results(local)).toContain("sandbox")
    expect(existsSync(join(local.folder, "tide.txt"))).toBe(true)
    const system = JSON.stringify(local.exchanges[0]?.body.system)
    expect(system).toContain(
      "Sandbox: mode=on | backend=bubblewrap | scope=session | workspace=read-write | network=off",
    )
    expect(system).toContain("Commands run in the sandbox; all other tools run on the host.")
  })

  test("a command that leaves is asked about with its reason, whatever is allowed, each time", async () => {
    const config = 'sandbox: { mode: on, leave: ["hostname"] }\napprove: { allow: ["cat *"] }'
    const leaving = { command: "cat /proc/1/comm", host: "needs the machine" }
    const local = await talk(config, [leaving, leaving, { command: "hostname", host: "its name" }])
    await local.send("Which machine is it?")
    const asked = {
      kind: "shell",
      command: "cat /proc/1/comm",
      directory: local.folder,
      leaves: "needs the machine",
    }
    expect(local.questions).toEqual([asked, asked])
    expect(results(local)).not.toContain("bwrap")
  })

  test("a no keeps it from leaving", async () => {
    const local = await talk("sandbox: { mode: on }", [{ command: "touch left.txt", host: "no" }])
    await local.send("Go out.")
    expect([
      results(local).includes("The command was not approved."),
      existsSync(join(local.folder, "left.txt")),
    ]).toEqual([true, false])
  })

  test("rules and `ask: true` still count inside", async () => {
    const asking = await talk("sandbox: { mode: on, ask: true }", [{ command: "true" }])
    await asking.send("Do it.")
    expect(asking.questions).toEqual([
      { kind: "shell", command: "true", directory: asking.folder, isInside: true },
    ])
    const denying = await talk('sandbox: { mode: on }\napprove: { deny: ["rm *"] }', [
      { command: "rm -rf tides" },
    ])
    await denying.send("Do it.")
    expect(results(denying)).toContain("Not run: it is denied here.")
  })

  test("nobody's, or only other people's", async () => {
    for (const mode of ["off", "non-main"]) {
      const local = await talk(`sandbox: { mode: ${mode} }`, [{ command: "hostname" }])
      await local.send("Hello, which host is this?")
      expect(local.questions).toEqual([{ kind: "shell", command: "hostname", directory: local.folder }])
      expect(JSON.stringify(local.exchanges[0]?.body)).not.toContain("andbox")
    }
  })
})

test("commands are refused without a sandbox if it is required", async () => {
  const local = await talk("sandbox: { mode: on, backend: podman, required: true }", [{ command: "touch a" }])
  await local.send("Touch it.")
  expect(results(local)).toContain("Not run: there is no sandbox here.")
  expect([existsSync(join(local.folder, "a")), local.questions]).toEqual([false, []])
})
