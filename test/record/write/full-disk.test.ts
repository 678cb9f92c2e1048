// A disk that is really full: a small file system in memory, in a name space of its own, so that no rights are needed.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, onTestFinished, test } from "vitest"

const canMount = spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=1m none /mnt"]).status === 0

/** The ballast is what is removed to make room. */
const SCRIPT = `mount -t tmpfs -o size=2m none "$1" && head -c 400000 /dev/zero > "$1/ballast" || exit 9
"$2" "$3" fills "$1/record.sqlite"`

test.skipIf(!canMount)(
  "a full disk: the turn goes on, drops are counted, and recording goes on when there is room",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "incipit-full-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const writer = join(import.meta.dirname, "../record-writer.ts")
    const child = spawn("unshare", ["-rm", "sh", "-c", SCRIPT, "sh", folder, process.execPath, writer])
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const full = JSON.parse((await lines.next()).value ?? "{}")
    expect(full).toMatchObject({ waiting: 0, dropped: 1, lastError: expect.stringMatching(/full|disk/) })
    expect(full.written).toBeGreaterThan(10)
    child.stdin.write("go on\n")
    const after = JSON.parse((await lines.next()).value ?? "{}")
    await once(child, "close")
    expect(after).toMatchObject({
      waiting: 0,
      dropped: 1,
      kept: full.written + 1,
      facts: [{ name: "dropped", value: "1" }],
    })
  },
)
