// The link of `inspect` for other users of the machine, who may have read it in the list of processes.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import process from "node:process"
import { expect, onTestFinished, test } from "vitest"
import { userAt } from "../../../src/serve/auth/own-user.ts"
import { inspectedPage } from "../../../src/serve/page/inspected-page.ts"
import { type Inspector, openInspector } from "../../../src/serve/page/open-inspector.ts"

const SOMEBODY = 4_242
/** A test that runs as root starts other users' processes as nobody; without rights, all are its own user's. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function opened(user?: number): Promise<Inspector> {
  const page = inspectedPage({ title: "tides", sources: () => [], config: {} })
  const inspector = await openInspector({ page, user, port: undefined, now: Date.now, warn: () => {} })
  onTestFinished(() => inspector.close())
  return inspector
}

/** Ends with 0 if it has signed in, and with 3 if the code was refused. */
const SIGN_IN = `
  const [url, code] = process.argv.slice(1)
  const answer = await fetch(url + "/login", { method: "POST", redirect: "manual", body: new URLSearchParams({ code }) })
  process.exit(answer.status === 303 ? 0 : answer.status === 403 ? 3 : 4)
`

async function signIn({ url, code }: Inspector, who: object): Promise<number | null> {
  const args = ["--input-type=module", "-e", SIGN_IN, url, code]
  const child = spawn(process.execPath, args, { ...who, cwd: "/", env: {}, stdio: "ignore" })
  const [status] = await once(child, "exit")
  return status
}

test.runIf(process.platform === "linux")("the other end of a connection has a user", async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  const [socket]: Socket[] = await once(server, "connection")
  expect(userAt(socket!)).toEqual([process.getuid?.()])
  client.destroy()
  await once(socket!.resume(), "close")
  expect(userAt({ localPort: 1, remotePort: 1 })).toEqual([])
})

test.runIf(process.platform === "linux")("the code is refused to the processes of another user", async () => {
  expect(await signIn(await opened(SOMEBODY), NOBODY)).toBe(3)
})

test("the code signs the user in who runs the page", async () => {
  const inspector = await opened()
  expect(await signIn(inspector, {})).toBe(0)
  // Once.
  expect(await signIn(inspector, {})).toBe(3)
})
