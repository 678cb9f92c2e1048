// The calls that a text rode in: for lines of a file all that are known, for anything else the newest.
import type { CallPlace, Carried, ShownOwnerCost } from "../../../src/serve/page/shown.ts"
import { ask } from "../../data/ask.ts"
import { currentSource } from "../../data/calls.ts"
import { useLoaded } from "../../data/load.ts"
import { count, counted, moment, money } from "../../parts/figures.ts"
import { linkTo, place } from "../../shell/place.ts"

export function OwnerCalls({ owner }: { readonly owner: ShownOwnerCost }) {
  const { path, lines, kind } = owner.owner
  if (kind === "file" && path !== undefined && lines !== undefined)
    return <FileCalls owner={owner} path={path} lines={lines} />
  return (
    <p>
      {callsText(owner)} <NewestCall owner={owner} />
    </p>
  )
}

function callsText({ calls, carriedTokens }: ShownOwnerCost): string {
  return `In ${counted(calls, "call")}, ${count(carriedTokens)} tokens together.`
}

function NewestCall({ owner: { newest } }: { readonly owner: ShownOwnerCost }) {
  return newest === null ? null : <CallLink place={newest} />
}

interface CallLinkProps {
  readonly place: CallPlace
  /** As the view Prompt names a line; it marks every call that has it. */
  readonly line?: string
}

function CallLink({ place: { session, call }, line }: CallLinkProps) {
  const to = { view: "prompt", session, call, line: line ?? null, section: null }
  return <a href={linkTo(to)}>{line === undefined ? "Open the newest call" : "Show it in these calls"}</a>
}

interface FileCallsProps {
  readonly owner: ShownOwnerCost
  readonly path: string
  readonly lines: readonly [number, number]
}

/** Of the whole time: lines have no period. */
function FileCalls({ owner, path, lines: [from, to] }: FileCallsProps) {
  const source = currentSource()
  const session = place.value.only
  const { value, problem, isCurrent } = useLoaded(
    JSON.stringify([source, session, path, from, to]),
    (signal) => ask<Carried>("/api/carried", { signal, query: { source, session, path, from, to } }),
  )
  if (problem !== undefined) return <p role="alert">{problem}</p>
  if (value === undefined || !isCurrent) return <p class="quiet">Looking for the calls …</p>
  const { calls, tokens, costUsd, firstAt, lastAt, isWhole } = value
  const newest = owner.newest ?? placeOf(value.ids.at(-1))
  return (
    <p>
      {from === to ? `Line ${from}` : `Lines ${from}–${to}`} rode in {counted(calls, "call")}
      {firstAt !== null && lastAt !== null && `, ${moment(firstAt)} to ${moment(lastAt)}`}: {count(tokens)}{" "}
      tokens{costUsd !== null && `, ${money(costUsd)}`}.{!isWhole && " Only the newest calls were looked at."}{" "}
      {newest !== undefined && <CallLink place={newest} line={`${path}:${from}`} />}
    </p>
  )
}

/** A captured call's id begins with its session. */
function placeOf(id: string | undefined): CallPlace | undefined {
  const [session] = id?.split(".") ?? []
  return id === undefined || session === undefined ? undefined : { session, call: id }
}
