// A folder from elsewhere, with every trick we know, opened by every command: nothing of it runs, nothing is written
// but the user's state, nothing is connected to, and every command ends by itself, soon, and says why if it could not.
// Where strace cannot be used, the same commands run, and are judged by what hostile code would leave behind.
import { afterAll, describe, expect, test } from "vitest"
import { COMMANDS } from "../../src/cli/command-line/table/commands.ts"
import { ONE_EACH, tryInvocations } from "./every-command.ts"
import { CLONED_WITH_GIT, COMBINED } from "./folders.ts"
import { INVOCATIONS } from "./invocations.ts"
import { NOT_TRACED, removeCompiled } from "./watched.ts"

afterAll(removeCompiled)

/** They are there to start programs and to mount: `test/sandbox/` tries what those can do. */
const STARTS_PROGRAMS = ["sandbox check", "sandbox shell"]

test("every command of the table is tried", () => {
  const tried = [...Object.keys(INVOCATIONS), ...STARTS_PROGRAMS]
  expect(tried.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted())
})

test.skipIf(NOT_TRACED === undefined)(`no calls were traced: ${NOT_TRACED}`, (context) => context.skip())

describe("a hostile folder", { timeout: 600_000 }, () => {
  // The two differ in who wrote the folder, so each command gets one of them here, and both in the long run.
  const halves = [COMBINED, CLONED_WITH_GIT].map((folder, half) => ({ ...folder, half }))
  test.each(halves)("$name", async ({ tricks, half }) => {
    const commands = ONE_EACH.filter((_, at) => at % 2 === half)
    expect(await tryInvocations(tricks, commands)).toEqual({})
  })
})
