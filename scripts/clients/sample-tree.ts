// A small tree with instruction files and skills for every client. The text is invented, and the same on every run.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const WHO = ["The pump house", "The night keeper", "A surveyor", "The west lantern", "Each entry", "The mast"]
const DOES = ["checks", "records", "never moves", "replaces", "counts", "hands over", "polishes"]
const WHAT = [
  "the brass fittings before dawn",
  "every spare wick in the lower drawer",
  "two copies of the weather sheet",
  "the keys of the outer gate",
  "the depth at the old slipway",
]

/** Every line differs from every other, in all files. */
function rules(title: string, count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const pick = (list: readonly string[], by: number) => list[(at * by + title.length) % list.length]
    return `- ${title}, rule ${at + 1}: ${pick(WHO, 5)} ${pick(DOES, 3)} ${pick(WHAT, 7)}.`
  })
  return `# ${title}\n\n${lines.join("\n")}\n`
}

function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${rules(`How to ${name}`, 6)}`
}

const SKILL_FOLDERS = [".claude", ".agents", ".pi", ".opencode", ".gemini"]

export function writeSampleTree(folder: string): void {
  const files: readonly (readonly [string, string])[] = [
    ["AGENTS.md", rules("Agents at the lighthouse", 110)],
    ["CLAUDE.md", `${rules("Claude at the lighthouse", 90)}\n@docs/style.md\n`],
    ["GEMINI.md", rules("Gemini at the lighthouse", 90)],
    ["README.md", rules("The lighthouse book", 20)],
    ["docs/README.md", rules("The papers of the lighthouse", 12)],
    ["docs/style.md", rules("The style of the book", 20)],
    ["src/lamp.ts", "export const isLit = (hour: number): boolean => hour < 6 || hour >= 19\n"],
    ...SKILL_FOLDERS.flatMap((root): readonly (readonly [string, string])[] => [
      [
        `${root}/skills/trim-wick/SKILL.md`,
        skill("trim-wick", `Trims the wick of the main lamp when the flame smokes (kept in ${root}).`),
      ],
    ]),
  ]
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
