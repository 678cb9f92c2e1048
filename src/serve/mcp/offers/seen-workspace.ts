// What the asker may see of the workspace: the files of their prompt, and the skills that they may use.

import { byCodePoint } from "../../../base/order.ts"
import type { Skill } from "../../../core/model/inputs.ts"
import type { SourceFile } from "../../../core/model/source.ts"
import { view } from "../../../core/view/view.ts"
import { existingPathOf } from "../../../files/real-path.ts"
import { readSource } from "../../../sources/read/file.ts"
import { splitFrontMatter } from "../../../sources/read/frontmatter.ts"
import type { CompiledPrompt, McpView } from "../mcp-view.ts"

export interface SeenWorkspace {
  /** By path, each once. */
  readonly files: readonly SourceFile[]
  /** By name. */
  readonly skills: readonly Skill[]
}

export async function seenWorkspace(mcp: McpView): Promise<SeenWorkspace> {
  return seenOf(await mcp.compile({}))
}

export function seenOf({ agent, session }: CompiledPrompt): SeenWorkspace {
  const seen = view(agent, session)
  const files = new Map([...seen.agent.files, ...seen.session.files].map((file) => [file.path, file]))
  const skills = [...(seen.agent.skills ?? []), ...(seen.session.skills ?? [])]
  return {
    files: [...files.values()].toSorted((one, other) => byCodePoint(one.path, other.path)),
    skills: skills.toSorted((one, other) => byCodePoint(one.name, other.name)),
  }
}

export interface SkillText {
  /** As it is in the file. */
  readonly whole: string
  /** Without its front matter. */
  readonly body: string
}

/** Undefined if it cannot be read now, or is no longer the file that was listed: that one was checked. */
export function textOfSkill({ location, path, identity, digest }: Skill): SkillText | undefined {
  const real = existingPathOf(location)
  const found = real === undefined ? undefined : readSource(real, { roots: [real], shown: path })
  if (found?.kind !== "read" || found.identity !== identity || found.digest !== digest) return undefined
  return { whole: found.text, body: splitFrontMatter(found.text, path).body }
}
