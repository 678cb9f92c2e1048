// Paths of a bill, shortened for people.
import { expect, test } from "vitest"
import { withShortPaths } from "../../../src/cli/commands/bill/short-paths.ts"
import { WEEK } from "../views/bill/sample-bills.ts"

function shortened(projects: readonly string[], texts: readonly string[]): readonly string[] {
  const [session] = WEEK.bySession
  if (session === undefined) throw new Error("the week has a session")
  const bySession = projects.map((project) => ({ ...session, project }))
  const advice = texts.map((text) => ({
    kind: "skills" as const,
    text,
    savesUsd: 1,
    simulated: true as const,
  }))
  return withShortPaths({ ...WEEK, bySession, advice }, "/home/ada").advice.map(({ text }) => text)
}

test("paths begin at their project, else at the home folder; of two projects the inner one counts", () => {
  const texts = [
    "shorten /home/ada/a/b/x.md and /home/ada/a/y.md",
    "/home/ada/z.md",
    "/home/adam/z.md",
    "a/b",
  ]
  expect(shortened(["/home/ada/a", "/home/ada/a/b"], texts)).toEqual([
    "shorten b/x.md and a/y.md",
    ...["~/z.md", "/home/adam/z.md", "a/b"],
  ])
  expect(shortened(["/home/ada/a"], ["/home/ada/a/y.md"])).toEqual(["y.md"])
})

test("twenty thousand projects take no longer for each text than one", () => {
  const projects = Array.from({ length: 20_000 }, (_, at) => `/work/project-${at}`)
  const texts = projects.map((path) => `${path}/AGENTS.md`)
  expect(shortened(projects, texts).at(-1)).toBe("project-19999/AGENTS.md")
})
