// Which addresses a service may name, and that a name server cannot change its mind in between.
import { expect, test } from "vitest"
import {
  allowedAddresses,
  isSafeUrl,
  pinned,
  type Reach,
  reachOf,
  reachOfAddress,
} from "../../../../src/agent/mcp/sign-in/reach.ts"

test.each<[string, Reach]>([
  ["127.0.0.1", "loopback"],
  ["127.8.8.8", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["10.1.2.3", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.1", "public"],
  ["192.168.0.1", "private"],
  ["100.100.100.200", "private"],
  ["::ffff:10.0.0.1", "private"],
  ["fd00::1", "private"],
  ["64:ff9b::a00:1", "private"],
  ["2002:a00:1::", "private"],
  ["169.254.169.254", "never"],
  ["::ffff:169.254.169.254", "never"],
  ["fe80::1", "never"],
  ["0.0.0.0", "never"],
  ["::", "never"],
  ["255.255.255.255", "never"],
  ["93.184.216.34", "public"],
  ["2606:2800:220:1::1", "public"],
])("%s is %s", (address, reach) => {
  expect(reachOfAddress(address)).toBe(reach)
})

const names: Readonly<Record<string, readonly string[]>> = {
  "mcp.example.org": ["93.184.216.34"],
  "intern.example.org": ["10.0.0.7"],
  "mixed.example.org": ["93.184.216.34", "127.0.0.1"],
}
const resolve = async (host: string) => names[host] ?? []

test("a server may name what is as far away as itself, and what is public", async () => {
  const outcome = async (server: Reach, host: string) =>
    allowedAddresses(new URL(`https://${host}/`), { server, resolve }).then(
      () => "allowed",
      (error: Error) => error.message,
    )
  expect(await reachOf(new URL("https://intern.example.org/"), resolve)).toBe("private")
  expect(await reachOf(new URL("https://mixed.example.org/"), resolve)).toBe("loopback")
  expect(await reachOf(new URL("http://localhost:1/"), resolve)).toBe("loopback")
  expect(
    await Promise.all([
      outcome("public", "mcp.example.org"),
      outcome("public", "intern.example.org"),
      outcome("public", "mixed.example.org"),
      outcome("public", "localhost"),
      outcome("private", "intern.example.org"),
      outcome("private", "localhost"),
      outcome("loopback", "localhost"),
      outcome("loopback", "intern.example.org"),
    ]),
  ).toEqual([
    "allowed",
    "it names intern.example.org, which is an address of a private network (10.0.0.7), and the server itself is elsewhere",
    "it names mixed.example.org, which is this machine (127.0.0.1), and the server itself is elsewhere",
    "it names localhost, which is this machine (127.0.0.1), and the server itself is elsewhere",
    "allowed",
    "it names localhost, which is this machine (127.0.0.1), and the server itself is elsewhere",
    "allowed",
    "it names intern.example.org, which is an address of a private network (10.0.0.7), and the server itself is elsewhere",
  ])
})

test("a connection goes to the addresses that were checked", () => {
  const found: unknown[] = []
  const look = pinned(["93.184.216.34", "2606:2800:220:1::1"])
  look("changed.example.org", {}, (_error, address, family) => found.push([address, family]))
  look("changed.example.org", { all: true }, (_error, all) => found.push(all))
  expect(found).toEqual([
    ["93.184.216.34", 4],
    [
      { address: "93.184.216.34", family: 4 },
      { address: "2606:2800:220:1::1", family: 6 },
    ],
  ])
})

test.each([
  ["https://example.org/", true],
  ["http://example.org/", false],
  ["http://127.0.0.1:8080/", true],
  ["http://[::1]/", true],
  ["http://localhost/", true],
  ["http://localhost.example.org/", false],
  ["http://10.0.0.1/", false],
  ["file:///etc/passwd", false],
  ["javascript:alert(1)", false],
])("%s may carry a token: %s", (url, isSafe) => {
  expect(isSafeUrl(new URL(url))).toBe(isSafe)
})
