// The gate of a workspace: its places, what its files and configuration declare, and the code that it names.
import { join, relative, resolve } from "node:path"
import { z } from "zod"
import { IncipitError } from "../base/error.ts"
import { isTrust } from "../base/trust.ts"
import type { DeclaredOptions } from "../files/gate/declared.ts"
import { type Gate, openGate } from "../files/gate/gate.ts"
import { statOf } from "../files/gate/hard-links.ts"
import type { Requirement } from "../files/gate/requirement.ts"
import { isInside } from "../files/inside.ts"
import { existingPathOf } from "../files/real-path.ts"
import type { Config } from "./config/config-schema.ts"
import { configuredTrust } from "./config/configured-trust.ts"
import { memoryStores } from "./config/memory-stores.ts"
import { declaredIn } from "./read/source-file.ts"
import { parseYaml } from "./read/yaml-file.ts"
import type { Workspace } from "./workspace.ts"

/** A workspace while one prompt is gathered from it. */
interface LookedAt extends Workspace {
  readonly gate: Gate
}

/** The workspace for one look at its files: everything that reads it shares one gate. Don't keep it. */
export function forOneLook(workspace: Workspace): Workspace {
  const looked: LookedAt = { ...workspace, gate: gateOf(workspace) }
  return looked
}

/** `directories`: more folders that may be used, such as the working directory. */
export function workspaceGate(workspace: Workspace | LookedAt, directories: readonly string[] = []): Gate {
  const gate = "gate" in workspace ? workspace.gate : gateOf(workspace)
  const folders = directories.flatMap((path) => existingPathOf(resolve(path)) ?? [])
  return folders.length === 0 ? gate : gate.withFolders(folders)
}

function gateOf(workspace: Workspace): Gate {
  const { root, folder, home, config, state, closed = {} } = workspace
  const stores = [...memoryStores(workspace).value].map(([name, trust]) => ({
    folder: join(folder, "memory", name),
    trust,
  }))
  return openGate({
    ...{ root, folder, home, stores, state },
    further: [
      ...codeOf(config, root).map((path) => ({ path, trust: "full" }) as const),
      ...Object.entries(closed).map(([name, trust]) => ({ path: join(root, name), trust })),
    ],
    declared: declaredOptions(workspace),
    configured: (path) => configuredTrust(path, workspace)?.trust,
    settings: config.prompt?.files,
  })
}

/** The gate of the copy of what is in the database. Its files are ours: they are no links and have no other names. */
export function documentsGate(workspace: Workspace, documents: string): Gate {
  const { folder, config, cache } = workspace
  const stores = [...memoryStores(workspace).value].map(([name, trust]) => ({
    folder: join(documents, "memory", name),
    trust,
  }))
  return openGate({
    stores,
    folders: [documents],
    declared: {
      ...{ own: [documents], cache: cache.declared },
      isRead: (path) => path.endsWith(".md"),
      parse: (text, path) => declaredIn(text, path),
    },
    configured: (path) => configuredTrust(join(folder, relative(documents, path)), workspace)?.trust,
    settings: config.prompt?.files,
  })
}

function declaredOptions({ root, folder, home, homes, cache }: Workspace): DeclaredOptions {
  const workflows = [join(folder, "workflows"), join(root, "workflows")]
  const isWorkflow = (path: string) =>
    /\.ya?ml$/.test(path) && workflows.some((place) => isInside(path, place))
  return {
    own: [root, ...(home === undefined ? [] : [...homes, ".agents"].map((name) => join(home, name)))],
    isRead: (path) => path.toLowerCase().endsWith(".md") || isWorkflow(path),
    parse: (text, path, isWhole) =>
      isWorkflow(path) ? workflowNeeds(text, path, isWhole) : declaredIn(text, path),
    cache: cache.declared,
  }
}

const trustOnly = z.object({ trust: z.string().optional() })

/** The restrictions of an unreadable workflow are unknown. */
function workflowNeeds(text: string, path: string, isWhole: boolean): Requirement | undefined {
  if (!isWhole) return { trust: "full" }
  try {
    const { trust } = parseYaml(text, path, trustOnly, "bad-configuration").data
    if (trust === undefined) return undefined
    return { trust: isTrust(trust) ? trust : "full" }
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    return { trust: "full" }
  }
}

/** Files of the workspace that run as code: hooks, a profile, the programs and scripts of MCP servers. */
function codeOf({ hooks = [], profile, mcp = {} }: Config, root: string): readonly string[] {
  const modules = [...hooks, ...(profile === undefined ? [] : [profile])]
    .filter((name) => /^\.{0,2}[/\\]/.test(name))
    .map((name) => resolve(root, name))
  const scripts = Object.values(mcp).flatMap(({ command, args = [], cwd = "." }) =>
    (command === undefined ? [] : [command, ...args]).flatMap((word) => [
      resolve(root, word),
      resolve(root, cwd, word),
    ]),
  )
  // An argument may name a folder that the server works on.
  return [
    ...new Set([...modules, ...scripts.filter((path) => statOf(path)?.isDirectory() === false)]),
  ].filter((path) => isInside(path, root))
}
