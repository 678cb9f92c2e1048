// Runs the bundles of the command line, which are scripts that require each other. What V8 compiled of them is kept in a
// folder when the process ends: by then it has every function that the run needed. Node's own cache is made before the
// code runs, and has few of them. Tables that take long to compute are kept in the same folder. A file there begins with
// two checksums: of what it was made of, such as the bundle, and of its content.
const {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readvSync,
  renameSync,
  writeFileSync,
} = require("node:fs")
const { createRequire, enableCompileCache, getCompileCacheDir } = require("node:module")
const { basename, dirname, join } = require("node:path")
const { pathToFileURL } = require("node:url")
const { Script } = require("node:vm")
const { crc32 } = require("node:zlib")

const HEAD_BYTES = 8

/** Runs a bundle and those that it requires. Without a folder, nothing is kept. */
function runBundle(path, folder) {
  const kept = folder === undefined ? undefined : join(folder, `${process.version}-${process.arch}-bundles`)
  const loaded = []
  const computed = []
  const modules = new Map()
  const keptTable = ({ name, sum, bytes, compute }) => {
    const target = kept === undefined ? undefined : join(kept, name)
    if (target !== undefined && readTable(target, sum, bytes)) return
    bytes.fill(0)
    compute()
    computed.push({ target, sum, data: bytes })
  }
  const load = (file) => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    const bundle = compiled(file, kept)
    modules.set(file, module)
    loaded.push(bundle)
    const others = createRequire(file)
    const require = (name) => (name.startsWith("./") ? load(join(dirname(file), name)) : others(name))
    const importFrom = (name) => {
      // Modules have Node's cache, which takes a few milliseconds to open.
      if (folder !== undefined && getCompileCacheDir() === undefined) enableCompileCache(folder)
      return import(name.startsWith("../") ? new URL(name, pathToFileURL(file)).href : name)
    }
    bundle.script.runInThisContext()(module.exports, require, importFrom, file, keptTable)
    return module.exports
  }
  if (kept !== undefined) process.once("exit", () => keep(kept, [...newlyCompiled(loaded), ...computed]))
  load(path)
}

function compiled(file, kept) {
  // They are ASCII, which is read fastest as Latin-1.
  const source = readFileSync(file, "latin1")
  const target = kept === undefined ? undefined : join(kept, `${basename(file)}-${crc32(file).toString(16)}`)
  const sum = crc32(source)
  const cachedData = target === undefined ? undefined : intact(target, sum)
  const script = new Script(`(function(exports,require,$import,__filename,$kept){${source}\n})`, {
    filename: file,
    cachedData,
  })
  // V8 rejects what another version, or the same with other options, has made.
  const isFresh = cachedData === undefined || script.cachedDataRejected === true
  return { script, sum, target, isFresh }
}

/** What was compiled of this bundle, if the file is there and as it was written. */
function intact(target, sum) {
  try {
    const bytes = readFileSync(target)
    if (bytes.length <= HEAD_BYTES || bytes.readUInt32LE(0) !== sum) return undefined
    const data = bytes.subarray(HEAD_BYTES)
    return bytes.readUInt32LE(4) === crc32(data) ? data : undefined
  } catch (error) {
    if (error.code === undefined) throw error
    return undefined
  }
}

/** Reads a table straight into its memory. Returns false if the file isn't there as it was written. */
function readTable(target, sum, bytes) {
  try {
    const file = openSync(target, "r")
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      const size = HEAD_BYTES + bytes.length
      if (fstatSync(file).size !== size || readvSync(file, [head, bytes]) !== size) return false
      return head.readUInt32LE(0) === sum && head.readUInt32LE(4) === crc32(bytes)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error.code === undefined) throw error
    return false
  }
}

/**
 * The first run of a command loads a bundle that no other has loaded. All of its bundles are kept again, because it uses
 * functions of the shared ones that were not compiled before.
 */
function newlyCompiled(loaded) {
  if (!loaded.some(({ isFresh }) => isFresh)) return []
  return loaded.map(({ script, sum, target }) => ({ target, sum, data: script.createCachedData() }))
}

/** Another process may read at the same time, so a file appears whole. A full disk or the like costs only time. */
function keep(folder, files) {
  if (files.length === 0) return
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const { target, sum, data } of files) {
      const head = Buffer.alloc(HEAD_BYTES)
      head.writeUInt32LE(sum, 0)
      head.writeUInt32LE(crc32(data), 4)
      const temporary = `${target}.${process.pid}`
      writeFileSync(temporary, Buffer.concat([head, data]), { mode: 0o600 })
      renameSync(temporary, target)
    }
  } catch (error) {
    if (error.code === undefined) throw error
  }
}

module.exports = { runBundle }
