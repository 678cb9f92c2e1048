// Reads a module's hooks from its exports: the default export, or named exports. Calls nothing.

import type { Diagnostic } from "../base/diagnostic.ts"
import { isRecord } from "../base/is-record.ts"
import { misspelled } from "../base/nearest.ts"
import { isTrust, type Trust } from "../base/trust.ts"
import { HOOK_NAMES, type HookName, type NamedHooks } from "./hooks.ts"

export interface ModuleHooks {
  /** Undefined if it exports no hook. */
  readonly hooks: NamedHooks | undefined
  readonly diagnostics: readonly Diagnostic[]
}

type Exports = Readonly<Record<string, unknown>>

/** Allowed names for a module: they appear in ids and in lines of reports. */
const NAME = /^[\p{L}\p{N}_.@/-]{1,64}$/u
/** Exports that are metadata, not hooks. */
const FACTS = ["name", "trust", "guard"]

/** `path` is the module's name in diagnostics; `name` is its default name. */
export function hooksOf(exported: Exports, { path, name }: { path: string; name: string }): ModuleHooks {
  const { default: standard, ...named } = exported
  const whole = isRecord(standard) ? standard : {}
  const all: Exports = { ...named, ...whole }
  const found = HOOK_NAMES.filter((hook) => typeof all[hook] === "function")
  const odd = [
    ...Object.keys(whole).filter((key) => !isKnown(key) || isBroken(key, whole)),
    ...Object.keys(named).filter((key) => isBroken(key, named) || (!isKnown(key) && isHookLike(key, named))),
  ]
  const diagnostics: Diagnostic[] = [...new Set(odd)].map((key) => unknownHook(path, key))
  if (found.length === 0)
    return {
      hooks: undefined,
      diagnostics: [...diagnostics, { code: "hook-exports-nothing", path, needs: "full" }],
    }
  const trust = trustOf(all.trust)
  if (trust !== undefined && trust !== all.trust)
    diagnostics.push({ code: "unknown-trust", path, value: String(all.trust), used: trust, needs: "full" })
  const hooks: NamedHooks = {
    name: typeof all.name === "string" && NAME.test(all.name) ? all.name : name,
    hooks: Object.fromEntries(found.map((hook) => [hook, all[hook]])),
    ...(trust !== undefined && { trust }),
    // Any other value was meant to protect something.
    ...(all.guard !== undefined && all.guard !== false && { guard: true }),
  }
  return { hooks, diagnostics }
}

/** An unknown level fails closed. */
function trustOf(value: unknown): Trust | undefined {
  if (value === undefined) return undefined
  return isTrust(value) ? value : "full"
}

function isKnown(key: string): boolean {
  return isHook(key) || FACTS.includes(key)
}

function isHook(key: string): key is HookName {
  return HOOK_NAMES.some((hook) => hook === key)
}

/** A hook's name on a value that is not a function. */
function isBroken(key: string, from: Exports): boolean {
  return isHook(key) && typeof from[key] !== "function"
}

/** A module may export other functions; only a name close to a hook's is a mistake. */
function isHookLike(key: string, from: Exports): boolean {
  return typeof from[key] === "function" && misspelled(key, HOOK_NAMES) !== undefined
}

function unknownHook(path: string, name: string): Diagnostic {
  const meant = isHook(name) ? undefined : misspelled(name, HOOK_NAMES)
  return { code: "unknown-hook", path, name, ...(meant !== undefined && { nearest: meant }), needs: "full" }
}
