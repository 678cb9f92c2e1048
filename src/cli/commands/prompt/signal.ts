// `incipit signal`: how the rules read a message: mode, genre, type, format, weight, noise, and why. Then what the
// default profile tells the model, which is only what is certain.
import { classifyWithReasons, type Reason } from "../../../signal/classify.ts"
import { noiseVerdict } from "../../../signal/noise.ts"
import { wantsPlan } from "../../../signal/plan-first.ts"
import { readMessage } from "../../../signal/read-message.ts"
import type { Invocation } from "../../command-line/invocation.ts"

export async function run({ words, flags, terminal }: Invocation<"signal">): Promise<number> {
  const text = words.join(" ")
  const { signal, reasons, shares } = classifyWithReasons(text, { channel: flags.channel })
  const reading = readMessage(text)
  const noise = noiseVerdict(text, { afterQuestion: flags.afterQuestion })
  if (flags.json) {
    const value = {
      ...signal,
      noise: { verdict: noise.kind, reason: noise.reason },
      plan: wantsPlan(text),
      reading: reading ?? null,
      reasons,
      shares,
    }
    terminal.out(`${JSON.stringify(value, null, 2)}\n`)
    return 0
  }
  const rows = [
    ...(["mode", "genre", "type", "format"] as const).map((name) => [
      name,
      signal[name],
      because(reasons[name]),
    ]),
    [
      "weight",
      signal.weight.toFixed(3),
      shares.map(({ part, amount }) => `${part} ${signed(amount)}`).join(", "),
    ],
    ["noise", noise.kind, noise.reason],
    ["plan first", wantsPlan(text) ? "yes" : "no", ""],
    ["reading", reading?.genre ?? "none", reading?.mode === undefined ? "" : `mode ${reading.mode}`],
  ]
  const width = Math.max(...rows.map(([, value = ""]) => value.length))
  const lines = rows.map(([name = "", value = "", why = ""]) =>
    `${name.padEnd(10)}  ${value.padEnd(width)}  ${why}`.trimEnd(),
  )
  terminal.out(`${lines.join("\n")}\n`)
  return 0
}

function because(reason: Reason): string {
  if (reason.kind === "word") return `the word "${reason.word}"`
  if (reason.kind === "mark") return `the mark "${reason.mark}"`
  return reason.kind === "channel" ? `the channel ${reason.channel}` : "default"
}

function signed(amount: number): string {
  return `${amount < 0 ? "-" : "+"}${Math.abs(amount).toFixed(3)}`
}
