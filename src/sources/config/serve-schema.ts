// `serve:` in incipit.yaml: where the server listens, who may reach it, and how much it takes.
import { isIP } from "node:net"
import { z } from "zod"
import { parseBytes } from "../../base/data-size.ts"
import { parseDuration } from "../../base/duration.ts"
import { channelsSchema } from "./channel-schema.ts"

const MOST_PORT = 65_535
const count = z.int().min(1)
const duration = z.string().refine((text) => (parseDuration(text) ?? 0) > 0, "is not a duration such as 30s")

export const serveSchema = z.object({
  host: z
    .string()
    .min(1)
    .optional()
    .describe("the address to listen on (default: 127.0.0.1, which only this machine can reach)"),
  port: z.int().min(0).max(MOST_PORT).optional().describe("the port (default: 4747; 0 for any free one)"),
  hosts: z
    .array(z.string().regex(/^[\w.-]+$/, "is not a host name without a port"))
    .optional()
    .describe("names by which people reach the server, such as agent.example.org; other names are refused"),
  origins: z
    .array(z.string().refine(isOrigin, "is not an origin such as https://chat.example.org"))
    .optional()
    .describe("web pages that may call the server with a token, such as https://chat.example.org"),
  proxies: z
    .array(z.string().refine(isProxyEntry, "is not an address or a network such as 10.0.0.0/8"))
    .optional()
    .describe("addresses of proxies whose X-Forwarded-For, -Proto and -Host count"),
  tls: z
    .object({
      certificate: z.string().min(1).describe("the file with the certificate and its chain (PEM)"),
      key: z.string().min(1).describe("the file with its private key (PEM)"),
    })
    .optional()
    .describe("serve HTTPS with these files; relative paths start at the workspace"),
  channels: channelsSchema.optional().describe("other ways to reach the agent"),
  owner: z
    .string()
    .regex(/^[\w-]+:.+$/, "is not an identity on a channel such as telegram:4711")
    .optional()
    .describe(
      "your own identity on a channel, such as telegram:4711: gets questions for approval and notices",
    ),
  approval_time: duration
    .optional()
    .describe("how long a question for approval waits for an answer; without one it is a no (default: 5m)"),
  limits: z
    .object({
      body: z
        .string()
        .refine((text) => (parseBytes(text) ?? 0) > 0, "is not a size such as 20MB")
        .optional()
        .describe("largest body of a request (default: 20MB)"),
      body_time: duration.optional().describe("how long a body may take to arrive (default: 30s)"),
      requests: count.optional().describe("requests a minute for each token (default: 600)"),
      concurrent: count.optional().describe("requests that are answered at the same time (default: 1000)"),
      concurrent_each: count
        .optional()
        .describe("the same for one token, or one address without a token (default: a tenth of concurrent)"),
      connections: count.optional().describe("open connections (default: 2000)"),
      drain: duration
        .optional()
        .describe("how long answers may take to finish when the server stops (default: 30s)"),
    })
    .optional()
    .describe("how much the server takes"),
})

function isOrigin(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text) && new URL(text).pathname === "/"
}

/** Whether a text is an address or a network such as 10.0.0.0/8. */
function isProxyEntry(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/")
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}
