// Proves each line about a sandbox by trying: commands run in it as the agent's would, and what they could do is compared
// with what the prompt says. Leaves nothing behind in the workspace.

import { randomBytes } from "node:crypto"
import { readlinkSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { INCIPIT_FOLDER } from "../../files/paths.ts"
import type { Sandbox } from "../sandbox-state.ts"
import { answer, quoted } from "./answer.ts"

/** One line of the prompt, and what was found by trying. */
export interface Proof {
  readonly fact: string
  /** As the prompt says it. */
  readonly said: string
  /** As it was found; equal to `said` if it holds. */
  readonly found: string
  /** What was tried. */
  readonly how: string
}

export interface ProofOptions {
  readonly sandbox: Sandbox
  /** The same settings for another session and for another agent's session, to see what they share. */
  readonly others: { readonly session: Sandbox; readonly agent: Sandbox } | undefined
  /** The working directory. */
  readonly directory: string
}

export async function proofs(options: ProofOptions): Promise<readonly Proof[]> {
  const { facts } = options.sandbox
  const all = [
    facts.backend === "bubblewrap" ? await isolationProof(options) : undefined,
    facts.scope === undefined ? undefined : await scopeProof(options, facts.scope),
    await workspaceProof(options),
    await networkProof(options),
  ]
  return all.filter((one) => one !== undefined)
}

function newName(): string {
  return `${INCIPIT_FOLDER}-proof-${randomBytes(8).toString("hex")}`
}

/** Its namespaces are others than ours, and it has no rights that it could use to leave them. */
async function isolationProof({ sandbox }: ProofOptions): Promise<Proof> {
  const names = ["user", "mnt", "pid", "ipc", "uts"]
  const inside = (
    await answer(sandbox, `readlink ${names.map((name) => `/proc/self/ns/${name}`).join(" ")}`)
  ).split("\n")
  const shared = names.filter((name, at) => inside[at] === undefined || inside[at] === ownNamespace(name))
  const rights = await answer(
    sandbox,
    "grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '[:space:]'",
  )
  const isHeld = shared.length === 0 && /^CapEff:0+NoNewPrivs:1Seccomp:[02]$/.test(rights)
  return {
    ...{ fact: "backend", said: sandbox.facts.backend },
    found: isHeld ? "bubblewrap" : `shared: ${shared.join(", ") || "nothing"}; ${rights}`,
    how: "compared the namespaces and rights of a command with those of this process",
  }
}

function ownNamespace(name: string): string {
  return readlinkSync(`/proc/self/ns/${name}`)
}

/** A file in /tmp is there for the next command of the scope, and for nobody outside of it. */
async function scopeProof(
  { sandbox, others }: ProofOptions,
  said: NonNullable<Sandbox["facts"]["scope"]>,
): Promise<Proof> {
  const path = `/tmp/${newName()}`
  const has = async (other: Sandbox | undefined) =>
    other !== undefined && (await answer(other, `cat ${path} 2>/dev/null`)) === "here"
  await answer(sandbox, `echo here > ${path}`)
  const [own, session, agent] = [await has(sandbox), await has(others?.session), await has(others?.agent)]
  await answer(sandbox, `rm -f ${path}`)
  const shared = agent ? "shared" : session ? "agent" : "session"
  return {
    ...{ fact: "scope", said, found: own ? shared : "command" },
    how: "wrote a file to /tmp and looked for it from this session, another one and another agent",
  }
}

async function workspaceProof({ sandbox, directory }: ProofOptions): Promise<Proof> {
  const [seen, made] = [join(directory, newName()), join(directory, newName())]
  writeFileSync(seen, "here")
  try {
    const text = await answer(sandbox, `cat '${quoted(seen)}' 2>/dev/null; echo here > '${quoted(made)}'`)
    const isSeen = text.startsWith("here")
    const isMade = statSync(made, { throwIfNoEntry: false })?.isFile() ?? false
    const found = isMade ? (isSeen ? "read-write" : "write-only") : isSeen ? "read-only" : "none"
    return {
      ...{ fact: "workspace", said: sandbox.facts.workspace, found },
      how: "read a file of the workspace and tried to make another",
    }
  } finally {
    for (const path of [seen, made]) rmSync(path, { force: true })
  }
}

/** Only this machine is asked for anything: what is outside of it is judged by interfaces and routes. */
async function networkProof({ sandbox }: ProofOptions): Promise<Proof> {
  const { server, port } = await openListener()
  try {
    const inside = await answer(
      sandbox,
      "readlink /proc/self/ns/net; tail -n +3 /proc/net/dev | cut -d: -f1 | xargs",
    )
    const [namespace, interfaces = ""] = inside.split("\n")
    const direct = await answer(sandbox, `exec 3<>/dev/tcp/127.0.0.1/${port} && echo open`)
    const proxied = await answer(sandbox, 'test -S /run/incipit/proxy.sock && echo "$HTTP_PROXY"')
    const isOwn = namespace !== ownNamespace("net")
    const isClosed = isOwn && interfaces === "lo" && !direct.endsWith("open")
    const found = isClosed ? (proxied === "" ? "off" : "allow-list") : isOwn ? "partly on" : "on"
    return {
      ...{ fact: "network", said: sandbox.facts.network, found },
      how: "looked for interfaces, a port of this machine and a proxy",
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function openListener(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_incoming, reply) => reply.end())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const address = server.address()
  return { server, port: typeof address === "object" && address !== null ? address.port : 0 }
}
