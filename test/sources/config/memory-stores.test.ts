// Stores are folders of memory/: a name that leads out of it would make somebody's other files memories.
import { afterEach, beforeEach, expect, test } from "vitest"
import { memoryStores } from "../../../src/sources/config/memory-stores.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const storesOf = (name: string) => {
  folder.write("workspace/incipit.yaml", `memory: { stores: { ${JSON.stringify(name)}: inner } }\n`)
  return [...memoryStores(openWorkspace(folder.root)).value]
}

test.each(["../../outside", "..", ".", "", "x/../../y", "x\n/../..", "..\\..\\y", "/etc"])(
  "%j is no store",
  (name) => {
    expect(() => storesOf(name)).toThrow(`incipit.yaml:1: memory.stores.${name}: is not a folder of memory/`)
  },
)

test.each(["boats", "a b", "..boats", "boats/old"])("%j is a store", (name) => {
  expect(storesOf(name)).toContainEqual([name, "inner"])
})
