// The session of examples/bill in `incipit inspect`, the real command, with a home folder that is empty.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"

export interface InspectedBill {
  readonly url: string
  /** Signs in, once. */
  readonly code: string
  readonly close: () => Promise<void>
}

export async function inspectBill(): Promise<InspectedBill> {
  const home = mkdtempSync(join(tmpdir(), "incipit-pictures-"))
  const [session] = globSync("examples/bill/*.jsonl")
  if (session === undefined) throw new Error("examples/bill has no session")
  const args = ["bin/incipit.js", "inspect", session, "--json", "--no-open"]
  const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC" }
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] })
  const line = await firstLine(child)
  const { url, code }: { readonly url: string; readonly code: string } = JSON.parse(line)
  return {
    ...{ url, code },
    async close() {
      child.kill("SIGTERM")
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("its output is piped")
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error("incipit inspect ended before it printed its address")
}
