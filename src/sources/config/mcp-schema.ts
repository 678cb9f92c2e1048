// The part of incipit.yaml about one MCP server.
import { z } from "zod"
import { isDuration } from "../../base/duration.ts"

/** Whether a server's tool is called after the user's approval, without it, or never. */
export const TOOL_RULES = ["ask", "allow", "deny"] as const
export type ToolRule = (typeof TOOL_RULES)[number]

const oauthClient = z.object({
  client: z
    .string()
    .min(1)
    .optional()
    .describe(
      "the id of a client that you registered there, or the https URL of its description; without it, Incipit registers itself",
    ),
  secret: z
    .string()
    .optional()
    .describe("the client's secret, if it has one; $NAME is a variable of the agent's environment"),
  scope: z.string().optional().describe("the rights to ask for (default: those that the server names)"),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe("the port of this machine that the browser comes back to (default: any free one)"),
})

export const mcpServerSchema = z
  .object({
    command: z.string().min(1).optional().describe("a program that speaks MCP on stdin and stdout"),
    args: z.array(z.string()).optional().describe("its arguments"),
    env: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        "its environment variables, in addition to PATH, HOME and LANG; $NAME is a variable of the agent's environment",
      ),
    cwd: z.string().optional().describe("its working directory (default: the workspace)"),
    sandbox: z.boolean().optional().describe("run it in the sandbox, whatever `sandbox.mode` is"),
    url: z
      .string()
      .refine(isWebAddress, "is not an http or https URL")
      .optional()
      .describe("the URL of a server that speaks MCP over HTTP"),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe("sent with every request; $NAME is a variable of the agent's environment"),
    // Checked where it is used: a misspelt level fails closed instead of stopping the program.
    trust: z
      .string()
      .optional()
      .describe("who may use its tools: public, familiar, inner or full (default: full)"),
    tools: z
      .union([z.array(z.string()), z.record(z.string(), z.enum(TOOL_RULES))])
      .optional()
      .describe(
        "a list of the tools to use; or ask, allow or deny by tool name, with * for the others. Without a rule, tools that only read may run, and you are asked about the rest",
      ),
    prefix: z.boolean().optional().describe("put the server's name before each tool's name"),
    timeout: z
      .string()
      .refine(isDuration, "is not a duration such as 30s")
      .optional()
      .describe("how long a call may take (default: 30s)"),
    instructions: z
      .boolean()
      .optional()
      .describe("whether the instructions that the server gives are sent to the model"),
    roots: z
      .boolean()
      .optional()
      .describe(
        "whether the server is told the path of the workspace, if it asks (default: true for a command)",
      ),
    oauth: oauthClient
      .optional()
      .describe("how to sign in with `incipit mcp login`, if the defaults don't do"),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    "needs either a command or a url, and not both",
  )
  .refine(
    ({ url, args, env, cwd, sandbox }) =>
      url === undefined || [args, env, cwd, sandbox].every((field) => field === undefined),
    "args, env, cwd and sandbox belong to a command",
  )
  .refine(({ url, headers }) => url !== undefined || headers === undefined, "headers belong to a url")
  .refine(({ url, oauth }) => url !== undefined || oauth === undefined, "oauth belongs to a url")
  // So that editors check it, too.
  .meta({ oneOf: [{ required: ["command"] }, { required: ["url"] }] })

function isWebAddress(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text)
}
