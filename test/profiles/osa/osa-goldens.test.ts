// Whole prompts of the `osa` profiles, to be read as prose.
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import {
  compileBefore,
  compileOsa,
  fillHome,
  type Given,
  INPUTS,
  SEARCH,
  SESSION,
  SYSTEM_MD,
  TOOLS,
  TURN,
} from "./osa-folder.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

const FULL: Given = { tools: [...TOOLS, SEARCH], session: SESSION, turn: TURN }
const migrated = () => {
  fillHome(folder)
  folder.write("home/.osa/prompts/SYSTEM.md", SYSTEM_MD)
}
const legacy = () => {
  fillHome(folder)
  folder.write("home/.osa/IDENTITY.md", "You are Mel, who keeps the hives in order.\n")
  folder.write("home/.osa/SOUL.md", "Slow to alarm, quick to help.\n")
}
const inGroup = (session: Given["session"]): Given => ({ ...FULL, session: { ...SESSION, ...session } })

const CASES: Readonly<Record<string, () => string>> = {
  "empty-folder": () => compileOsa(folder).text,
  "bundled-base": () => {
    fillHome(folder)
    return compileOsa(folder, FULL).text
  },
  "own-system-md": () => {
    migrated()
    return compileOsa(folder, FULL).text
  },
  "own-system-md-with-nothing-to-place": () => {
    folder.write("home/.osa/prompts/SYSTEM.md", SYSTEM_MD)
    return compileOsa(folder, { turn: { message: "hi" } }).text
  },
  "legacy-files": () => {
    legacy()
    return compileOsa(folder, FULL).text
  },
  "plan-mode": () => {
    migrated()
    return compileOsa(folder, { turn: { message: "Build a new API", planMode: true } }).text
  },
  "friend-in-group": () => {
    legacy()
    return compileOsa(folder, inGroup({ situation: "group" })).text
  },
  stranger: () => {
    legacy()
    return compileOsa(folder, inGroup({ channel: "telegram:9" })).text
  },
  "little-room": () => {
    migrated()
    const bulletin = Array.from({ length: 60 }, (_line, at) => `Fact ${at + 1} of the week.`).join("\n")
    const turn = { ...TURN, inputs: { ...INPUTS, bulletin } }
    return compileOsa(folder, { ...FULL, turn, conversationTokens: 128_000 }).text
  },
  before: () => {
    fillHome(folder)
    return compileBefore(folder, FULL).text
  },
  "before-with-own-identity": () => {
    legacy()
    return compileBefore(folder, { ...FULL, turn: { ...TURN, planMode: true } }).text
  },
}

test.each(Object.entries(CASES))("%s", async (name, text) => {
  await expect(text()).toMatchFileSnapshot(`../../golden/osa/${name}.txt`)
})
