// The command that shows prompts in a browser, as data.
import type { CommandTable } from "./command.ts"
import { AGENT_FLAGS, DATABASE_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const { workspace, home, profile } = AGENT_FLAGS

export const INSPECT_COMMANDS = {
  inspect: {
    words: [
      {
        name: "what",
        help: "a session's id, or a file: one written by `incipit build --json`, or one with calls that `incipit bill` reads (default: this folder, and all calls of your coding agents)",
        optional: true,
      },
    ],
    help: "show in a browser what the model was sent, what it cost, and why the cache missed; read-only",
    flags: {
      port: { value: "N", help: "the port (default: any free one)" },
      noOpen: { help: "print the link, but don't open the browser" },
      json: { help: "print the URL and the one-time code as a line of JSON, and open no browser" },
      workspace,
      home,
      profile,
      model: SHARED_FLAGS.model,
      as: SHARED_FLAGS.as,
      in: SHARED_FLAGS.in,
      ...STATE_FLAG,
      ...DATABASE_FLAG,
    },
    examples: ["incipit inspect", "incipit inspect 01a1f057", "incipit inspect prompt.json --no-open"],
  },
} as const satisfies CommandTable
