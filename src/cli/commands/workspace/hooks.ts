// `incipit hooks`: which modules, MCP servers, addresses and folders elsewhere take part in turns, and which of them
// are approved. Runs nothing that is not approved.
import { approvedDigests, withApprovals } from "../../../approval/approvals.ts"
import { approvedIn } from "../../../approval/approved-in.ts"
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import { loadHooks } from "../../../hooks/load.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { exact } from "../../chat/screen/visible.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { homeFolder, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { fitCell } from "../../views/widths.ts"
import {
  type ApprovalItem,
  approvalItems,
  KIND_NAMES,
  KINDS,
  outdatedLines,
  unapproved,
} from "./approvables.ts"
import { approveItems } from "./approve-items.ts"

interface Listed extends Omit<ApprovalItem, "names" | "view" | "looks" | "item"> {
  readonly status: "approved" | "waiting"
  /** The hooks of a module; undefined if it may not or cannot run. */
  readonly hooks?: readonly string[]
  /** It refuses calls that it could not check. */
  readonly guard?: true
}

export async function list({ flags, terminal }: Invocation<"hooks">): Promise<number> {
  const { root, names, items, home } = configured(flags, terminal)
  const isApproved = approvedIn(root, home)
  const { hooks, diagnostics } = await loadHooks(names, {
    root,
    approved: (digest, { given: name }) => isApproved({ kind: "hook", name, digest }),
  })
  const listed = items.map(({ names: _names, view: _view, looks: _looks, item, ...one }): Listed => {
    const status = isApproved({ ...one, name: item }) ? "approved" : "waiting"
    const loaded = hooks.find(({ module }) => one.kind === "hook" && module.digest === one.digest)
    if (loaded === undefined) return { ...one, status }
    return { ...one, status, hooks: Object.keys(loaded.hooks), ...(loaded.guard && { guard: true }) }
  })
  if (listed.length === 0 && !flags.json) terminal.err("incipit.yaml names nothing that needs approval.\n")
  else print({ flags, terminal }, listed, () => listView(listed, terminal))
  printDiagnostics(diagnostics, terminal)
  const waiting = listed.filter(({ status }) => status === "waiting").length
  if (waiting > 0 && !flags.json)
    terminal.err(
      `${waiting === 1 ? "1 needs" : `${waiting} need`} approval; to review and approve, run \`incipit hooks approve\`.\n`,
    )
  if (!flags.json)
    for (const line of outdatedLines(unapproved(items, { root, home }), home)) terminal.err(`${line}\n`)
  return 0
}

export async function approve({
  words: [wanted],
  flags,
  terminal,
}: Invocation<"hooks approve">): Promise<number> {
  const { opened, root, items, diagnostics, home } = configured(flags, terminal)
  printDiagnostics(diagnostics, terminal)
  const chosen = unapproved(items, { root, home }).filter(
    ({ names: known }) => wanted === undefined || known.includes(wanted),
  )
  if (chosen.length === 0)
    throw new IncipitError(
      "no-hook",
      wanted === undefined ? "nothing needs approval" : `nothing called "${wanted}" needs approval`,
    )
  if (!(await approveItems(opened, chosen, { terminal, home, isYes: flags.yes }))) {
    terminal.err("Nothing was approved.\n")
    return 0
  }
  const done = chosen.map(({ kind, name, path, digest }) => ({ kind, name, path, digest }))
  print({ flags, terminal }, done, () => done.map(({ name }) => `Approved ${exact(name)}.`))
  return 0
}

export async function revoke({
  words: [wanted = ""],
  flags,
  terminal,
}: Invocation<"hooks revoke">): Promise<number> {
  const { items, home } = configured(flags, terminal)
  const name = items.find(({ names }) => names.includes(wanted))?.name ?? wanted
  const isAny = KINDS.some((kind) => approvedDigests(home, kind).size > 0)
  const revoked = isAny
    ? withApprovals(home, (approvals) => KINDS.reduce((sum, kind) => sum + approvals.revoke(kind, name), 0))
    : 0
  if (revoked === 0) throw new IncipitError("no-hook", `nothing called "${wanted}" is approved`)
  print({ flags, terminal }, { name, revoked }, () => [
    `Revoked ${plural(revoked, "approval")} of ${exact(name)}.`,
  ])
  return 0
}

/** The workspace, and everything in its configuration that waits for approval. */
function configured(flags: FlagsOf<"hooks">, terminal: Terminal) {
  const home = homeFolder({}, terminal)
  const opened = openWorkspace(workspaceFolder(flags, terminal), { home })
  const { config, root } = opened
  printDiagnostics(opened.diagnostics, terminal)
  const { items, diagnostics } = approvalItems(opened)
  return { opened, root, names: config.hooks ?? [], items, diagnostics, home }
}

function listView(listed: readonly Listed[], terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const widest = (texts: readonly string[]) =>
    Math.min(32, Math.max(0, ...texts.map((text) => exact(text).length)))
  const [names, paths] = [widest(listed.map(({ name }) => name)), widest(listed.map(({ path }) => path))]
  const lines = listed.map(({ name, path, digest, status, hooks = [], guard }) => {
    const place = `${fitCell(exact(name), names)}  ${fitCell(exact(path), paths)}  ${digest.slice(0, SHORT_DIGEST)}`
    const line = `${place}  ${fitCell(status, 8)}  ${guard ? "guard: " : ""}${hooks.join(", ")}`.trimEnd()
    return status === "approved" ? line : paint("yellow", line)
  })
  const counts = KINDS.flatMap((kind) => {
    const count = listed.filter((one) => one.kind === kind).length
    return count === 0 && kind !== "hook" ? [] : [plural(count, KIND_NAMES[kind])]
  })
  return [...lines, counts.join(", ")]
}

const SHORT_DIGEST = "sha256:".length + 12
