// Shows what the build is doing, one line for each step. On a terminal, the line of the current step is rewritten
// when it is done.

export interface Steps {
  (name: string): void
  end(): void
}

interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export function createSteps(output: Output, count: number): Steps {
  let current: { readonly title: string; readonly since: number } | undefined
  let done = 0
  const finish = () => {
    if (current === undefined) return
    const seconds = ((performance.now() - current.since) / 1000).toFixed(1)
    output.write(`${output.isTTY ? "\r\x1b[2K" : ""}${current.title}: ${seconds} s\n`)
    done += 1
  }
  const step = (name: string) => {
    finish()
    current = { title: `build ${done + 1}/${count}, ${name}`, since: performance.now() }
    if (output.isTTY) output.write(`${current.title} …`)
  }
  return Object.assign(step, { end: finish })
}
