// What the tricks are made with: files that say when they were run, pipes, sockets, links.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import type { Place } from "../place.ts"

/** A shell command that shows that it was run. */
export function leaving(place: Place, name: string): string {
  return `touch '${join(place.markers, name)}'`
}

/** JavaScript that shows that it was run, as a module of either kind. */
export function leavingCode(place: Place, name: string): string {
  return `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(join(place.markers, name))}, "")\n`
}

export function put(place: Place, path: string, text: string | Uint8Array): string {
  const whole = join(place.folder, path)
  makeWay(whole)
  writeFileSync(whole, text)
  return whole
}

/** A program of the folder's. */
export function putProgram(place: Place, path: string, name = path.replaceAll("/", "_")): string {
  const whole = put(place, path, `#!/bin/sh\n${leaving(place, name)}\ncat\n`)
  chmodSync(whole, 0o755)
  return whole
}

export function putLink(place: Place, path: string, target: string): void {
  const whole = join(place.folder, path)
  makeWay(whole)
  symlinkSync(target, whole)
}

export function putPipe(place: Place, path: string): void {
  const whole = join(place.folder, path)
  makeWay(whole)
  execFileSync("mkfifo", [whole])
}

export function putFolder(place: Place, path: string): void {
  const whole = join(place.folder, path)
  makeWay(whole)
  mkdirSync(whole)
}

/** Many bytes that take no room on the disk. */
export function putHole(place: Place, path: string, bytes: number): void {
  truncateSync(put(place, path, ""), bytes)
}

function makeWay(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  // `rmSync` follows a link first, and fails at one that leads to itself.
  if (there?.isDirectory()) rmSync(path, { recursive: true })
  else if (there !== undefined) unlinkSync(path)
  mkdirSync(dirname(path), { recursive: true })
}
