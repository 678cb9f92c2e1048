// The view of an audience is made once for each agent and session, however many heads are made of them.
import { expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeAgent, makeSession } from "../make.ts"

test("heads with different options share the view that was asked for", () => {
  const compiler = createCompiler({ profile: incipit, counter: o200k })
  const [agent, session] = [makeAgent(), makeSession()]
  let looks = 0
  const watched = new Proxy(agent, {
    get(target, name) {
      if (name === "extensions") looks += 1
      return Reflect.get(target, name, target)
    },
  })
  const seen = compiler.view(watched, session)
  const made = looks
  expect(made).toBeGreaterThan(0)
  const first = compiler.head(watched, session)
  compiler.head(watched, session, { baseline: first.baseline })
  compiler.head(watched, session, { rebase: "once more" })
  expect(looks).toBe(made)
  expect(compiler.view(watched, session)).toBe(seen)
  expect(compiler.view(watched, { ...session })).not.toBe(seen)
})
