// `sandbox:` in incipit.yaml: whose commands run in a sandbox, what they see there, and which may leave it.
import { z } from "zod"
import { parseBytes } from "../../../base/data-size.ts"
import { isCommandPattern } from "../../../base/text/command-pattern.ts"

export const SANDBOX_MODES = ["off", "on", "non-main"] as const
export const SANDBOX_BACKENDS = ["auto", "bubblewrap", "docker", "podman"] as const
export const SANDBOX_SCOPES = ["session", "agent", "shared"] as const
export const SANDBOX_WORKSPACES = ["read-only", "read-write", "none"] as const
export const SANDBOX_NETWORKS = ["off", "allow-list", "on"] as const

const MOST_ENTRIES = 200

const size = z.string().refine((text) => (parseBytes(text) ?? 0) > 0, "is not a size such as 1GB")
const paths = z.array(z.string().min(1)).max(MOST_ENTRIES, `has more than ${MOST_ENTRIES} paths`)

/** A name, a name after `*.`, or an address; each may have a port. */
const HOST = /^(?:(?:\*\.)?[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?$/i
/** As the only part of a container's command line that a configuration chooses. */
const IMAGE = /^[\w][\w./:@-]*$/

export const sandboxSchema = z.object({
  mode: z
    .union([z.literal(SANDBOX_MODES), z.boolean()])
    .optional()
    .describe(
      "whose commands run in the sandbox: nobody's (off, the default), everybody's (on), or those of every session but your own (non-main)",
    ),
  backend: z
    .enum(SANDBOX_BACKENDS)
    .optional()
    .describe("what enforces it (default: auto, which is the first that works here)"),
  scope: z
    .enum(SANDBOX_SCOPES)
    .optional()
    .describe(
      "who shares a /tmp: the commands of one session (default), of one agent, or of all agents that run together",
    ),
  image: z
    .string()
    .regex(IMAGE, "is not the name of an image")
    .optional()
    .describe("the image of docker and podman"),
  workspace: z
    .enum(SANDBOX_WORKSPACES)
    .optional()
    .describe("what commands may do with the workspace (default: read-write)"),
  read: paths.optional().describe("other paths that commands may read, such as ~/.cargo"),
  write: paths.optional().describe("other paths that commands may write"),
  network: z
    .union([z.literal(SANDBOX_NETWORKS), z.boolean()])
    .optional()
    .describe("off (default), only the hosts in `allow`, by HTTP and HTTPS, or all of the machine's (on)"),
  allow: z
    .array(
      z.string().regex(HOST, "is not a host such as packages.example.com, *.example.org or localhost:8080"),
    )
    .max(MOST_ENTRIES, `has more than ${MOST_ENTRIES} hosts`)
    .optional()
    .describe("the hosts of `network: allow-list`; without a port, 80 and 443"),
  required: z
    .boolean()
    .optional()
    .describe("refuse commands if the sandbox cannot be set up, instead of asking to run them on the host"),
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, "is not the name of an environment variable"))
    .optional()
    .describe(
      "variables of the agent's environment that commands get, in addition to PATH, LANG, TERM and TZ",
    ),
  ask: z
    .boolean()
    .optional()
    .describe(
      "ask also before commands inside the sandbox (default: false, once you approve these settings)",
    ),
  leave: z
    .array(z.string().refine(isCommandPattern, "is not a command pattern such as `git push *`"))
    .max(MOST_ENTRIES, `has more than ${MOST_ENTRIES} patterns`)
    .optional()
    .describe("commands that may run on the host without a question when the agent asks for the host"),
  limits: z
    .object({
      memory: size.optional().describe("memory of a process (default: 4GB)"),
      processes: z.int().min(8).max(100_000).optional().describe("processes at a time (default: 512)"),
      file: size.optional().describe("the largest file that can be written (default: 2GB)"),
      tmp: size.optional().describe("how much fits into /tmp (default: 1GB)"),
      output: size.optional().describe("how much a command may print (default: 64MB)"),
    })
    .optional()
    .describe("limits of each command; its time is limited as everywhere"),
})

/** As it is written in incipit.yaml. */
export type SandboxConfig = z.infer<typeof sandboxSchema>
