// The files that a bill is made from: of the readers and folders that were asked for, in the order in which their calls
// count, without those that cannot hold a call of the period.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { byCodePoint } from "../../base/order.ts"
import type { Client } from "../call.ts"
import type { CaptureFile, CaptureReader } from "../clients/reader.ts"
import type { BillReading } from "./bill.ts"
import type { BillQuestion } from "./question.ts"

export interface FoundFile {
  readonly reader: CaptureReader
  readonly file: CaptureFile
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  readonly bytes: number
  readonly skipped: number
  readonly clients: BillReading["clients"]
}

/** Readers whose files may hold calls of other clients, too. */
const ANY_CLIENT: ReadonlySet<Client> = new Set<Client>(["agent-sdk", "incipit", "other"])

/** What was captured is known better than from a client's own files. */
function isOwn({ reader }: FoundFile): boolean {
  return reader.client === "incipit"
}

/** Our own record first, then earlier readers, then older files: of a session that was continued in another file, the first file counts. */
export async function findFiles(
  question: BillQuestion,
  onNote: (diagnostic: Diagnostic) => void,
): Promise<FoundFiles> {
  const { machine, readers, folders, client, since } = question
  const files: FoundFile[] = []
  const clients: BillReading["clients"][number][] = []
  const seen = new Set<string>()
  let skipped = 0
  for (const reader of readers) {
    if (client !== undefined && reader.client !== client && !ANY_CLIENT.has(reader.client)) continue
    const found: CaptureFile[] = []
    const existing: string[] = []
    for (const folder of new Set(folders ?? reader.folders(machine))) {
      const inside = await reader.files(folder, onNote)
      if (inside.length > 0) existing.push(folder)
      for (const file of inside) {
        // Two readers may understand one file: the first one reads it.
        if (seen.has(file.path)) continue
        seen.add(file.path)
        found.push(file)
      }
    }
    const wanted = found.filter(({ changedAt }) => since === undefined || changedAt >= since)
    skipped += found.length - wanted.length
    clients.push({ client: reader.client, title: reader.title, folders: existing, files: wanted.length })
    const sorted = wanted.toSorted((a, b) => a.changedAt - b.changedAt || byCodePoint(a.path, b.path))
    files.push(...sorted.map((file) => ({ reader, file })))
  }
  const ordered = files.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  return { files: ordered, bytes: files.reduce((sum, { file }) => sum + file.bytes, 0), skipped, clients }
}
