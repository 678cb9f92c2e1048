// Whose a session is, for people. The store writes `person:` and the id, `room:` and the room's id, or `unknown:` and the
// channel; the room of one person outside of a channel is the situation and the person.

export function whoText(who: string): string {
  const [kind = "", ...rest] = who.split(":")
  const name = rest.join(":")
  if (kind === "person") return name
  if (kind === "unknown") return `unknown on ${name}`
  if (kind !== "room") return who
  const [, situation, one] = /^([^:]+):((?:person:|owner$|unknown:).*)$/.exec(name) ?? []
  return situation === undefined || one === undefined ? `room ${name}` : `${whoText(one)} in ${situation}`
}
