// Each attempt to leave the sandbox is a real command in a real one, and fails with a message that says why.
import { execFileSync, spawn } from "node:child_process"
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { OWN_SESSION, openWorld, type World, whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = await whyNoBubblewrap()

describe.skipIf(WHY_NOT !== undefined)("from inside, by real commands", () => {
  let world: World
  beforeAll(() => {
    world = openWorld({ settings: { limits: SMALL } })
  })
  afterAll(() => world.close())

  test("the home folder and its keys are not there", async () => {
    const home = join(world.outside, "home")
    mkdirSync(join(home, ".ssh"), { recursive: true })
    writeFileSync(join(home, ".ssh", "id_ed25519"), "the key")
    const own = openWorld({ env: { ...process.env, HOME: home } })
    expect(await own.run(`cat ${home}/.ssh/id_ed25519`)).toBe(
      `exit 1\ncat: ${home}/.ssh/id_ed25519: No such file or directory`,
    )
    expect(await own.run("cat ~/.ssh/id_ed25519; echo $HOME")).toBe(
      "exit 0\ncat: /tmp/.ssh/id_ed25519: No such file or directory\n/tmp",
    )
    expect(await own.run("ls -A /home /root 2>&1 | grep -v '^$' | grep -iE 'ssh|netrc|aws|gnupg'")).toBe(
      "exit 1",
    )
    await own.close()
  })

  test("neither passwords nor private keys of the machine are there", async () => {
    for (const path of [
      "/etc/shadow",
      "/etc/ssh",
      "/etc/ssl/private",
      "/var/lib",
      "/var/run/docker.sock",
      "/run/user",
    ])
      expect(await world.run(`ls ${path}`)).toBe(
        `exit 2\nls: cannot access '${path}': No such file or directory`,
      )
  })

  test("the environment of the parent is not there, neither handed down nor in /proc", async () => {
    process.env.TEST_OF_THE_SANDBOX_KEY = "sk-secret-4711"
    try {
      expect(await world.run("env; cat /proc/*/environ | tr '\\0' '\\n'")).not.toContain("sk-secret-4711")
      expect(await world.run("cat /proc/self/environ | tr '\\0' '\\n' | grep -c TEST_OF")).toBe("exit 1\n0")
    } finally {
      delete process.env.TEST_OF_THE_SANDBOX_KEY
    }
    const named = openWorld({ config: { env: ["WANTED"] }, env: { WANTED: "yes", OTHER: "no" } })
    expect(await named.run('echo "$WANTED[$OTHER]"')).toBe("exit 0\nyes[]")
    await named.close()
  })

  test("nothing outside of the workspace is written", async () => {
    expect(await world.run(`touch ${world.outside}/a`)).toBe(
      `exit 1\ntouch: cannot touch '${world.outside}/a': No such file or directory`,
    )
    for (const path of ["/usr/bin/a", "/etc/a", "/a", "/dev/a", "/proc/sys/kernel/core_pattern"])
      expect(await world.run(`: >> ${path}`)).toMatch(
        /^exit [12]\n.*(?:Read-only file system|Permission denied)$/,
      )
    expect(existsSync(join(world.outside, "a"))).toBe(false)
  })

  test("settings of the kernel are not written, not even by root", async () => {
    const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8")
    const answer = await world.run("find /proc/sys /proc/irq -type f -writable 2>/dev/null | head -3")
    expect(answer).toBe("exit 0")
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before)
  })

  test("loopback is its own, and there is no other interface and no route", async () => {
    const server = createServer((socket) => socket.end("the host"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    expect(await world.run(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`)).toContain("Connection refused")
    server.close()
    expect(await world.run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")).toBe("exit 0\nlo")
    expect(await world.run("tail -n +2 /proc/net/route | wc -l")).toBe("exit 0\n0")
    const probe = [
      "import socket",
      "def attempt(family):",
      "  try:",
      "    socket.socket(family, socket.SOCK_STREAM); return 'made'",
      "  except OSError as error: return error.strerror",
      "print(attempt(40), attempt(38))",
    ].join("\n")
    writeFileSync(join(world.root, "sockets.py"), probe)
    expect(await world.run("python3 sockets.py")).toBe(
      "exit 0\nAddress family not supported by protocol Address family not supported by protocol",
    )
  })

  test("processes of the host are neither seen, killed nor traced", async () => {
    const child = spawn("sleep", ["600"], { stdio: "ignore" })
    expect(await world.run(`kill -9 ${child.pid}`)).toMatch(/^exit 1\n.*No such process$/)
    expect(await world.run(`cat /proc/${child.pid}/cmdline`)).toContain("No such file or directory")
    const names =
      "for one in /proc/[0-9]*; do read name < $one/comm; echo $name; done | sort -u | tr '\\n' ' '"
    expect(await world.run(names)).toMatch(/^exit 0\nbash bwrap(?: sort)?(?: tr)?$/)
    const trace = [
      "import ctypes",
      "libc = ctypes.CDLL(None, use_errno=True)",
      // PTRACE_ATTACH, and ESRCH: there is no such process.
      `print(libc.ptrace(16, ${child.pid}, 0, 0), ctypes.get_errno())`,
    ].join("\n")
    writeFileSync(join(world.root, "trace.py"), trace)
    expect(await world.run("python3 trace.py")).toBe("exit 0\n-1 3")
    expect(child.exitCode).toBeNull()
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGKILL")
    await ended
  })

  test("nothing is mounted, and no namespace made in which that could be done", async () => {
    expect(await world.run("mount -t tmpfs none /tmp")).toMatch(
      /^exit (?:1|32)\n.*(?:permission denied|superuser)/,
    )
    expect(await world.run("mount -o remount,rw /usr")).toMatch(/^exit (?:1|32)\n/)
    expect(await world.run("unshare --user true")).toMatch(
      /^exit 1\nunshare: unshare failed: Operation not permitted/,
    )
    expect(
      await world.run("grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status | tr -d '\\t' | tr '\\n' ' '"),
    ).toBe("exit 0\nCapEff:0000000000000000 NoNewPrivs:1 Seccomp:2")
  })

  test("links lead nowhere", async () => {
    writeFileSync(join(world.outside, "secret"), "the secret")
    symlinkSync(join(world.outside, "secret"), join(world.root, "link"))
    expect(await world.run("cat link")).toBe("exit 1\ncat: link: No such file or directory")
    expect(await world.run("echo changed > link")).toContain("No such file or directory")
    expect(await world.run("ln /usr/bin/env own")).toMatch(/^exit 1\n.*Invalid cross-device link$/)
    expect(readFileSync(join(world.outside, "secret"), "utf8")).toBe("the secret")
    // A link to a file outside that was there before is that file: what shares its content is shared.
    linkSync(join(world.outside, "secret"), join(world.root, "hard"))
    expect(await world.run("cat hard")).toBe("exit 0\nthe secret")
  })

  test("/tmp is its own, and full at its limit", async () => {
    expect(await world.run("ls /tmp | grep incipit")).toBe("exit 1")
    expect(await world.run("head -c 40000000 /dev/zero > /tmp/a; stat -c %s /tmp/a; rm /tmp/a")).toMatch(
      /^exit 0\nhead: error writing 'standard output': No space left on device\n200/,
    )
    expect(await world.run("head -c 80000000 /dev/zero > /dev/shm/a")).toContain("File size limit exceeded")
  })

  test("a file is no longer than its limit", async () => {
    const { text, notes, code } = await world.end("head -c 50000000 /dev/zero > large")
    expect([code, notes]).toEqual([153, ["[a file became larger than the sandbox allows, 30.0 MB]"]])
    expect(text).toContain("File size limit exceeded")
    expect(readFileSync(join(world.root, "large")).length).toBe(30_000_000)
  })

  test("a process has no more memory than its limit", async () => {
    expect(await world.run('python3 -c "bytearray(600_000_000)"')).toMatch(/^exit 1\n.*MemoryError$/s)
  })

  test("a fork bomb ends with the command, and the machine goes on", async () => {
    const stop = new AbortController()
    let text = ""
    const bombed = (await world.sandbox()).run({
      command: "bomb() { bomb | bomb & }; bomb; while true; do sleep 1; done",
      timeoutMs: 300_000,
      signal: stop.signal,
      print: (more) => {
        text += more
        if (text.includes("Resource temporarily unavailable")) stop.abort()
      },
    })
    await expect(bombed).rejects.toThrow("aborted")
    expect(await world.run("ls /proc | grep -c '^[0-9]'")).toMatch(/^exit 0\n[3-6]$/)
  })

  test("what a command leaves running ends with it", async () => {
    expect(await world.run("(sleep 600 & echo $! > pid); cat pid")).toMatch(/^exit 0\n\d+$/)
    expect(await world.run("pgrep sleep")).toBe("exit 1")
  })

  test("no more is printed than its limit", async () => {
    const { isTooLong, isLate, notes } = await world.end("yes")
    expect([isTooLong, isLate, notes]).toEqual([
      true,
      false,
      ["[it printed more than the sandbox allows, 10.0 MB, and was ended]"],
    ])
  })

  test("time is up", async () => {
    const short = openWorld({ timeoutMs: 500 })
    expect(await short.run("sleep 600")).toBe("exit late")
    await short.close()
  })

  test("nothing is typed into a terminal", async () => {
    writeFileSync(
      join(world.root, "type.py"),
      [
        "import fcntl",
        "def attempt(request):",
        "  try: fcntl.ioctl(0, request, b'x'); return 'typed'",
        "  except OSError as error: return error.strerror",
        "print(attempt(0x5412), attempt(0x541c), attempt(0x5401))",
      ].join("\n"),
    )
    // The last one only asks for settings of the terminal, which there is none.
    expect(await world.run("python3 type.py")).toBe(
      "exit 0\nOperation not permitted Operation not permitted Inappropriate ioctl for device",
    )
  })

  test("variables of commands are not on a command line, where every user of the machine could read them", async () => {
    const env = { ...process.env, WANTED: "sk-wanted-4712" }
    const named = openWorld({ config: { env: ["WANTED"] }, env })
    const running = named.run('touch started; until [ -e go ]; do sleep 0.05; done; echo "$WANTED"')
    await vi.waitFor(() => expect(existsSync(join(named.root, "started"))).toBe(true), { timeout: 120_000 })
    const lines = execFileSync("ps", ["-eww", "-o", "args"], { encoding: "utf8" })
    writeFileSync(join(named.root, "go"), "")
    expect(await running).toBe("exit 0\nsk-wanted-4712")
    expect(lines).toContain("bwrap")
    expect(lines).not.toContain("sk-wanted-4712")
    expect(await named.run("tr '\\0' '\\n' < /proc/1/cmdline | grep -c '[s]k-wanted'")).toBe("exit 1\n0")
    await named.close()
  })

  test("a folder with the sandbox's own files in it is not shown", async () => {
    for (const path of ["/", dirname(realpathSync(tmpdir())), realpathSync(tmpdir())]) {
      const { sandboxes, close } = openWorld({ folders: { workspace: path, directory: path } })
      const state = await sandboxes.of(OWN_SESSION)
      expect(state.kind === "missing" && state.why).toContain(`commands may not see ${path}, because`)
      await close()
    }
    const named = openWorld({ config: { read: ["/"] } })
    expect((await named.sandboxes.of(OWN_SESSION)).kind).toBe("missing")
    await named.close()
  })

  test("descriptors of this process are not handed down", async () => {
    expect(await world.run("ls /proc/self/fd | tr '\\n' ' '")).toBe("exit 0\n0 1 2 3")
  })
})

/** Reached fast, and enough for everything that the tests do. */
const SMALL = {
  memoryBytes: 400_000_000,
  processes: 100,
  fileBytes: 30_000_000,
  tmpBytes: 20_000_000,
  outputBytes: 10_000_000,
}
