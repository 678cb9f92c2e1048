import { writeFileSync } from "node:fs"
import { test } from "vitest"
import { call, say } from "../../agent/world/agent-world.ts"
import { openPageWorld } from "./page-world.ts"

test("look", async () => {
  const world = await openPageWorld({
    files: {
      "incipit.yaml": "users:\n  ada: { trust: familiar }\nfeeds: { bulletin: off }\n",
      "SOUL.md": "# Soul\n\nYou keep the lighthouse.\nBe brief.\nAnswer in English.\n",
      "AGENTS.md": "Use metric units.\n\nAlways say the tide.\n",
      "MEMORY.md": "The key is under the third stone.\n",
    },
    scripts: [call(["list", {}]), say("High water at two."), say("Yes."), say("No."), say("Well.")],
  })
  const { operator } = world
  const one = await operator.say("when is high water?")
  await operator.say("sure?", one.session)
  world.write("SOUL.md", "# Soul\n\nYou keep the lighthouse.\nBe very brief.\nAnswer in English.\n")
  await operator.say("and now?", one.session)
  world.pass(600_000)
  const last = await operator.say("and now?", one.session)
  const ada = await world.as("ada")
  const hers = await ada.say("hello", undefined)
  writeFileSync(
    "/tmp/h/look.json",
    JSON.stringify(
      {
        info: await operator.get("/api/page"),
        adaInfo: await ada.get("/api/page"),
        sessions: await operator.get("/api/page/sessions"),
        adaSessions: await ada.get("/api/page/sessions"),
        calls: await operator.get(`/api/calls?session=${one.session}`),
        adaCalls: await ada.get(`/api/calls?session=${hers.session}`),
        adaDetail: await ada.get(`/api/calls/${hers.turn}.1`),
        detail: await operator.get(`/api/calls/${last.turn}.1`),
        first: await operator.get(`/api/calls/${one.turn}.1`),
        second: await operator.get(`/api/calls/${one.turn}.2`),
        carried: await operator.get(`/api/carried?path=SOUL.md&from=4`),
      },
      null,
      1,
    ),
  )
})
