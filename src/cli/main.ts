// Starts the command line. The only file that touches the process: its streams, secrets, faults and exit status.
import { unwritable } from "../base/system-error.ts"
import { hideSecrets, takeSecrets } from "./command-line/hidden-secrets.ts"
import { errorLine, faultLines, runLine } from "./command-line/run-line.ts"
import { terminalOf } from "./process-terminal.ts"

/** A reader that closes the pipe early, such as `head`, is no error. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    if (stream === process.stdout) process.stderr.write(`${errorLine(unwritable("the output", error))}\n`)
    process.exit(2)
  })
}

/** True if this is the second start, after the secrets were hidden. */
const areSecretsHidden = takeSecrets(process)
const terminal = terminalOf(process)
process.once("uncaughtException", (error) => {
  terminal.err(faultLines(error))
  process.exit(2)
})
void runLine(process.argv.slice(2), {
  terminal,
  beforeAgent() {
    if (!areSecretsHidden) hideSecrets(process)
  },
}).then((status) => {
  process.exitCode = status
})
