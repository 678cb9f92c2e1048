// No path, link or race lets a tool read or write outside of its folders: lists of known tricks, and any tree of links.
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { Worker } from "node:worker_threads"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { NotReplaced, replaceFile } from "../../src/files/replace-file.ts"
import { type Acting, makeActing } from "./acting.ts"
import { accessTo } from "./open-access.ts"

const CANARY = "the canary sings"

let acting: Acting
beforeEach(() => {
  acting = makeActing()
  writeFileSync(join(acting.outside, "secret.md"), `${CANARY}\n`)
  acting.write("a/inside.md", "inside\n")
})
afterEach(() => acting.remove())

/** All that a tool can be asked to do with a path; whatever it answers comes back. */
async function tryAll(path: string): Promise<readonly string[]> {
  return [
    await acting.call("read", { path }),
    await acting.call("list", { path }),
    await acting.call("find", { pattern: "*", path }),
    await acting.call("grep", { pattern: "canary|sings", path }),
    await acting.call("edit", { path, old: "canary", new: "cat" }),
    await acting.call("write", { path, text: "a cat" }),
    await acting.call("write", { path: `${path}/new.md`, text: "a cat" }),
  ]
}

function expectOutsideUntouched(): void {
  expect(readdirSync(acting.outside)).toEqual(["secret.md"])
  expect(readFileSync(join(acting.outside, "secret.md"), "utf8")).toBe(`${CANARY}\n`)
}

function tricks(): readonly string[] {
  const target = join(acting.outside, "secret.md")
  const up = [
    "..",
    "../",
    "..//",
    "./../",
    "a/../..",
    "a/./../../",
    "%2e%2e",
    "%2e%2e%2f",
    "..%2f",
    "..%c0%af",
  ]
  const odd = [
    "....//",
    "..;/",
    "..\\",
    "%252e%252e/",
    "..%5c",
    "．．/",
    "\u2025/",
    "..\u2215",
    ".. /",
    "..\u200b/",
  ]
  return [
    ...[...up, ...odd].map((way) => `${way}/outside/secret.md`),
    ...[...up, ...odd].map((way) => `${way}/outside`),
    ...[
      target,
      `/${target}`,
      `//${target}`,
      `file://${target}`,
      `file:${target}`,
      `~${target}`,
      `~/../${target}`,
    ],
    ...[
      `\\\\?\\${target}`,
      `\\\\localhost${target}`,
      `C:${target}`,
      `${target}\0.md`,
      `a/inside.md\0/../../outside`,
    ],
    ...[
      `${acting.root}/../outside/secret.md`,
      `${acting.root}-evil/x`,
      `${acting.root}/./a/../../outside/secret.md`,
    ],
    ...[
      "/proc/self/environ",
      "/proc/self/cwd/../outside/secret.md",
      "/dev/fd/0",
      "/proc/1/root",
      "/",
      "~",
      "~root",
    ],
    ...["..", "../", "../..", "../../../../../../../../../../etc/passwd", "/etc/passwd", "/etc"],
  ]
}

test("no known trick leads outside", async () => {
  mkdirSync(`${acting.root}-evil`)
  writeFileSync(`${acting.root}-evil/x`, CANARY)
  const above = join(acting.root, "..")
  for (const path of tricks()) {
    const answers = await tryAll(path)
    expect(answers.filter((answer) => answer.includes(CANARY) || answer.includes("root:"))).toEqual([])
    expectOutsideUntouched()
  }
  expect(readdirSync(above).sort()).toEqual(["outside", "workspace", "workspace-evil"])
  expect(readFileSync(`${acting.root}-evil/x`, "utf8")).toBe(CANARY)
})

test("no tree of links leads outside, whatever is asked of it", async () => {
  const name = fc.constantFrom("a", "b", "c", "secret.md", "..", ".")
  const way = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"))
  const links = fc.array(fc.record({ at: way, to: way, isOut: fc.boolean() }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(links, fc.array(way, { minLength: 1, maxLength: 4 }), async (tree, paths) => {
      rmSync(acting.root, { recursive: true })
      acting.write("a/b/inside.md", "inside\n")
      for (const { at, to, isOut } of tree) {
        const place = join(acting.root, at)
        const folder = dirname(place)
        // Links stand inside, wherever they lead.
        if (!existsSync(`${folder}/`) || !realpathSync(folder).startsWith(acting.root)) continue
        if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) continue
        symlinkSync(isOut ? join(acting.outside, to.replaceAll("..", "")) : to, place)
      }
      for (const path of paths) {
        const answers = await tryAll(path)
        expect(answers.filter((answer) => answer.includes(CANARY))).toEqual([])
        expectOutsideUntouched()
      }
    }),
    { numRuns: 80, seed: 11 },
  )
})

test("a file or a folder that is swapped for a link all the time never lets anything out or in", async () => {
  const [place, spare] = [join(acting.root, "a"), join(acting.root, "spare")]
  symlinkSync(acting.outside, spare)
  acting.write("a/secret.md", "mine\n")
  const swapping = new Worker(
    `const { renameSync } = require("node:fs"); const { workerData: { place, spare }, parentPort } = require("node:worker_threads")
     let isOn = true; parentPort.on("message", () => { isOn = false })
     const swap = () => { for (let at = 0; at < 50; at += 1) try {
       renameSync(place, place + ".old"); renameSync(spare, place); renameSync(place, spare); renameSync(place + ".old", place)
     } catch {} ; if (isOn) setImmediate(swap); else parentPort.close() }
     swap(); parentPort.postMessage("on")`,
    { eval: true, workerData: { place, spare } },
  )
  await new Promise((resolve) => swapping.once("message", resolve))
  const ended = new Promise((resolve) => swapping.once("exit", resolve))
  const answers = new Set<string>()
  for (let round = 0; round < 25; round += 1) {
    for (const path of ["a/secret.md", "a"])
      for (const answer of await tryAll(path)) answers.add(answer.includes(CANARY) ? CANARY : "fine")
    await acting.call("write", { path: "a/secret.md", text: `mine ${round}\n` })
  }
  swapping.postMessage("off")
  await ended
  expect([...answers]).toEqual(["fine"])
  expectOutsideUntouched()
})

test.each([
  ["file", "a/secret.md", "failed: No such file or folder: a/secret.md. Did you mean a/secret.md.old?"],
  ["folder", "a", "failed: No such file or folder: a/secret.md."],
])(
  "a %s that is swapped between being found and being opened is not read",
  async (_name, swapped, answer) => {
    const path = acting.write("a/secret.md", "mine\n")
    const place = join(acting.root, swapped)
    let asked = 0
    const trustOf = (real: string) => {
      asked += 1
      if (asked > 1 || real !== path) return undefined
      renameSync(place, `${place}.old`)
      symlinkSync(swapped === "a" ? acting.outside : join(acting.outside, "secret.md"), place)
      return undefined
    }
    expect(await acting.call("read", { path: "a/secret.md" }, { access: { trustOf } })).toBe(answer)
  },
)

test.each([
  ["stays", false],
  ["is put back before that is asked", true],
])(
  "a file that is swapped for another name of a closed one is not read, if that %s",
  async (_name, isPutBack) => {
    const path = acting.write("a/tea.md", "tea\n")
    const closed = acting.write("USER.md", `${CANARY}\n`)
    const files = accessTo(acting.root, { trust: "familiar" })
    let asked = 0
    const mayRead = (real: string) => {
      asked += 1
      if (isPutBack && asked === 2) renameSync(`${path}.old`, path)
      const may = files.mayRead(real)
      if (asked > 1) return may
      renameSync(path, `${path}.old`)
      linkSync(closed, path)
      return may
    }
    const answer = await acting.call(
      "read",
      { path: "a/tea.md" },
      { hosting: { files: { ...files, mayRead } } },
    )
    expect(answer).toMatch(/^failed: No such file or folder: a\/tea\.md\./)
  },
)

test.runIf(existsSync("/proc/self/fd"))("what is not read is closed again", async () => {
  await acting.call("read", { path: "a" })
  const open = readdirSync("/proc/self/fd").map((handle) => {
    const link = lstatSync(`/proc/self/fd/${handle}`, { throwIfNoEntry: false })
    return link === undefined ? "" : readlinkSync(`/proc/self/fd/${handle}`)
  })
  expect(open.filter((path) => path.startsWith(acting.root))).toEqual([])
})

test("nothing is put in place through a folder that is a link", () => {
  symlinkSync(acting.outside, join(acting.root, "link"))
  const path = join(acting.root, "link/new.md")
  expect(() => replaceFile({ path, before: undefined, after: Buffer.from("x") })).toThrow(
    new NotReplaced("folder-moved"),
  )
  expectOutsideUntouched()
})
