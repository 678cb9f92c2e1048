// The settings of a sandbox with defaults filled in. What a folder asks for beyond the least counts only once the user
// has approved it: a folder from elsewhere may be stricter on its own, but open nothing.
import { parseBytes } from "../base/data-size.ts"
import type {
  SANDBOX_BACKENDS,
  SANDBOX_MODES,
  SANDBOX_NETWORKS,
  SANDBOX_SCOPES,
  SANDBOX_WORKSPACES,
  SandboxConfig,
} from "../sources/config/sandbox/sandbox-schema.ts"

export interface SandboxSettings {
  readonly mode: (typeof SANDBOX_MODES)[number]
  readonly backend: (typeof SANDBOX_BACKENDS)[number]
  readonly scope: (typeof SANDBOX_SCOPES)[number]
  readonly image: string | undefined
  readonly workspace: (typeof SANDBOX_WORKSPACES)[number]
  /** Paths as written. */
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly network: (typeof SANDBOX_NETWORKS)[number]
  readonly allow: readonly string[]
  readonly required: boolean
  readonly env: readonly string[]
  /** Whether commands inside need a yes, too. */
  readonly asks: boolean
  /** Patterns of commands that may run on the host without a question. */
  readonly leave: readonly string[]
  readonly limits: SandboxLimits
}

export interface SandboxLimits {
  /** Private memory of one process. */
  readonly memoryBytes: number
  readonly processes: number
  readonly fileBytes: number
  readonly tmpBytes: number
  readonly outputBytes: number
}

const GB = 1e9
const LIMITS: SandboxLimits = {
  memoryBytes: 4 * GB,
  processes: 512,
  fileBytes: 2 * GB,
  tmpBytes: GB,
  outputBytes: 64e6,
}

export function sandboxSettings(config: SandboxConfig = {}, isApproved: boolean): SandboxSettings {
  const { mode = "off", scope = "session", workspace = "read-write", required = false } = config
  const given = isApproved ? config : { backend: containerless(config.backend) }
  const { backend = "auto", image, read = [], write = [], allow = [], env = [], leave = [] } = given
  return {
    ...{ mode: switched(mode), backend, scope, image, workspace, read, write, required, env, leave },
    network: switched(given.network ?? "off"),
    allow,
    asks: !isApproved || config.ask === true,
    limits: limitsOf(given.limits),
  }
}

/** `on` and `off` of YAML 1.1 are booleans. */
function switched<T extends string>(value: T | boolean): T | "on" | "off" {
  if (typeof value !== "boolean") return value
  return value ? "on" : "off"
}

/** An image is downloaded and run, so no folder chooses a container on its own; its sandbox is then missing. */
function containerless(backend: SandboxConfig["backend"]): SandboxConfig["backend"] {
  return backend === "auto" ? "bubblewrap" : backend
}

function limitsOf({
  memory,
  processes,
  file,
  tmp,
  output,
}: SandboxConfig["limits"] & object = {}): SandboxLimits {
  const bytes = (text: string | undefined, usual: number) => parseBytes(text ?? "") ?? usual
  return {
    memoryBytes: bytes(memory, LIMITS.memoryBytes),
    processes: processes ?? LIMITS.processes,
    fileBytes: bytes(file, LIMITS.fileBytes),
    tmpBytes: bytes(tmp, LIMITS.tmpBytes),
    outputBytes: bytes(output, LIMITS.outputBytes),
  }
}
