// `serve.channels` in incipit.yaml: how people reach the agent other than over HTTP. Secrets are named, never written.
import { z } from "zod"

const variable = z.string().regex(/^[A-Za-z_]\w*$/, "is not the name of an environment variable")
const webAddress = z
  .string()
  .refine((text) => /^https?:/i.test(text) && URL.canParse(text), "is not an http or https URL")

/** What a channel does with senders that incipit.yaml doesn't know. */
const STRANGERS = ["public", "pair", "silent"] as const

const people = {
  strangers: z
    .enum(STRANGERS)
    .optional()
    .describe(
      "what unknown senders get: public trust, a code that you confirm with `incipit pair` (pair, the default), or no answer",
    ),
  allow: z
    .array(z.string().min(1))
    .optional()
    .describe("the only people and rooms that may talk, such as telegram:4711; may end in *"),
  rooms: z
    .enum(["mentions", "all"])
    .optional()
    .describe("messages in rooms to answer: those that mention the agent or reply to it (default), or all"),
  agent: z.string().min(1).optional().describe("the agent that answers, by its id (default: main)"),
}

export const channelsSchema = z.object({
  telegram: z
    .object({
      token: variable.describe("the environment variable that holds the bot's token"),
      webhook: webAddress
        .refine((text) => /^https:.*\/channels\/telegram$/i.test(text), "is not https://…/channels/telegram")
        .optional()
        .describe(
          "the public address at which Telegram can call this server, such as https://agent.example.org/channels/telegram; without it, the server asks Telegram for messages",
        ),
      url: webAddress
        .optional()
        .describe("another Bot API server than https://api.telegram.org; it gets the token"),
      ...people,
    })
    .optional()
    .describe("a Telegram bot"),
  webhook: z
    .object({
      secret: variable.describe(
        "the environment variable with the secret that signs requests, of at least 32 characters",
      ),
      previous_secret: variable
        .optional()
        .describe("the environment variable with an earlier secret that is still accepted"),
      url: webAddress.describe("where answers are sent"),
      ...people,
    })
    .optional()
    .describe("signed requests to /channels/webhook, answered with signed requests to a URL"),
})
