// Opens a link in the person's browser, with what the system has for it. Without a screen, or in a session from another
// machine, nothing is opened: the link has been printed.
import { spawn } from "node:child_process"
import process from "node:process"
import type { Terminal } from "../../terminal.ts"

/** While the browser starts, other users of the machine can read the link in the list of processes: see `forUser`. */
export function openBrowser(link: string, env: Terminal["env"]): void {
  const command = browserCommand(link, process.platform, env)
  if (command === undefined) return
  const [program, ...args] = command
  const opened = spawn(program, args, { detached: true, stdio: "ignore" })
  // The program is not there.
  opened.on("error", () => {})
  opened.unref()
}

/** Returns undefined where no browser can be seen. */
export function browserCommand(
  link: string,
  platform: NodeJS.Platform,
  { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION }: Terminal["env"],
): readonly [string, ...string[]] | undefined {
  if ((SSH_CONNECTION ?? "") !== "") return undefined
  if (platform === "darwin") return ["open", link]
  // `start` takes a first argument in quotes, which Node writes for an empty one, for a title. The link has no character
  // that means something to `cmd`.
  if (platform === "win32") return ["cmd", "/c", "start", "", link]
  const hasScreen = [DISPLAY, WAYLAND_DISPLAY].some((name) => (name ?? "") !== "")
  return hasScreen ? ["xdg-open", link] : undefined
}
