// The compiler for callers who don't bring a counter: theirs is o200k. The compiler itself knows no counter, so that a
// program with its own doesn't carry the table of a megabyte.
import {
  type CompileInput,
  type Compiler,
  type CompilerOptions as CompilerWithCounter,
  compile as compileWith,
  createCompiler as createCompilerWith,
  type CompileOptions as OptionsWithCounter,
} from "../core/compile/compiler.ts"
import type { Counter } from "../core/model/counter.ts"
import type { Profile } from "../core/model/profile.ts"
import type { Prompt } from "../core/model/prompt.ts"
import { o200k } from "./o200k.ts"

/** The profile to compile, and the counter of its tokens. */
export interface CompilerOptions extends Omit<CompilerWithCounter, "counter"> {
  /** Default: `o200k`. */
  readonly counter?: Counter
}

/** Makes a compiler from a profile: `head` once per epoch, then `step` for each model call. */
export function createCompiler({ counter = o200k, ...options }: CompilerOptions): Compiler {
  return createCompilerWith({ ...options, counter })
}

/** What `compile` takes: the options of a head and of a step, and the counter. */
export interface CompileOptions extends Omit<OptionsWithCounter, "counter"> {
  /** Default: `o200k`. */
  readonly counter?: Counter
}

/** Head and step in one call, for a single prompt. In a loop, keep a compiler instead. */
export function compile(
  profile: Profile,
  input: CompileInput,
  { counter = o200k, ...options }: CompileOptions = {},
): Prompt {
  return compileWith(profile, input, { ...options, counter })
}
