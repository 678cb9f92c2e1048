// `incipit pair`: the owner decides who an unknown sender on a channel is.
import { createHash } from "node:crypto"
import { IncipitError } from "../../../base/error.ts"
import type { ChannelSender, OpenPairing, PairedSender } from "../../../database/contract/serve/pairings.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { checkedConfig, withExistingStore } from "./serve-store.ts"

/** How many wrong codes an open code survives. */
const MOST_WRONG = 5

export async function list({ flags, terminal }: Invocation<"pair list">): Promise<number> {
  const found = await withExistingStore(flags, terminal, async ({ pairings }) => ({
    waiting: await pairings.open(),
    paired: await pairings.paired(),
  }))
  const { waiting, paired } = found ?? { waiting: [], paired: [] }
  if (waiting.length + paired.length === 0 && !flags.json) {
    terminal.err("No sender is waiting, and none is paired.\n")
    return 0
  }
  print(
    { flags, terminal },
    { waiting: waiting.map(waitingReport), paired: paired.map(pairedReport) },
    () => [
      ...waiting.map(
        (one) => `${nameOf(one)}  waiting${one.label === undefined ? "" : `, calls themselves ${one.label}`}`,
      ),
      ...paired.map((one) => `${nameOf(one)}  is ${one.user}`),
    ],
  )
  return 0
}

export async function confirm({ words, flags, terminal }: Invocation<"pair confirm">): Promise<number> {
  const [code = ""] = words
  checkedConfig(flags, terminal, { as: flags.user, situation: "dm" })
  const paired = await withExistingStore(flags, terminal, ({ pairings }) =>
    pairings.confirm({ hash: codeHash(code), user: flags.user, mostWrong: MOST_WRONG }),
  )
  if (paired === undefined) throw new IncipitError("no-such-pairing", "no open pairing has this code")
  print({ flags, terminal }, pairedReport(paired), () => [`${nameOf(paired)} is ${paired.user}`])
  return 0
}

export async function deny({ words, flags, terminal }: Invocation<"pair deny">): Promise<number> {
  const sender = senderIn(words)
  const isDenied = await withExistingStore(flags, terminal, ({ pairings }) => pairings.deny(sender))
  if (!isDenied) throw new IncipitError("no-such-pairing", `${nameOf(sender)} is not waiting`)
  print({ flags, terminal }, { denied: nameOf(sender) }, () => [`denied ${nameOf(sender)}`])
  return 0
}

export async function forget({ words, flags, terminal }: Invocation<"pair forget">): Promise<number> {
  const sender = senderIn(words)
  const isForgotten = await withExistingStore(flags, terminal, ({ pairings }) => pairings.forget(sender))
  if (!isForgotten)
    throw new IncipitError("no-such-pairing", `${nameOf(sender)} is neither paired nor denied`)
  print({ flags, terminal }, { forgotten: nameOf(sender) }, () => [`forgot ${nameOf(sender)}`])
  return 0
}

/** People read a code aloud and type it as they like: in small letters, with dashes or blanks. */
function codeHash(code: string): string {
  const plain = code.replaceAll(/[\s-]/g, "").toUpperCase()
  return createHash("sha256").update(plain, "utf8").digest("hex")
}

function senderIn([word = ""]: readonly string[]): ChannelSender {
  const [, channel, sender] = /^([^:]+):(.+)$/s.exec(word) ?? []
  if (channel === undefined || sender === undefined)
    throw new IncipitError("bad-argument", `name a sender such as telegram:4711, not "${word}"`)
  return { channel, sender }
}

function nameOf({ channel, sender }: ChannelSender): string {
  return `${channel}:${sender}`
}

function waitingReport({ label, at, expiresAt, ...sender }: OpenPairing) {
  return {
    ...sender,
    label: label ?? null,
    at: new Date(at).toISOString(),
    expires: new Date(expiresAt).toISOString(),
  }
}

function pairedReport({ at, ...paired }: PairedSender) {
  return { ...paired, at: new Date(at).toISOString() }
}
