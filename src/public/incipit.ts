// The root entry: the compiler with its counter. Pure, and runs in a browser. It has everything of `incipit/compiler`;
// what takes a counter counts with o200k here unless it gets another.
export { definePrompt } from "../prompt/define-with-o200k.ts"
export {
  type CompileOptions,
  type CompilerOptions,
  compile,
  createCompiler,
} from "../tokens/compile-with-o200k.ts"
export { o200k } from "../tokens/o200k.ts"
export * from "./compiler.ts"
