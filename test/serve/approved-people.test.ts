// Users, rooms and situations of a folder that others can reach: a change that nobody has approved gives nobody more
// trust, in the server and in its agents, and less trust counts at once.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { openServedAgent } from "../../src/agent/setup/open.ts"
import { approvables } from "../../src/approval/approvable.ts"
import { withApprovals } from "../../src/approval/approvals.ts"
import { approvedPeople } from "../../src/approval/approved-people.ts"
import { approveFolder } from "../../src/approval/folder.ts"
import { currentConfig } from "../../src/serve/gateway/current-config.ts"
import { personOn, resolveAudience } from "../../src/sources/config/policy.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"

const BO = "bo: { trust: familiar, match: ['telegram:1'] }"
const STAFF = "staff: { trust: full, match: ['telegram:*'] }"
const MALLORY = "m: { trust: full, match: ['telegram:666'] }"
const yaml = (users: string) =>
  `profile: incipit\nserve: { channels: { telegram: { token: BOT } } }\nusers: { ${users} }\n`

function served(first: string) {
  const folder = mkdtempSync(join(tmpdir(), "incipit-people-"))
  const [root, home] = [join(folder, "workspace"), join(folder, "home")]
  for (const path of [join(root, "rules"), home]) mkdirSync(path, { recursive: true })
  writeFileSync(join(root, "rules", "safe.md"), "---\ntrust: full\n---\nThe safe opens with 4711.\n")
  const write = (text: string) => writeFileSync(join(root, "incipit.yaml"), text)
  const approve = () => {
    const items = approvables(openWorkspace(root))
    withApprovals(home, (all) => {
      for (const { kind, digest, name } of items) all.approve({ kind, digest, name, at: 1 })
    })
    approveFolder(root, items, { home, at: 1 })
  }
  write(first)
  approve()
  const warnings: string[] = []
  const people = approvedPeople({ ...openWorkspace(root), home }, home)
  const config = currentConfig(root, (line) => warnings.push(line), people)
  const trustOf = (channel: string) => resolveAudience(config(), { channel }, "incipit.yaml").audience.trust
  return { folder, root, home, write, approve, warnings, people, config, trustOf }
}

test("more trust waits for the approval, and less counts at once", () => {
  const { write, approve, warnings, config, trustOf } = served(yaml(BO))
  write(yaml(`${BO.replace("familiar", "full")}, ${MALLORY}`))
  expect(["telegram:1", "telegram:666"].map(trustOf)).toEqual(["familiar", "public"])
  expect(personOn(config(), "telegram:666")).toBe(undefined)
  expect(warnings).toEqual([expect.stringContaining("run `incipit hooks approve serve`")])
  approve()
  expect(["telegram:1", "telegram:666"].map(trustOf)).toEqual(["full", "full"])
  // From now on this is what was approved.
  write(yaml(BO.replace("familiar", "public")))
  expect(["telegram:1", "telegram:666"].map(trustOf)).toEqual(["public", "public"])
  write(yaml(`${BO.replace("familiar", "full")}, x: { trust: public }`))
  expect(trustOf("telegram:1")).toBe("full")
})

test.each([
  ["without the settings that needed approval", `users: { ${BO.replace("familiar", "full")} }\n`],
  ["in another order", yaml(`${STAFF}, ${BO}`)],
  ["with an identity that moves to another user", yaml(STAFF)],
  [
    "with a room in the place of a person",
    `${yaml(`${BO}, ${STAFF}`)}rooms: { "telegram:1": { trust: full, situation: dm } }\n`,
  ],
])("nobody gets more trust from users %s", (_, changed) => {
  const { write, trustOf } = served(yaml(`${BO}, ${STAFF}`))
  write(changed)
  expect(["public", "familiar"]).toContain(trustOf("telegram:1"))
})

test("an agent that is served keeps what it may not tell, until the change is approved", async () => {
  const { folder, root, home, write, approve, people } = served(yaml(BO))
  const options = { workspace: root, home, state: join(folder, "state"), env: {}, model: offlineModel() }
  const agent = await openServedAgent(options, people)
  onTestFinished(() => agent.close())
  const knows = async () =>
    JSON.stringify((await agent.send("Hi?", { channel: "telegram:666" })).prompt).includes("4711")
  write(yaml(`${BO}, ${MALLORY}`))
  expect(await knows()).toBe(false)
  approve()
  expect(await knows()).toBe(true)
})

test("a folder that opens nothing needs no approval for its users", () => {
  const { people, write, trustOf } = served(`users: { ${BO} }\n`)
  expect(people).toBe(undefined)
  write(`users: { ${BO}, ${MALLORY} }\n`)
  expect(trustOf("telegram:666")).toBe("full")
})
