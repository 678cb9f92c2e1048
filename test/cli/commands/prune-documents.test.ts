// Erasing a person whose agent keeps its documents in a database: what stays is named, as it is with files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { run } from "../../../src/cli/commands/record/prune.ts"
import { openAgentStore } from "../../../src/database/open-agent-store.ts"
import { openRecordStore } from "../../../src/database/open-record-store.ts"
import { openDocuments } from "../../../src/database/postgres/documents/documents.ts"
import { openPostgres } from "../../../src/database/postgres/open-postgres.ts"
import { documentStore } from "../../../src/sources/documents.ts"
import { NO_SERVER, testServer } from "../../database/postgres/postgres-server.ts"

const TEXTS = {
  "memory/social/people.md": "Bob likes fish.\n",
  "users/bob/USER.md": "Bob rows.\n",
  "agents/tide/MEMORY.md": "Bob knows the tide.\n",
}

function folder(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "incipit-prune-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries({
    ...files,
    "incipit.yaml": "users: { bob: { trust: familiar }, carol: { trust: familiar } }\n",
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(root, "agents", "tide"), { recursive: true })
  return root
}

async function prune(root: string, person: string, url: string): Promise<readonly string[]> {
  let printed = ""
  const print = (text: string) => {
    printed += text
  }
  await run({
    words: [],
    flags: flagsFor("prune", { person, dryRun: true }),
    terminal: {
      ...{ out: print, exact: print, err: print, drained: async () => {}, columns: 80, colour: false },
      ...{ cwd: root, home: root, timeZone: "UTC", now: () => 0, stopped: () => new Promise<void>(() => {}) },
      env: { INCIPIT_STATE_DIR: join(root, "state"), INCIPIT_DATABASE_URL: url },
    },
  })
  return printed.split("\n").filter((line) => line.startsWith("Not deleted"))
}

describe.skipIf(NO_SERVER)(NO_SERVER ?? "with a database", () => {
  const server = testServer()

  async function database(texts: Readonly<Record<string, string>>): Promise<string> {
    const url = server.newUrl()
    await (await openAgentStore({ url, path: "" }, { now: () => 0 })).close()
    await (await openRecordStore({ url, path: "" }, { readOnly: false })).close()
    const postgres = await openPostgres(url)
    for (const [path, text] of Object.entries(texts)) {
      const [, agent = "main", own = path] = /^agents\/(.+?)\/(.+)$/.exec(path) ?? []
      const documents = await openDocuments(postgres, agent)
      const store = documentStore(own) ?? ""
      await documents.write({ store, path: own, needs: "public", text }, { expects: "absent" })
    }
    await postgres.close()
    return url
  }

  test("what the database keeps about a person is named as files are, whichever agent has it", async () => {
    const empty = await database({})
    const [memory, own] = [
      (name: string) => `Not deleted: memory; to find lines to delete, run \`incipit memory search ${name}\``,
      "Not deleted: users/bob/, their files",
    ]
    for (const person of ["bob", "carol"]) {
      const expected = person === "bob" ? [memory(person), own] : [memory(person)]
      expect(await prune(folder(TEXTS), person, empty)).toEqual(expected)
      expect(await prune(folder(), person, await database(TEXTS))).toEqual(expected)
    }
    const { "agents/tide/MEMORY.md": text } = TEXTS
    expect(await prune(folder(), "bob", await database({ "agents/tide/MEMORY.md": text }))).toEqual([
      memory("bob"),
    ])
    expect(await prune(folder(), "bob", empty)).toEqual([])
  })
})
