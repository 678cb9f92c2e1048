// One line that is written over and over while a person waits, and leaves nothing behind.

export interface ProgressLine {
  show(text: string): void
  /** Erases it, so that what is printed next begins a line. */
  end(): void
}

export function createProgressLine(write: (text: string) => void): ProgressLine {
  let isShown = false
  return {
    show(text) {
      isShown = true
      write(`\r\u001b[K${text}`)
    },
    end() {
      if (isShown) write("\r\u001b[K")
      isShown = false
    },
  }
}
