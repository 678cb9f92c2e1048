// What a person may not see changes no byte of what `/mcp` answers them: neither texts, nor people, nor how many calls
// others made. And what is another person's looks the same as what doesn't exist.
import { expect, test } from "vitest"
import { say } from "../../agent/world/agent-world.ts"
import { CONFIG, named, openPageWorld, type PageClient } from "../page/page-world.ts"
import { askMcp } from "./mcp-caller.ts"

const SHARED = {
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "memory/social/sails.md": "The sails are white.\n",
  "skills/knots/SKILL.md": "---\nname: knots\ndescription: Ties knots.\n---\nTie a bowline.\n",
}
const HIDDEN = {
  "IDENTITY.md": "---\ntrust: full\nname: Stone\n---\nNobody knows this name.\n",
  "MEMORY.md": "The key is under the third stone.\n",
  "memory/private/ring.md": "The white ring is at the jeweller's.\n",
  "users/bo/USER.md": "---\ntrust: familiar\n---\nBo is afraid of water.\n",
  "skills/safe/SKILL.md": "---\nname: safe\ndescription: Opens the safe.\ntrust: full\n---\nTurn left.\n",
}
const OTHERWISE = {
  "MEMORY.md": "The key is in the boat, and this text is much longer than the other.\n",
  "memory/private/boat.md": "The white boat is sold. White sails, too.\n",
}

const TOOLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["memory", { do: "search", query: "white sails ring" }],
  ["memory", { do: "get", path: "private/ring.md" }],
  ["memory", { do: "get", path: "social/sails.md" }],
  ["explain", { what: "SOUL.md" }],
  ["explain", { what: "MEMORY.md" }],
  ["explain", { what: "the third stone" }],
  ["explain", { what: "MEMORY.md", call: "last" }],
  ["trace", {}],
  ["cost", {}],
  ["cost", { by: "owner" }],
  ["logs", { limit: 200 }],
  ["logs", { session: "01m7j3e3y476tj2g9e6j" }],
  ["compile", {}],
  ["compile", { text: true }],
  ["compile", { user: "bo" }],
  ["bill", {}],
]

const RESOURCES = [
  ...["incipit://prompt", "incipit://prompt/report", "incipit://files/SOUL.md", "incipit://files/MEMORY.md"],
  ...["skill://knots/SKILL.md", "skill://safe/SKILL.md", "incipit://calls/01m7j3e3y476tj2g9e6j.1"],
]

/** Everything that can be asked. */
async function everything(who: PageClient): Promise<string> {
  const found: string[] = []
  for (const list of [
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "skills/list",
  ])
    found.push(await askMcp(who, list))
  for (const [name, input] of TOOLS) found.push(await askMcp(who, "tools/call", { name, arguments: input }))
  for (const uri of RESOURCES) found.push(await askMcp(who, "resources/read", { uri }))
  for (const name of ["knots", "safe", "nothing"])
    found.push(await askMcp(who, "prompts/get", { name, arguments: {} }))
  // Ids depend on chance, and so does how many tokens they are.
  return named(found.join("\n")).replaceAll(/"tokens":\d+\},"resultType"/g, '"tokens":0},"resultType"')
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
  const answers = await everything(hers)
  expect(await everything(alsoHers)).toBe(answers)
  // It is worth comparing.
  for (const seen of ["You keep the lighthouse", "The sails are white", "Ties knots", "Tie a bowline"])
    expect(answers).toContain(seen)
  // What she asked for herself, "stone" and "ring" among it, comes back in the answer.
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
