import { writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { call, say } from "../../agent/world/agent-world.ts"
import { openPageWorld } from "./page-world.ts"

const FILES = {
  "incipit.yaml": "users:\n  ada: { trust: familiar }\n  kim: { trust: full }\nfeeds: { bulletin: off }\n",
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\nBe brief.\nAnswer in English.\n",
  "AGENTS.md": "Use metric units.\n\nAlways say the tide.\n",
}

test("look", async () => {
  const world = await openPageWorld({
    files: FILES,
    scripts: [call(["list", {}]), say("High water at two."), say("Yes."), say("No."), say("Well.")],
  })
  const { operator } = world
  const one = await operator.say("when is high water?")
  await operator.say("sure?", one.session)
  world.pass(600_000)
  const kim = await world.as("kim")
  const hers = await kim.say("hello, this is kim")
  const out: Record<string, unknown> = {}
  for (const by of ["owner", "day", "session", "person", "model", "client"])
    out[by] = await operator.get(`/api/page/costs?by=${by}`)
  for (const by of ["owner", "session", "person"]) out[`kim ${by}`] = await kim.get(`/api/page/costs?by=${by}`)
  out.simulated = await operator.get(`/api/page/simulated?session=${one.session}`)
  out.kimSimulated = await kim.get(`/api/page/simulated?session=${hers.session}`)
  out.kimOther = await kim.raw(`/api/page/simulated?session=${one.session}`)
  const ada = await world.as("ada")
  out.ada = await ada.raw("/api/page/costs?by=owner")
  writeFileSync("/tmp/h/money.json", JSON.stringify(out, null, 1))
  expect(1).toBe(1)
})
