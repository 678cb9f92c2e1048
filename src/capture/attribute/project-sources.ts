// What is known of one client's files in one project: those that it reads by itself, those that a request names, as they
// are now, as the client saw them, and as they were in earlier commits. Reads files when they are first asked for.
import { dirname, join, resolve } from "node:path"
import { refOf } from "../../database/text-ref.ts"
import { isInside } from "../../files/inside.ts"
import { readRegular } from "../../files/read-regular.ts"
import { pastVersions, trackedFiles } from "../../sources/git/past-files.ts"
import type { SeenFile } from "../call.ts"
import { objectAt } from "../clients/row-fields.ts"
import { jsonObject } from "../json-object.ts"
import { type Candidate, type CandidateOptions, candidatesOf, settingsOf } from "./candidates.ts"
import { type Field, type FieldTable, fieldOf } from "./fields.ts"
import { createLineIndex, type FileVersion, type LineIndex, sourceFile } from "./line-index.ts"

export interface ProjectSources {
  readonly home: string
  readonly project: string | undefined
  readonly index: LineIndex
  readonly fields: FieldTable
  /** Names of MCP servers in the client's settings. */
  readonly servers: readonly string[]
  /** A file as the client read it. */
  see(file: SeenFile): void
  /** A file that a request names; read once. */
  read(path: string): void
  /** Reads what a file said in earlier commits, once. Says whether anything came of it. */
  readPast(path: string): Promise<boolean>
  /** The files of the project that a tool's input names. */
  inInput(input: string): LineIndex | undefined
  /** Texts that the repository tracks, within limits. */
  tracked(): Promise<LineIndex | undefined>
}

/** Larger files are not quoted whole. */
const MOST_BYTES = 1 << 20
const MOST_VERSIONS = 20

export function openSources(options: CandidateOptions): ProjectSources {
  const { home, project } = options
  const index = createLineIndex()
  const fields = new Map<string, Field[]>()
  const known = new Set<string>()
  const add = (path: string, text: string, version: FileVersion, order?: number): boolean => {
    const key = `${path} ${refOf(text)}`
    if (known.has(key)) return false
    known.add(key)
    index.add(sourceFile({ path, text, version, order }))
    return true
  }
  const addField = (candidate: Candidate, text: string) => {
    const field = candidate.kind === "instructions" ? undefined : fieldOf(candidate, text)
    if (field !== undefined) fields.set(field.name, [...(fields.get(field.name) ?? []), field])
  }
  const orders = new Map<string, number>()
  for (const [order, candidate] of candidatesOf(options).entries()) {
    orders.set(candidate.path, order)
    const text = readText(candidate.path)
    if (text === undefined) continue
    add(candidate.path, text, "current", order)
    addField(candidate, text)
  }
  const orderOf = (path: string) => orders.get(path) ?? orders.size
  const read = new Set<string>(orders.keys())
  const past = new Set<string>()
  let tracked: Promise<LineIndex | undefined> | undefined
  return {
    ...{ home, project, index, fields, servers: serversIn(options) },
    see: ({ path, text }) => void add(path, text, "seen", orderOf(path)),
    read(path) {
      if (read.has(path) || !isReadable(path, home, project)) return
      read.add(path)
      const text = readText(path)
      if (text !== undefined) add(path, text, "current", orderOf(path))
    },
    async readPast(path) {
      if (past.has(path) || project === undefined) return false
      past.add(path)
      const texts = await pastVersions(path, project, MOST_VERSIONS)
      return texts.filter((text) => add(path, text, "earlier", orderOf(path))).length > 0
    },
    inInput: (input) => (project === undefined || input === "" ? undefined : inputIndex(input, project)),
    tracked: () => (tracked ??= project === undefined ? Promise.resolve(undefined) : trackedIndex(project)),
  }
}

/** Names of servers, in the settings that say them. */
function serversIn(options: CandidateOptions): readonly string[] {
  const names = settingsOf(options).flatMap(({ path, field }) => {
    const text = readText(path)
    return Object.keys(objectAt(jsonObject(text ?? "") ?? {}, field))
  })
  // The longest first: one name may begin like another.
  return [...new Set(names)].toSorted((one, other) => other.length - one.length)
}

/** What a client may quote: files of the project, of the home folder, and of the folders above the project. */
function isReadable(path: string, home: string, project: string | undefined): boolean {
  if (isInside(path, home)) return true
  return project !== undefined && (isInside(path, project) || isInside(project, dirname(path)))
}

function readText(path: string): string | undefined {
  const file = readRegular(path, MOST_BYTES)
  return file.kind === "read" ? file.bytes.toString("utf8") : undefined
}

const MOST_WORDS = 10

/** The path of a read tool, or words of a command. */
function inputIndex(input: string, project: string): LineIndex | undefined {
  const words = input.split(/[\s'"`;|&<>()]+/).filter((word) => /[./]/.test(word))
  const paths = [input, ...words.slice(0, MOST_WORDS)].map((word) => resolve(project, word))
  const files = [...new Set(paths)].flatMap((path) => {
    const text = isInside(path, project) ? readText(path) : undefined
    return text === undefined ? [] : [sourceFile({ path, text, version: "current", order: 0 })]
  })
  if (files.length === 0) return undefined
  const index = createLineIndex()
  for (const file of files) index.add(file)
  return index
}

/** Prose: code is not instructions. */
const PROSE = /\.(?:md|mdx|mdc|txt|rst|adoc)$|(?:^|\/)\.[a-z]+rules$/
const MOST_TRACKED = 500
const MOST_TRACKED_LETTERS = 4 << 20

async function trackedIndex(project: string): Promise<LineIndex | undefined> {
  const found = await trackedFiles(project)
  if (found === undefined) return undefined
  const index = createLineIndex()
  let left = MOST_TRACKED_LETTERS
  for (const name of found.paths.filter((path) => PROSE.test(path)).slice(0, MOST_TRACKED)) {
    const path = join(found.root, name)
    const text = readText(path)
    if (text === undefined || text.length > left) continue
    left -= text.length
    index.add(sourceFile({ path, text, version: "current" }))
  }
  return index
}
