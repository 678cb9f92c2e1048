// Whether an address can not lead off this machine, whatever a name server says: a literal loopback address, or the one
// name that is resolved to it here and is never asked for.

export function isThisMachine(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : ""
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
}
