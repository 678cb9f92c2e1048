// `incipit inspect`: a read-only page on this machine over what is in a folder, a session or a file. Prints a link with a
// one-time code, opens the browser for a person at a terminal, and runs until Ctrl-C.
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import { openBrowser } from "./open-browser.ts"

export async function run({ words, flags, terminal }: Invocation<"inspect">): Promise<number> {
  const [word] = words
  // Imported here because it brings the server.
  const { openInspected } = await import("./open-inspected.ts")
  const inspected = await openInspected({ word, flags, terminal })
  const link = `${inspected.url}/login?code=${inspected.code}`
  const { url, code } = inspected
  terminal.out(flags.json ? `${JSON.stringify({ url, code })}\n` : `${link}\n`)
  if (!flags.json) terminal.err(`${NOTICE}\n`)
  if (opensBrowser(flags, terminal)) openBrowser(link, terminal.env)
  inspected.followProgress()
  await terminal.stopped()
  await inspected.close()
  return 0
}

const NOTICE =
  "Open the link; its code works once, for an hour. Nothing is changed or sent anywhere. Press Ctrl-C to stop."

/** A script reads the link, and a job of a CI service has nobody to look at a page. */
function opensBrowser({ noOpen, json }: FlagsOf<"inspect">, { streams, env }: Terminal): boolean {
  return !noOpen && !json && streams?.output.isTTY === true && (env.CI ?? "") === ""
}
