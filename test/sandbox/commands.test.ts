// `incipit sandbox` in the built command line, before and after its settings are approved.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { incipit } from "../cli/run.ts"
import { whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = await whyNoBubblewrap()

function folderWith(config: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-sandbox-cli-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [root, home] = [join(folder, "workspace"), join(folder, "home")]
  for (const path of [root, home]) mkdirSync(path)
  writeFileSync(join(root, "incipit.yaml"), config)
  const run = (...args: readonly string[]) => incipit(args, { cwd: root, env: { INCIPIT_HOME: home } })
  const check = (): Report & { readonly status: number | null } => {
    const { stdout, status } = run("sandbox", "check", "--json")
    return { ...(JSON.parse(stdout) as Report), status }
  }
  return { root, home, run, check }
}

interface Report {
  readonly mode: string
  readonly holds: boolean
  readonly missing?: string
  readonly proofs: readonly { readonly fact: string; readonly found: string; readonly holds: boolean }[]
}

describe.skipIf(WHY_NOT !== undefined)("with bubblewrap", () => {
  test("check proves what holds, and approval opens what the settings ask for", () => {
    const { check, run } = folderWith("sandbox: { mode: on, network: on, limits: { processes: 40 } }\n")
    const network = (report: Report) => report.proofs.find(({ fact }) => fact === "network")?.found
    const before = check()
    expect([before.holds, before.mode, before.status, network(before)]).toEqual([true, "on", 0, "off"])
    expect(run("folder", "approve", "--yes").status).toBe(0)
    expect(run("hooks", "approve", "--yes").status).toBe(0)
    const after = check()
    expect([after.holds, network(after)]).toEqual([true, "on"])
  })

  test("a shell is inside, and ends with the status of its last command", () => {
    const { root, home } = folderWith("sandbox: { mode: on }\n")
    const { stdout: out, status } = incipit(["sandbox", "shell"], {
      ...{ cwd: root, env: { INCIPIT_HOME: home }, input: "hostname; exit 7\n" },
    })
    expect([out, status]).toEqual(["sandbox\n", 7])
  })

  test("bash outside of the box reads no ~/.bashrc", () => {
    const { root, home } = folderWith("sandbox: { mode: on }\n")
    // Node's pipes are sockets, and with those bash takes itself for the child of a remote shell and reads ~/.bashrc of
    // the user that runs this: seen where that file prints something.
    const env = { INCIPIT_HOME: home }
    const { stderr, status } = incipit(["sandbox", "shell"], { cwd: root, env, input: "exit\n" })
    expect([stderr, status]).toEqual(["", 0])
  })
})

test("check says what is missing", () => {
  const report = folderWith("sandbox: { mode: on, backend: podman }\n").check()
  expect([report.holds, report.status, report.proofs]).toEqual([false, 1, []])
  expect(report.missing).toMatch(/^podman /)
})
