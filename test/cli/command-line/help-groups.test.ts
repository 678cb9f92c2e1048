// `incipit --help`: what matters first comes first, and no command is missing.
import { expect, test } from "vitest"
import { COMMANDS, HELP_GROUPS } from "../../../src/cli/command-line/table/commands.ts"
import { incipitHere } from "../here.ts"

test("every command is in one group of the help", () => {
  const names = [...new Set(COMMANDS.map(({ name }) => name.split(" ", 1)[0]))]
  expect(Object.values(HELP_GROUPS).flat().toSorted()).toEqual(names.toSorted())
})

test("the five commands that a newcomer needs come first", async () => {
  const { stdout, status } = await incipitHere(["--help"], { cwd: "/" })
  const lines = stdout.split("\n")
  const first = lines.indexOf("Start here:")
  const shown = lines.slice(first + 1, lines.indexOf("", first)).filter((line) => /^ {2}\S/.test(line))
  expect(shown.map((line) => line.trim().split(" ", 1)[0])).toEqual(["bill", "build", "init", "chat", "run"])
  expect(stdout.match(/^\S.*:$/gm)).toEqual(["Options:", ...Object.keys(HELP_GROUPS)])
  expect(status).toBe(0)
})

test.each([
  [["-p", "--zzzzzzzz"], "run"],
  [["-c", "--zzzzzzzz"], "chat"],
  [["--continue", "-p", "--zzzzzzzz"], "run"],
])("%s is a flag of another command", async (args, command) => {
  const { stderr } = await incipitHere(args, { cwd: "/" })
  expect(stderr).toBe(
    `incipit: unknown option '--zzzzzzzz'\nRun \`incipit ${command} --help\` for its arguments and flags.\n`,
  )
})
