// Completions in a real bash; for the other shells, that every command and flag is in their script.
import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { SHELLS } from "../../../src/cli/command-line/completions.ts"
import { COMMANDS } from "../../../src/cli/command-line/table/commands.ts"
import { warmIncipit as incipit } from "../run.ts"

/** What bash would offer after these words. */
function offered(script: string, words: readonly string[]): readonly string[] {
  const program = `${script}
COMP_WORDS=(incipit ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; COMPREPLY=()
_incipit; printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync("bash", ["--norc", "-c", program], { encoding: "utf8" })
  return printed.split("\n").filter((line) => line !== "")
}

test("bash completes commands, groups, flags and what flags take", () => {
  const { stdout } = incipit(["completions", "bash"])
  expect(offered(stdout, ["bu"])).toEqual(["build"])
  expect(offered(stdout, ["memory", ""])).toEqual([
    ...["index", "search", "get", "add", "why-not", "export", "import"],
  ])
  expect(offered(stdout, ["hooks", ""])).toEqual(["approve", "revoke"])
  expect(offered(stdout, ["hooks", "approve", "--y"])).toEqual(["--yes"])
  expect(offered(stdout, ["build", "--mo"])).toEqual(["--mode", "--model"])
  expect(offered(stdout, ["build", "--mode", ""])).toEqual(["full", "minimal", "subagent"])
  expect(offered(stdout, ["memory", "search", "--lim"])).toEqual(["--limit"])
  expect(offered(stdout, ["completions", ""])).toEqual([...SHELLS])
  expect(offered(stdout, ["run", "--log-level", "w"])).toEqual(["warn"])
  expect(offered(stdout, ["build", "--workspace", "exam"])).toEqual(["examples"])
})

test.each(SHELLS)("the script for %s has every command and every flag", (shell) => {
  const { stdout, status } = incipit(["completions", shell])
  expect(status).toBe(0)
  const missing = COMMANDS.flatMap(({ name, flags }) => [
    ...name.split(" "),
    ...flags.map((flag) => (shell === "fish" ? `-l ${flag.name}` : `--${flag.name}`)),
  ]).filter((text) => !stdout.includes(text))
  expect(missing).toEqual([])
})

test.each(["zsh", "fish"])("the script for %s offers what is under a command", (shell) => {
  const { stdout } = incipit(["completions", shell])
  const offers = stdout
    .split("\n")
    .filter((line) => /\bcompadd |seen_subcommand_from \w+; and not /.test(line))
  const missing = COMMANDS.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")] : [])).filter(
    ([group = "", second = ""]) =>
      !offers.some((line) => line.includes(group) && line.split(" ").includes(second)),
  )
  expect([offers.length > 0, missing]).toEqual([true, []])
})

test("a shell that is not known gets a clear line", () => {
  const { stderr, status } = incipit(["completions", "tcsh"])
  expect(status).toBe(2)
  expect(stderr).toBe(
    'incipit: completions exist for bash, zsh, fish, not for "tcsh". Run the command with --help to see its arguments and flags.\n',
  )
})
