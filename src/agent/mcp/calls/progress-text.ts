// What a server says of a call that is running, as a few words: `40%: reading tides`.
import type { Progress } from "./call-tool.ts"

const MOST = 120

/** `clean`: removes keys and hidden characters from a text of the server's. */
export function progressText({ done, total, text = "" }: Progress, clean: (text: string) => string): string {
  const share =
    total !== undefined && total > 0 ? `${Math.round(Math.min(1, Math.max(0, done / total)) * 100)}%` : ""
  const words = clean(text).replaceAll(/\s+/g, " ").trim()
  const said = words.length > MOST ? `${words.slice(0, MOST)}...` : words
  return [share, said].filter((part) => part !== "").join(": ")
}
