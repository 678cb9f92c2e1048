// The names of files that are being written, until they take the place of another. They start with a dot and end in
// neither `.md` nor `.yaml`, so that no gathering reads them, and the gate gives them to nobody below full trust: the text
// may belong to a file that restricts its readers.

/** Names may have up to 255 bytes. */
const MOST_CHARACTERS = 40

/** `id` is different for each write of any process. */
export function temporaryName(name: string, id: string): string {
  return `${startFor(name)}${id}.tmp`
}

export function isTemporaryFor(temporary: string, name: string): boolean {
  const start = startFor(name)
  return temporary.startsWith(start) && /^\d+-\d+\.tmp$/.test(temporary.slice(start.length))
}

export function isTemporary(name: string): boolean {
  return /^\..*\.\d+-\d+\.tmp$/s.test(name)
}

function startFor(name: string): string {
  // By code points: half of a pair would have another name on the disk.
  return `.${[...name].slice(0, MOST_CHARACTERS).join("")}.`
}
