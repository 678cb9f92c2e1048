// The commands that capture calls of other programs, as data.
import { CLIENTS } from "../../../capture/call.ts"
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG } from "./flags.ts"

const METADATA_FLAG = {
  metadataOnly: { help: "keep counts and digests, and no text" },
} as const satisfies FlagTable

export const CAPTURE_COMMANDS = {
  wrap: {
    passesFlags: true,
    words: [{ name: "command", help: "the program to run, and its arguments", many: true }],
    help: "run a coding agent, capture its calls, and show what they cost when it ends",
    flags: {
      bodies: {
        conflicts: ["proxy"],
        help: "have the client write its requests down (Claude Code, where it is the default, and Agent SDK programs)",
      },
      proxy: { help: "capture with a proxy on this machine (the default for all others)" },
      ...METADATA_FLAG,
      json: { help: "print the bill as JSON, on stderr" },
    },
    examples: ["incipit wrap -- claude", "incipit wrap -- codex exec 'fix the tests'"],
  },
  proxy: {
    words: [],
    help: "capture the calls of any program with a proxy on this machine, until Ctrl-C",
    flags: {
      port: { value: "N", default: 4748, help: "the port; 0 for any free one" },
      upstream: {
        value: "WHERE",
        help: "where all requests go: anthropic, openai, google or a URL (default: by their path)",
      },
      ...METADATA_FLAG,
      json: { help: "print the address, and each call, as a line of JSON" },
    },
    examples: ["incipit proxy", "incipit proxy --upstream https://gateway.example.com --port 0"],
  },
  capture: {
    words: [
      {
        name: "place",
        help: "folders or files with transcripts to read (default: where each client keeps its own)",
        optional: true,
        many: true,
      },
    ],
    help: "read new calls from the files of coding agents into the record of captured calls",
    flags: {
      client: { value: "NAME", choices: CLIENTS, help: "only calls of this client" },
      since: { value: "TIME", default: "30d", help: "start here: 7d (ago), today, a date or a time" },
      ...METADATA_FLAG,
      ...JSON_FLAG,
    },
    examples: ["incipit capture", "incipit capture --client codex --since today"],
  },
} as const satisfies CommandTable
