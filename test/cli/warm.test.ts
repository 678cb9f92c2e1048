// What runs in the warm process prints and returns what a program of its own does.
import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { incipit } from "./run.ts"
import { runWarm } from "./warm.ts"

const env = { PATH: process.env.PATH ?? "", HOME: tmpdir(), TZ: "UTC", COLUMNS: "80" }

test.each([
  [["check", "--workspace", "examples/lighthouse"]],
  [["build", "--as", "nobody", "--workspace", "examples/lighthouse"]],
  [["explain", "--workspace", "no/such/folder", "soul"]],
  [["bulid"]],
])("%j", (args) => {
  const line = { args, cwd: process.cwd(), env, input: "" }
  expect(runWarm(line)).toEqual(incipit(args, { env }))
})
