// `incipit explain` for every section and every file of folders as people have them. The answers are read as prose: each
// gives the reason that holds, and says what would change it.
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join, relative } from "node:path"
import { afterEach, expect, test } from "vitest"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { explained, explanationView } from "../../../src/cli/commands/prompt/explain.ts"
import { compileFromFlags } from "../../../src/cli/commands/prompt/resolve.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import { painter } from "../../../src/cli/views/colour.ts"
import { report } from "../../../src/core/read/report.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { SAMPLE_FOLDERS } from "./folders.ts"

let folder: Folder

afterEach(() => folder.remove())

const golden = (name: string) => join(import.meta.dirname, `../../golden/explain/${name}.txt`)

function terminalIn(cwd: string, home: string): Terminal {
  const nothing = async () => undefined
  return {
    out: () => undefined,
    err: () => undefined,
    ...{ cwd, home, env: {}, now: () => 0, timeZone: "UTC", columns: 80, colour: false },
    ...{ exact: () => undefined, drained: nothing, stopped: nothing },
  }
}

type Flags = Partial<FlagsOf<"explain">>

/** The first line of each answer has the reason. Sections that are in the prompt are listed in one line. */
async function reasons(flags: Flags, cwd = folder.root): Promise<string> {
  const terminal = terminalIn(cwd, folder.home)
  const compiled = await compileFromFlags(flagsFor("explain", { workspace: folder.root, ...flags }), terminal)
  const whole = report(compiled.prompt)
  const ask = (word: string) =>
    explained(word, compiled, whole, terminal)
      .flatMap((item) =>
        explanationView(item, whole, painter({ colour: false })).slice(
          0,
          item.kind === "file" && item.asked ? 2 : 1,
        ),
      )
      .join("\n")
  const sections = whole.sections.map(({ id }) => ask(id))
  const isUsed = (line: string) => /: (?:included|in the prompt)$/.test(line)
  const used = sections.filter(isUsed).map((line) => line.split(":")[0])
  const files = filesBelow(folder.path).map((path) => ask(path))
  const text = [
    `in the prompt: ${used.join(", ")}`,
    ...sections.filter((line) => !isUsed(line)),
    "",
    ...files,
    "",
  ].join("\n")
  return text
    .replaceAll(folder.root, "<workspace>")
    .replaceAll(folder.home, "<home>")
    .replaceAll(hostname().toLowerCase(), "<host>")
}

function filesBelow(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("/.git"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => (relative(path, a) < relative(path, b) ? -1 : 1))
}

function fill(files: Readonly<Record<string, string>>): void {
  folder = makeFolder()
  for (const [path, text] of Object.entries(files))
    folder.write(path.startsWith("home/") ? path : `workspace/${path}`, text)
}

test.each(Object.entries(SAMPLE_FOLDERS))("a folder like that of %s", async (name, { files, profile }) => {
  fill(files)
  const text = await reasons(profile === undefined ? {} : { profile })
  await expect(text).toMatchFileSnapshot(golden(name))
})

test.each<readonly [string, Flags]>([
  ["lighthouse", {}],
  ["lighthouse-in-a-group", { as: "mirela", in: "group", channel: "telegram:1", tools: "agent" }],
  ["lighthouse-as-a-part", { mode: "minimal", message: "Is the lamp lit?" }],
])("the sample: %s", async (name, flags) => {
  fill({})
  cpSync(join(import.meta.dirname, "../../../examples/lighthouse"), folder.root, { recursive: true })
  await expect(await reasons(flags, folder.home)).toMatchFileSnapshot(golden(name))
})

test("only custom sections are left out without a reason", () => {
  fill({})
  const all = readdirSync(golden("empty").replace(/[^/]+$/, "")).map((name) =>
    readFileSync(golden(name.slice(0, -".txt".length)), "utf8"),
  )
  const generic =
    /no content|nothing to say|nothing reads it|Its own code|No file was given|undefined|no section uses it/
  expect(
    all
      .join("")
      .split("\n")
      .filter((line) => generic.test(line)),
  ).toEqual([])
})
