// What a person may not see changes no byte of what `/mcp` answers them: neither texts, nor people, nor how many calls
// others made. And what is another person's looks the same as what doesn't exist.
import { expect, test } from "vitest"
import { call, say } from "../../agent/world/agent-world.ts"
import { CONFIG, named, openPageWorld, type PageClient } from "../page/page-world.ts"
import { everything } from "./everything.ts"
import { askMcp, callTool } from "./mcp-caller.ts"

const SHARED = {
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "memory/social/c.md": "The sails of the boat are white.\n",
  "skills/knots/SKILL.md": "---\nname: knots\ndescription: Ties knots.\n---\nTie a bowline.\n",
}
const HIDDEN = {
  "IDENTITY.md": "---\ntrust: full\nname: Stone\n---\nNobody knows this name.\n",
  "MEMORY.md": "The key is under the third stone.\n",
  "memory/private/a.md": "The ring of the boat is at the jeweller's.\n",
  "users/bo/USER.md": "---\ntrust: familiar\n---\nBo is afraid of water.\n",
  "skills/safe/SKILL.md": "---\nname: safe\ndescription: Opens the safe.\ntrust: full\n---\nTurn left.\n",
}
const OTHERWISE = {
  "MEMORY.md": "The key is in the boat, and this text is much longer than the other.\n",
  "memory/private/b.md": "The white boat is sold. White sails, too.\n",
}

const world = (files: Readonly<Record<string, string>>, config = CONFIG) =>
  openPageWorld({
    files: { ...SHARED, ...files, "incipit.yaml": config },
    scripts: [say("High water at two.")],
  })

test("two folders that differ only in what Ada may not see answer her the same bytes", async () => {
  const one = await world(HIDDEN)
  const more = CONFIG.replace("bo: { trust: familiar }", "bo: { trust: inner }, cleo: { trust: full }")
  const other = await world(OTHERWISE, more)
  const [hers, alsoHers] = [await one.as("ada"), await other.as("ada")]
  await other.operator.say("where is the ring?")
  const [mine, alsoMine] = [await hers.say("when is high water?"), await alsoHers.say("when is high water?")]
  await (await other.as("bo")).say("hello")
  await hers.say("sure?", mine.session)
  await alsoHers.say("sure?", alsoMine.session)
  const all = async (who: PageClient) =>
    named(await everything((method, params) => askMcp(who, method, params)))
  const answers = await all(hers)
  expect(await all(alsoHers)).toBe(answers)
  // It is worth comparing.
  for (const seen of ["You keep the lighthouse", "The sails of the boat", "Ties knots", "Tie a bowline"])
    expect(answers).toContain(seen)
  // What she asked for herself comes back in the answer.
  for (const hidden of ["Stone", "The key", "jeweller", "afraid", "Turn left", "Opens", "cleo", "inner"])
    expect(answers).not.toMatch(new RegExp(`\\b${hidden}\\b`))
})

test("the session of another is the same as none, and a stranger's token gets nothing of the workspace", async () => {
  const { as, operator } = await world(HIDDEN)
  const ada = await as("ada")
  const { session, turn } = await ada.say("when is high water?")
  const none = "01m7j3e3y476tj2g9e6j"
  const asked = (id: string, step: string) =>
    [
      ["tools/call", { name: "trace", arguments: { id } }],
      ["tools/call", { name: "logs", arguments: { session: id } }],
      ["tools/call", { name: "cost", arguments: { session: id } }],
      ["tools/call", { name: "explain", arguments: { what: "SOUL.md", call: step } }],
      ["resources/read", { uri: `incipit://calls/${step}` }],
    ] as const
  const bo = await as("bo")
  for (const [at, [method, params]] of asked(session, `${turn}.1`).entries()) {
    const [other, same] = asked(none, `${none}.1`)[at] ?? []
    const plain = (text: string) =>
      text.replaceAll(session, "ID").replaceAll(turn, "ID").replaceAll(none, "ID")
    expect(plain(await askMcp(bo, method, params))).toBe(plain(await askMcp(bo, other ?? "", same)))
    expect(await askMcp(operator, method, params)).toMatch(/^200 /)
  }
})

test("what tools were given and what calls cost is for full trust", async () => {
  const { as, operator } = await openPageWorld({
    files: { ...SHARED, "incipit.yaml": CONFIG },
    scripts: [call(["read", { path: "herring.md" }]), say("There is none.")],
  })
  const ada = await as("ada")
  const { session, turn } = await ada.say("is there fish?")
  const seen = async (who: PageClient) =>
    JSON.stringify([
      await callTool(who, "trace", { id: turn }),
      await callTool(who, "logs", { session }),
      await callTool(who, "explain", { what: "SOUL.md", call: `${turn}.2` }),
    ])
  expect(await seen(operator)).toMatch(/output_tokens=.*herring|herring.*output_tokens=/s)
  const hers = await seen(ada)
  expect(hers).toMatch(/\[tool\] read/)
  expect(hers).not.toMatch(/herring|cost=|output_tokens=/)
})
