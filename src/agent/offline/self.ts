// What the offline model can answer from its prompt alone: who it is, and which skills are listed.
import { quoted, sentencesOf } from "./answer.ts"
import type { OfflineView } from "./view.ts"

const MOST_SKILLS = 20

export function selfOf(view: OfflineView): string {
  const [soul] = sentencesOf(view.head.get("soul") ?? "")
  return soul === undefined ? named(view) : `${named(view)} My soul begins: "${soul}"`
}

export function named({ head }: OfflineView): string {
  const [, name] = /^Your name is (.+?)\.(?:\s|$)/.exec(head.get("identity") ?? "") ?? []
  return name === undefined ? "My prompt gives me no name." : `I am ${name}.`
}

/** Reads the full or the shortened form of the section. */
export function skillsOf({ head }: OfflineView): string {
  const text = ["skills", "project-skills"].flatMap((id) => head.get(id) ?? []).join("\n")
  if (text === "") return "My prompt lists no skills."
  const whole = [...text.matchAll(/^<skill name="([^"]*)"[^>]*>\n(.*?)\n<\/skill>$/gms)]
  const lines = whole.map(([, name, description]) => `${name}: ${description}`)
  return `My prompt lists these skills:\n${quoted(lines.length > 0 ? lines : text.split("\n").slice(1), MOST_SKILLS)}`
}
