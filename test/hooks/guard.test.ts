// A guard: a module whose `tool_call` must have looked at a call before it runs.
import { expect, test } from "vitest"
import { hooksOf } from "../../src/hooks/module-hooks.ts"
import { benchOf, named, never, sessionOf, turn, untyped } from "./runner.ts"

const { session } = sessionOf()
const event = { session, turn, id: "c1", name: "shell", input: { command: "ls" } }
const refused = (name: string) => ({
  input: event.input,
  block: { by: name, why: `the guard ${name} failed to check it` },
})

test("a guard that throws or answers nonsense refuses the call; another module only costs itself", async () => {
  const broken = { tool_call: () => Promise.reject(new Error("no")) }
  const asked: string[] = []
  const after = named("after", { tool_call: ({ name }) => void asked.push(name) })
  const open = benchOf([named("plain", broken), after])
  expect(await open.runner.toolCall(event, never())).toEqual({ input: event.input })
  const closed = benchOf([{ ...named("door", broken), guard: true }, after])
  expect(await closed.runner.toolCall(event, never())).toEqual(refused("door"))
  const odd = benchOf([{ ...named("odd", untyped({ tool_call: () => 3 })), guard: true }])
  expect(await odd.runner.toolCall(event, never())).toEqual(refused("odd"))
  expect(asked).toEqual(["shell"])
  expect(closed.troubles).toEqual([{ name: "door", hook: "tool_call", error: "no" }])
})

test("a guard that hangs refuses the call after its time", async () => {
  const begun = Promise.withResolvers<void>()
  const hangs = named("door", {
    tool_call: () => {
      begun.resolve()
      return new Promise(() => {})
    },
  })
  const { runner, pass } = benchOf([{ ...hangs, guard: true }])
  const effects = runner.toolCall(event, never())
  await begun.promise
  pass()
  expect(await effects).toEqual(refused("door"))
})

test("a guard that works lets pass what it does not block, and other hooks of it may fail", async () => {
  const door = named("door", {
    tool_call: ({ input }) => ({ input: { ...(input as object), checked: true } }),
    tool_result: () => Promise.reject(new Error("no")),
  })
  const { runner } = benchOf([{ ...door, guard: true }])
  expect(await runner.toolCall(event, never())).toEqual({ input: { command: "ls", checked: true } })
  const result = { ...event, text: "Done.", isError: false }
  expect(await runner.toolResult(result, never())).toEqual({ text: "Done.", isError: false })
})

test("a module says that it is one; whatever is there but `false` counts", () => {
  const guards = [undefined, false, true, "off"].map(
    (guard) =>
      hooksOf({ default: { guard, tool_call() {} } }, { path: "./door.ts", name: "door" }).hooks?.guard,
  )
  expect(guards).toEqual([undefined, undefined, true, true])
})
