// `environment.sandbox`, which said what the prompt should tell of a sandbox, and enforced nothing. Understood for one
// more version, as the settings that hold: what cannot be had is not told either.
import type { Config } from "../config-schema.ts"
import { type SandboxConfig, sandboxSchema } from "./sandbox-schema.ts"

type Before = NonNullable<Config["environment"]>[string]

const NETWORKS: Readonly<Record<string, string>> = { disabled: "off", none: "off", enabled: "on", all: "on" }
const WORKSPACES: Readonly<Record<string, string>> = { ro: "read-only", rw: "read-write" }

/** Returns undefined if it is off, or no map. Values without a meaning here are left out. */
export function sandboxBefore(before: Before | undefined): SandboxConfig | undefined {
  if (typeof before !== "object") return undefined
  const { enabled = true, mode, backend, scope, image, network, workspace_mount: workspace } = before
  if (enabled !== true && enabled !== "true") return undefined
  const now: Readonly<Record<string, unknown>> = {
    mode: mode === "off" || mode === "non-main" ? mode : "on",
    ...{ backend, scope },
    image: image === "" ? undefined : image,
    network: NETWORKS[String(network)] ?? network,
    workspace: WORKSPACES[String(workspace)] ?? workspace,
  }
  const usable = Object.entries(now).filter(
    ([key, value]) => value !== undefined && sandboxSchema.safeParse({ [key]: value }).success,
  )
  return sandboxSchema.parse(Object.fromEntries(usable))
}
