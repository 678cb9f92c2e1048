#!/usr/bin/env node
import * as module from "node:module"

// Most of a short run is spent on reading our own code; Node keeps what it made of it for the next.
module.enableCompileCache?.()
// As `engines` in package.json; an older Node fails in the middle of something, and says nothing of the reason.
const [major, minor] = process.versions.node.split(".").map(Number)
if (major > 24 || (major === 24 && minor >= 15)) await import("../dist/bin/main.js")
else {
  console.error(`incipit: needs Node 24.15 or newer; this is ${process.version}. https://nodejs.org has it.`)
  process.exitCode = 2
}
