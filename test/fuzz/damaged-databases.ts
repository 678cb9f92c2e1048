// Databases as somebody else may have left them: real ones with bytes changed, cut short or made up, opened and read by
// those who use them. What is changed is taken from the text, so that a failing one can be made again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sessionOf } from "../../src/database/rows/session-rows.ts"
import { STORE_MIGRATIONS } from "../../src/database/sqlite/agent/file/schema.ts"
import { openDatabase } from "../../src/database/sqlite/open-database.ts"
import { openRecordFile } from "../../src/database/sqlite/record/open-record.ts"
import { RECORD_MIGRATIONS } from "../../src/database/sqlite/record/schema.ts"
import { queryEvents } from "../../src/record/ask/logs.ts"
import { memoryFolder } from "../memory/folder.ts"

type Damage = (bytes: Buffer) => Buffer

function damageFrom(text: string): Damage {
  return (sound) => {
    if (text.startsWith("[")) return Buffer.from(text)
    const bytes = Buffer.from(sound)
    for (let at = 0; at + 2 < text.length; at += 3) {
      const place = (text.charCodeAt(at) * 257 + text.charCodeAt(at + 1)) % bytes.length
      bytes[place] = text.charCodeAt(at + 2) & 0xff
    }
    const isCut = text.length % 5 === 0
    return isCut ? bytes.subarray(0, (text.length * 997) % bytes.length) : bytes
  }
}

function inFolder(use: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "incipit-fuzz-db-"))
  try {
    use(join(folder, "file.db"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const SOUND = new Map<string, Buffer>()

/** The bytes of a sound file of this kind, made once. */
function soundBytes(kind: string, make: (path: string) => void): Buffer {
  const known = SOUND.get(kind)
  if (known !== undefined) return known
  inFolder((path) => {
    make(path)
    SOUND.set(kind, readFileSync(path))
  })
  return SOUND.get(kind) ?? Buffer.alloc(0)
}

export function damagedStore(text: string): void {
  const options = { migrations: STORE_MIGRATIONS }
  const sound = soundBytes("store", (path) => openDatabase(path, options).close())
  inFolder((path) => {
    writeFileSync(path, damageFrom(text)(sound))
    const database = openDatabase(path, options)
    try {
      for (const row of database.all("SELECT * FROM sessions")) sessionOf(row)
    } finally {
      database.close()
    }
  })
}

export async function damagedRecord(text: string): Promise<void> {
  const options = { migrations: RECORD_MIGRATIONS }
  const sound = soundBytes("record", (path) => openDatabase(path, options).close())
  const folder = mkdtempSync(join(tmpdir(), "incipit-fuzz-db-"))
  const path = join(folder, "file.db")
  writeFileSync(path, damageFrom(text)(sound))
  const store = openRecordFile(path, { readOnly: true })
  try {
    await queryEvents(store, {})
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function damagedMemory(text: string): Promise<void> {
  const folder = memoryFolder({ "private/notes.md": "- Carol likes tea.\n- The lamp is on.\n" })
  try {
    await folder.memory.refresh()
    await folder.memory.close()
    const index = join(folder.path, "state", "memory.sqlite")
    writeFileSync(index, damageFrom(text)(readFileSync(index)))
    const memory = folder.open()
    memory.search("tea", { trust: "full" })
    await memory.refresh()
  } finally {
    await folder.remove()
  }
}
