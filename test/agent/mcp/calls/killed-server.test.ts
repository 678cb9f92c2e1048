// A server's process is killed and started again, between calls and in the middle of one. The client goes on with the new
// one, and no call that may change something is made twice.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import { IS_LONG } from "../../../long.ts"
import { enterWorld, SOON, type World } from "../mcp-world.ts"

const SERVER = resolve("test/agent/mcp/calls/killable-server.ts")

let world: World
let file: string
const started: ChildProcess[] = []
beforeEach(() => {
  world = enterWorld()
  file = join(world.folder, "calls.txt")
})
afterEach(async () => {
  await world.leave()
  await Promise.all(started.splice(0).map(kill))
})

const calls = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])
const names = () => calls().map((line) => line.split(" ")[1])
const WAYS = IS_LONG ? (["stdio", "old HTTP", "new HTTP"] as const) : (["stdio", "new HTTP"] as const)

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
}

interface Running {
  readonly entry: {
    readonly command?: string
    readonly args?: string[]
    readonly url?: string
    env?: Record<string, string>
  }
  /** Kills the process that runs, and starts the next one where the client does not. */
  next(hangs: boolean): Promise<void>
}

async function running(way: (typeof WAYS)[number], hangs: boolean): Promise<Running> {
  if (way === "stdio")
    return {
      entry: { command: process.execPath, args: [SERVER, file], env: { HANGS: hangs ? "1" : "0" } },
      async next() {
        const [pid] = calls().at(-1)?.split(" ") ?? []
        process.kill(Number(pid), "SIGKILL")
      },
    }
  const port = await freePort()
  const start = async (doesHang: boolean) => {
    const child = fork(SERVER, [file, String(port), way === "new HTTP" ? "new" : "old"], {
      env: { ...process.env, HANGS: doesHang ? "1" : "0" },
    })
    started.push(child)
    await once(child, "message")
  }
  await start(hangs)
  return {
    entry: { url: `http://127.0.0.1:${port}/mcp` },
    async next(doesHang) {
      await Promise.all(started.splice(0).map(kill))
      await start(doesHang)
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

test.each(WAYS)("between two calls, the second one finds the new process (%s)", async (way) => {
  const { entry, next } = await running(way, false)
  const mcp = world.open({ s: entry })
  await mcp.settled
  expect(await world.run(mcp, "pay")).toContain("pay done")
  await next(false)
  if (way === "stdio") await expect.poll(() => mcp.servers()[0]?.state, SOON).toBe("failed")
  expect(await world.run(mcp, "pay")).toContain("pay done")
  expect(names()).toEqual(["pay", "pay"])
  expect(new Set(calls().map((line) => line.split(" ")[0])).size).toBe(2)
  expect(mcp.servers()).toEqual([{ name: "s", state: "ready", tools: 3 }])
})

test.each(WAYS)(
  "in the middle of a call that changes something, the call is not made again (%s)",
  async (way) => {
    const { entry, next } = await running(way, true)
    const mcp = world.open({ s: { ...entry, timeout: "60s" } })
    await mcp.settled
    const paid = world.run(mcp, "pay")
    await expect.poll(() => names(), SOON).toEqual(["pay"])
    await next(false)
    expect((await paid).split("\n")[0]).toBe(
      'failure: The server "s" was lost during the call, which may have taken effect. The next call starts it again.',
    )
    expect(names()).toEqual(["pay"])
  },
)

test.each(["old HTTP", "new HTTP"] as const)(
  "in the middle of a call that has no further effect, it is made again, once (%s)",
  async (way) => {
    for (const name of ["look", "set"]) {
      const before = names().length
      const { entry, next } = await running(way, true)
      // It takes a moment until the next process listens.
      const mcp = world.open(
        { s: { ...entry, timeout: "60s" } },
        { wait: (ms, signal) => sleep(ms, undefined, { signal }) },
      )
      await mcp.settled
      const called = world.run(mcp, name)
      await expect.poll(() => names().length, SOON).toBe(before + 1)
      await next(false)
      expect(await called).toContain(`${name} done`)
      expect(names().slice(before)).toEqual([name, name])
      expect(world.told()).toContain(`info s: the call of ${name} is made again: it has no further effect`)
      await mcp.close()
    }
  },
)

test("a program that is killed twice in a call that only reads is not asked a third time", async () => {
  const { entry, next } = await running("stdio", true)
  const mcp = world.open({ s: { ...entry, timeout: "60s" } })
  await mcp.settled
  const looked = world.run(mcp, "look")
  for (const times of [1, 2]) {
    await expect.poll(() => names().length, SOON).toBe(times)
    await next(true)
  }
  expect(await looked).toContain('The server "s" was lost during the call')
  expect(names()).toEqual(["look", "look"])
})

test("a service that is gone for good was not sent the call, and that is said", async () => {
  const { entry } = await running("new HTTP", false)
  const mcp = world.open({ s: entry })
  await mcp.settled
  await Promise.all(started.splice(0).map(kill))
  expect((await world.run(mcp, "pay")).split("\n")[0]).toBe(
    'failure: The server "s" is not running and could not be started.',
  )
  expect(names()).toEqual([])
})
