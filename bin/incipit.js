#!/usr/bin/env node
const { lstatSync, mkdirSync } = require("node:fs")
const { tmpdir } = require("node:os")
const { join } = require("node:path")

// As `engines` in package.json; an older Node fails in the middle of something, and says nothing of the reason.
const [major, minor] = process.versions.node.split(".").map(Number)
if (major >= 24 || (major === 22 && minor >= 18)) start()
else {
  console.error(
    `incipit: needs Node 22.18, or 24 or newer; this is ${process.version}. https://nodejs.org has both.`,
  )
  process.exitCode = 2
}

function start() {
  // Most of a short run is spent on reading our own code; what was made of it is kept for the next. It is run as it is
  // found there, so the folder must be the user's own: the one that Node would take can be made by anybody first.
  const { NODE_COMPILE_CACHE: chosen, NODE_DISABLE_COMPILE_CACHE: isOff } = process.env
  const own = join(tmpdir(), `incipit-compiled-${process.getuid?.() ?? "user"}`)
  const folder = isOff !== undefined ? undefined : chosen || (isOwn(own) ? own : undefined)
  if (major < 24 || (major === 24 && minor < 15)) hideSqliteWarning()
  // Loaded here, because it uses what older versions do not have.
  const { runBundle } = require("./bundles.js")
  try {
    runBundle(join(__dirname, "../dist/bin/main.cjs"), folder)
  } catch (error) {
    if (error.code !== "ENOENT" || !/[\\/]dist[\\/]bin[\\/]main\.cjs$/.test(error.path)) throw error
    console.error("incipit: this clone is not built yet. Run `npm ci && npm run build`.")
    process.exitCode = 2
  }
}

/** Before 24.15, Node warned that SQLite may change. What we use of it has not. */
function hideSqliteWarning() {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("SQLite is")) emitWarning.call(process, warning, ...rest)
  }
}

/** Made here, or made before by the same user, and closed to everybody else. Without one, code is compiled again. */
function isOwn(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false }) ?? made(folder)
  const isPrivate =
    process.getuid === undefined || (found?.uid === process.getuid() && (found.mode & 0o077) === 0)
  return found?.isDirectory() === true && isPrivate
}

/** Only if it isn't there: whoever makes a file in a busy folder waits for all others who do. */
function made(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been faster.
    if (error.code !== "EEXIST") return undefined
  }
  return lstatSync(folder, { throwIfNoEntry: false })
}
