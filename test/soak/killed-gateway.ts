// Gateways in processes of their own that are killed in the middle of their work, and what their store has afterwards.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { bundled } from "../bundled.ts"

export interface RunningGateway {
  /** Once it can be reached. */
  readonly url: string
  kill(): Promise<void>
}

export interface KilledGateways {
  start(): Promise<RunningGateway>
  /** Which rounds the agent was told of in all conversations, each as often as it was. */
  heard(): Promise<readonly string[]>
}

export async function killedGateways(
  config: string,
  env: Readonly<Record<string, string>>,
): Promise<KilledGateways> {
  const folder = mkdtempSync(join(tmpdir(), "channel-kill-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = mkdtempSync(join(folder, "workspace-"))
  writeFileSync(join(workspace, "incipit.yaml"), config)
  const program = [await bundled("test/soak/channel-child.ts"), workspace]
  const given = { ...process.env, ...env, NODE_COMPILE_CACHE: join(folder, "compiled") }
  const path = join(workspace, "state", "agent.db")
  return {
    start: () =>
      started(spawn(process.execPath, program, { env: given, stdio: ["ignore", "pipe", "inherit"] })),
    heard: () => heardIn(path),
  }
}

async function started(child: ChildProcess): Promise<RunningGateway> {
  onTestFinished(() => void child.kill("SIGKILL"))
  if (child.stdout === null) throw new Error("the output is a pipe")
  const [url] = await once(createInterface(child.stdout), "line")
  return {
    url: String(url),
    async kill() {
      const over = once(child, "exit")
      child.kill("SIGKILL")
      await over
    },
  }
}

async function heardIn(path: string): Promise<readonly string[]> {
  const store = await openStore(path, { readOnly: true })
  const rounds: string[] = []
  for (const { id } of await store.sessions.list("main"))
    for (const { item } of await store.transcripts.read(id))
      if (item.kind === "message" && item.message.role === "user")
        rounds.push(...(JSON.stringify(item.message).match(/round-\d+/g) ?? []))
  await store.close()
  return rounds
}
