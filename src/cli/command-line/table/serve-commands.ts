// The commands of the server: `serve`, `token` and `pair`, as data.
import { TOKEN_SCOPES } from "../../../database/contract/serve/tokens.ts"
import type { CommandTable, Word } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { AGENT_FLAGS, DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const { workspace, home, profile, model } = AGENT_FLAGS
const PLACE_FLAGS = { ...JSON_FLAG, workspace, ...STATE_FLAG, ...DATABASE_FLAG } as const satisfies FlagTable
const SENDER: Word = {
  name: "sender",
  help: "the sender as `incipit pair list` shows it, such as telegram:4711",
}

export const SERVE_COMMANDS = {
  serve: {
    runsAgent: true,
    words: [],
    help: "run the workspace's agents for several people over HTTP, until Ctrl-C",
    flags: {
      port: { value: "N", help: "the port; 0 for any free one (default: as in incipit.yaml, or 4747)" },
      host: { value: "HOST", help: "the address to listen on (default: as in incipit.yaml, or 127.0.0.1)" },
      link: { help: "print a new sign-in link for the server that is running, and stop" },
      json: { help: "print the URL and the one-time code as a line of JSON" },
      workspace,
      cwd: SHARED_FLAGS.cwd,
      home,
      profile,
      model,
      ...STATE_FLAG,
      ...DATABASE_FLAG,
    },
    examples: ["incipit serve", "incipit serve --port 8080 --json", "incipit serve --link"],
  },
  "token add": {
    words: [],
    help: "make a token for a person, and print it once; whoever has it speaks as that person",
    flags: {
      user: { value: "USER", help: "a user from incipit.yaml (default: the owner)" },
      situation: { value: "SITUATION", default: "dm", help: "where its messages come from" },
      name: { value: "NAME", default: "token", help: "what you call it, such as laptop" },
      scopes: {
        value: "SCOPES",
        list: TOKEN_SCOPES,
        help: `what it may be used for, of ${TOKEN_SCOPES.join(", ")} (comma-separated; default: talk,read)`,
      },
      expires: { value: "TIME", default: "90d", help: "how long it is valid, or `never`" },
      ...PLACE_FLAGS,
    },
    examples: [
      "incipit token add --user jonas --name laptop",
      "incipit token add --scopes talk --expires 24h",
    ],
  },
  "token list": {
    words: [],
    help: "list the tokens with their users, scopes and expiry",
    flags: PLACE_FLAGS,
    examples: ["incipit token list"],
  },
  "token revoke": {
    words: [{ name: "id", help: "the token's id, as `incipit token list` shows it" }],
    help: "end a token; running servers refuse it from the next request on",
    flags: PLACE_FLAGS,
    examples: ["incipit token revoke 5f0c93b1d2"],
  },
  "pair list": {
    words: [],
    help: "list the senders on channels that wait for a yes, and those that have one",
    flags: PLACE_FLAGS,
    examples: ["incipit pair list"],
  },
  "pair confirm": {
    words: [{ name: "code", help: "the code that the sender got, and told you" }],
    help: "confirm that the sender of a code is a user",
    flags: {
      user: { value: "USER", isRequired: true, help: "the user from incipit.yaml that the sender is" },
      ...PLACE_FLAGS,
    },
    examples: ["incipit pair confirm 7KQ2-M9XD --user jonas"],
  },
  "pair deny": {
    words: [SENDER],
    help: "refuse a sender; they get no further code",
    flags: PLACE_FLAGS,
    examples: ["incipit pair deny telegram:4711"],
  },
  "pair forget": {
    words: [SENDER],
    help: "end a sender's pairing or refusal; they may ask for a code again",
    flags: PLACE_FLAGS,
    examples: ["incipit pair forget telegram:4711"],
  },
} as const satisfies CommandTable
