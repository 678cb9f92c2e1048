// Which files run because the user approved them: files of hooks, a profile or MCP servers. Changing one changes what
// runs, so every change needs approval. Looked up only when a file is about to be changed.
import { dirname, resolve } from "node:path"
import { isInside } from "../files/inside.ts"
import { findModule } from "../hooks/code-module.ts"
import { approvables, type Configured } from "./approvable.ts"
import { isCode, type ServerFolder, serverFolders } from "./server-files.ts"

/**
 * What a file is part of, in words, by real path. Returns undefined if nothing runs it. `profile`: the module, if it is
 * one.
 */
export function approvedParts(
  workspace: Configured,
  profile: string | undefined,
): (path: string) => string | undefined {
  let known: Parts | undefined
  return (path) => {
    known ??= partsOf(workspace, profile)
    const at = dirname(path)
    const folder = known.folders.find(
      (one) => isCode(path) && (one.isDeep ? isInside(at, one.folder) : at === one.folder),
    )
    return known.files.get(path) ?? folder?.what
  }
}

/** The files themselves, by real path. */
export function approvedFiles(workspace: Configured, profile: string | undefined): readonly string[] {
  return [...partsOf(workspace, profile).files.keys()]
}

interface Parts {
  /** By real path. */
  readonly files: ReadonlyMap<string, string>
  /** New code in these folders runs, too. */
  readonly folders: readonly (ServerFolder & { readonly what: string })[]
}

function partsOf(workspace: Configured, profile: string | undefined): Parts {
  const { config, root } = workspace
  const files = new Map<string, string>()
  const modules = [
    ...(config.hooks ?? []).map((name) => ({ name, what: `the hook ${name}` })),
    ...(profile === undefined ? [] : [{ name: profile, what: `the profile ${profile}` }]),
  ]
  for (const { name, what } of modules) {
    const found = findModule(name, root)
    if ("files" in found) for (const path of found.files.keys()) files.set(path, what)
  }
  for (const { kind, name, files: of } of approvables(workspace))
    for (const { path } of of) if (kind === "mcp") files.set(resolve(root, path), `the MCP server ${name}`)
  const folders = Object.entries(config.mcp ?? {}).flatMap(([name, server]) =>
    serverFolders(server, root).map((folder) => ({ ...folder, what: `the MCP server ${name}` })),
  )
  return { files, folders }
}
