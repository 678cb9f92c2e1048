// `incipit explain PATH`: what became of a file on the disk. Files are matched by identity, so a link is explained
// as the file it leads to.
import { statSync } from "node:fs"
import { dirname, sep } from "node:path"
import type { Skill } from "../../../core/model/inputs.ts"
import { type Explanation, explainFile, type FileFate, type Unread } from "../../../core/read/explain.ts"
import type { Report } from "../../../core/read/report.ts"
import { view } from "../../../core/view/view.ts"
import { identityOf } from "../../../files/identity.ts"
import { isInside, shownFrom } from "../../../files/inside.ts"
import { requireRealPath } from "../../../files/real-path.ts"
import { fileReader } from "../../../profiles/incipit/stable.ts"
import { whyUnread } from "../../../sources/context/why-unread.ts"
import { incipitSystem } from "../../../sources/systems/incipit-system.ts"
import type { Compiled } from "./resolve.ts"

interface PathContext extends Compiled {
  readonly whole: Report
  readonly directory: string
}

/** Returns undefined for a folder without gathered files: its name may be meant as text. */
export function explainPath(path: string, context: PathContext): readonly Explanation[] | undefined {
  const stat = statSync(path, { bigint: true })
  if (stat.isDirectory()) return inFolder(requireRealPath(path), context)
  const identity = identityOf(stat)
  const { files, input } = context
  const { agent, session } = input
  const known = [...files, ...(agent.skills ?? []), ...(session.skills ?? [])]
  const found = known.find((file) => file.identity === identity)
  const named = shownFrom(path, input.workspace.root)
  if (found === undefined)
    return [{ kind: "file", path: named, uses: [], fate: fileFate(path, identity, context) }]
  const isSame = [named, path, requireRealPath(path)].includes(found.path)
  return [{ ...gathered(found, context), ...(!isSame && { asked: named }) }]
}

type Gathered = Compiled["files"][number] | Skill
type ExplainedFile = Extract<Explanation, { kind: "file" }>

function gathered(file: Gathered, context: PathContext): ExplainedFile {
  const found = refined(explainFile(context.whole, file.path, context.files), context)
  if (!("location" in file) || found.fate.kind !== "unused") return found
  return { ...found, fate: { kind: "unread", why: { kind: "skill", reason: whyNotListed(file, context) } } }
}

/** Names the section that reads such files, and the file that is used in it. Only the profile knows both. */
export function refined(
  item: ExplainedFile,
  { files, input, whole }: Pick<Compiled, "files" | "input"> & { readonly whole: Report },
): ExplainedFile {
  const file = files.find(({ path }) => path === item.path)
  if (item.fate.kind !== "unused" || file === undefined) return item
  const readers = input.profile.sections.filter(({ reads }) => reads?.includes(file.role))
  const sections = readers.flatMap(({ id }) => whole.sections.find((section) => section.id === id) ?? [])
  const [section] = sections
  if (section === undefined)
    return { ...item, fate: { kind: "unread", why: { kind: "no-section", profile: input.profile.name } } }
  const used = sections.flatMap(({ spans }) =>
    spans.flatMap(({ from }) => (from !== undefined && "path" in from ? [from.path] : [])),
  )
  const by = used.find((path) => dirname(path) === dirname(file.path)) ?? used[0]
  if (section.outcome.kind === "included" && by !== undefined)
    return { ...item, fate: { kind: "unread", why: { kind: "instead", by } } }
  return { ...item, fate: { kind: "unused", section: section.id, outcome: section.outcome } }
}

function whyNotListed(skill: Skill, { input }: PathContext): Extract<Unread, { kind: "skill" }>["reason"] {
  const seen = view(input.agent, input.session)
  if (skill.manual === true) return "manual"
  const listed = [...seen.agent.skills, ...seen.session.skills]
  if (!listed.some(({ identity }) => identity === skill.identity)) return "name-taken"
  if (fileReader(seen.agent) === undefined) return "no-reader"
  return seen.agent.mode === "full" ? "no-room" : "mode"
}

function fileFate(path: string, identity: string, context: PathContext): FileFate {
  const { input, whole, files, directory } = context
  const memory = input.agent.memory?.find((one) => one.identity === identity)
  if (memory !== undefined) {
    const { fate } = explainFile(whole, memory.path, files)
    return fate.kind === "withheld" ? fate : { kind: "unread", why: { kind: "memory", store: memory.store } }
  }
  return whyUnread(requireRealPath(path), {
    ...{ workspace: input.workspace, agent: input.agent, session: input.session, directory },
    ...{
      profile: input.profile.name,
      isOwnSystem: input.system === incipitSystem,
      reads: input.system.reads,
    },
    diagnostics: context.diagnostics,
  })
}

function inFolder(folder: string, { files, whole, input }: PathContext): readonly Explanation[] | undefined {
  const { root } = input.workspace
  const inside = files.filter(({ path }) =>
    isInside(path.startsWith("/") ? path : `${root}${sep}${path}`, folder),
  )
  return inside.length === 0
    ? undefined
    : inside.map(({ path }) => refined(explainFile(whole, path, files), { files, whole, input }))
}
