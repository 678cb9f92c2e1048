// The link of `inspect` for other users of the machine, who may have read it in the list of processes.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { endianness } from "node:os"
import process from "node:process"
import { expect, onTestFinished, test } from "vitest"
import { holderOf } from "../../../src/serve/auth/own-user.ts"
import { inspectedPage } from "../../../src/serve/page/inspected-page.ts"
import { type Inspector, openInspector } from "../../../src/serve/page/open-inspector.ts"

const isLinux = process.platform === "linux"
/** Only root starts processes of others. */
const isRoot = isLinux && process.getuid?.() === 0
const OWN = { uid: 65_534, gid: 65_534 }
const OTHER = { uid: 65_533, gid: 65_533 }

async function opened(user?: number): Promise<Inspector> {
  const page = inspectedPage({ title: "tides", sources: () => [], config: {} })
  const inspector = await openInspector({ page, user, port: undefined, now: Date.now, warn: () => {} })
  onTestFinished(() => inspector.close())
  return inspector
}

/** Prints the status of the answer, if it waits for one. */
const SIGN_IN = `
  const net = await import("node:net")
  const { port, code, how, ...from } = JSON.parse(process.argv[1])
  const body = "code=" + code
  const head = "POST /login HTTP/1.1\\r\\nhost: 127.0.0.1:" + port + "\\r\\ncontent-length: " + body.length +
    "\\r\\ncontent-type: application/x-www-form-urlencoded\\r\\n\\r\\n"
  const socket = net.connect({ port, host: "127.0.0.1", ...from })
  socket.on("error", () => {})
  socket.once("data", (data) => {
    process.stdout.write(data.toString().split(" ")[1])
    socket.destroy()
  })
  socket.write(head + body, () => {
    if (how === "reset") socket.resetAndDestroy()
    if (how === "closed") socket.destroy()
  })
`

interface Attempt {
  readonly how?: "reset" | "closed"
  readonly localPort?: number
}

async function signIn({ url, code }: Inspector, who: object, attempt: Attempt = {}): Promise<string> {
  const given = JSON.stringify({ port: Number(new URL(url).port), code, ...attempt })
  const child = spawn(process.execPath, ["--input-type=module", "-e", SIGN_IN, given], {
    ...{ ...who, cwd: "/", env: {}, stdio: ["ignore", "pipe", "inherit"] },
  })
  let printed = ""
  child.stdout.on("data", (data) => {
    printed += data
  })
  await once(child, "close")
  return printed
}

test.runIf(isLinux)("the other end of a connection has a user, until it is closed", async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  for (const host of ["127.0.0.1", "::1"]) {
    if (server.listening) await once(server.close(), "close")
    const isThere = once(server.listen(0, host), "listening")
    // A machine may be without IPv6.
    if (!(await isThere.then(() => true).catch(() => host === "127.0.0.1"))) continue
    const client = connect((server.address() as AddressInfo).port, host)
    const [socket]: Socket[] = await once(server, "connection")
    expect(holderOf(socket!)).toBe(process.getuid?.())
    client.destroy()
    await once(socket!.resume(), "close")
    expect(holderOf(socket!)).toBe("gone")
  }
})

test.runIf(isLinux)("IPv4 is the same place in a socket of IPv6", async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  const client = connect((server.address() as AddressInfo).port, "::ffff:127.0.0.1").on("error", () => {})
  onTestFinished(() => void client.destroy())
  const [socket]: Socket[] = await once(server, "connection")
  expect(holderOf(socket!)).toBe(process.getuid?.())
  socket!.destroy()
})

const CONNECTION = {
  ...{ localAddress: "127.0.0.1", localPort: 0x1f40, remoteAddress: "127.0.0.1", remotePort: 0x9000 },
  destroyed: false,
}

function row(local: string, remote: string, [state, user, inode]: readonly [string, number, number]): string {
  const place = (text: string) => {
    const [address = "", port] = text.split(":")
    const words = address.match(/.{8}/g) ?? []
    const shown = words.map((word) =>
      endianness() === "LE" ? (word.match(/../g) ?? []).toReversed().join("") : word,
    )
    return `${shown.join("")}:${port}`
  }
  return `   0: ${place(local)} ${place(remote)} ${state} 00000000:00000000 00:00000000 00000000 ${user} 0 ${inode} 1\n`
}

const [HERE, THERE] = ["7F000001:1F40", "7F000001:9000"]
const LISTENS = row(HERE, "00000000:0000", ["0A", 7, 1])

test.each([
  ["both ends are listed", [row(HERE, THERE, ["01", 7, 2]), row(THERE, HERE, ["01", 8, 3])], 8],
  [
    "theirs is of IPv6",
    [
      row(HERE, THERE, ["01", 7, 2]),
      row(`${"0".repeat(20)}FFFF${THERE}`, `${"0".repeat(20)}FFFF${HERE}`, ["01", 8, 3]),
    ],
    8,
  ],
  [
    "theirs is closed, and then root's",
    [row(HERE, THERE, ["08", 7, 2]), row(THERE, HERE, ["05", 0, 0])],
    "gone",
  ],
  ["only ours is there, open: from another namespace", [row(HERE, THERE, ["01", 7, 2])], "unknown"],
  ["only ours is there, and theirs was closed", [row(HERE, THERE, ["08", 7, 2])], "gone"],
  ["neither: it was reset", [], "gone"],
  [
    "the same ports elsewhere",
    [
      row("7F000003:1F40", "7F000002:9000", ["01", 9, 4]),
      row("7F000002:9000", "7F000003:1F40", ["01", 9, 5]),
    ],
    "gone",
  ],
] as const)("%s", (_name, rows, holder) => {
  expect(holderOf(CONNECTION, [LISTENS, ...rows])).toBe(holder)
})

test("a system that lists nothing says nothing, and a connection that is over has nobody", () => {
  expect(holderOf(CONNECTION, ["", ""])).toBe("unknown")
  expect(holderOf({ ...CONNECTION, destroyed: true }, ["", ""])).toBe("gone")
  expect(holderOf({ ...CONNECTION, remoteAddress: undefined }, ["", ""])).toBe("gone")
})

test("the code signs the user in who runs the page, once", async () => {
  const inspector = await opened()
  expect(await signIn(inspector, {})).toBe("303")
  expect(await signIn(inspector, {})).toBe("403")
})

test.runIf(isLinux && !isRoot)("the code is refused to the processes of another user", async () => {
  expect(await signIn(await opened(4_242), {})).toBe("403")
})

test.runIf(isRoot)("another user is refused, and the code still signs its own user in", async () => {
  const inspector = await opened(OWN.uid)
  expect(await signIn(inspector, OTHER)).toBe("403")
  expect(await signIn(inspector, OWN)).toBe("303")
})

test.runIf(isRoot)("root may use the code as well", async () => {
  expect(await signIn(await opened(OWN.uid), {})).toBe("303")
})

test.runIf(isRoot)("who leaves before anybody can look does not use the code up", async () => {
  const inspector = await opened(OWN.uid)
  for (const how of ["reset", "closed", "reset", "closed"] as const) await signIn(inspector, OTHER, { how })
  expect(await signIn(inspector, OWN)).toBe("303")
})

/** Connects the same ports at other addresses of this machine, and keeps that up. */
const ELSEWHERE = `
  const net = await import("node:net")
  const { port, localPort } = JSON.parse(process.argv[1])
  net.createServer().listen(port, "127.0.0.3", () => {
    net.connect({ port, host: "127.0.0.3", localAddress: "127.0.0.2", localPort }, () => process.stdout.write("there"))
  })
`

test.runIf(isRoot)(
  "a connection of another user with the same ports at other addresses locks nobody out",
  async () => {
    const inspector = await opened(OWN.uid)
    const localPort = await freePort()
    const given = JSON.stringify({ port: Number(new URL(inspector.url).port), localPort })
    const child = spawn(process.execPath, ["--input-type=module", "-e", ELSEWHERE, given], {
      ...{ ...OTHER, cwd: "/", env: {}, stdio: ["ignore", "pipe", "inherit"] },
    })
    onTestFinished(() => void child.kill())
    await once(child.stdout, "data")
    expect(await signIn(inspector, OWN, { localPort })).toBe("303")
  },
)

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  await once(server.close(), "close")
  return port
}
