// `incipit/testing`: assertions about a prompt, for the tests of whoever builds an agent.
export { type ExpectOptions, expectPrompt, type PromptExpectation } from "../testing/expect-prompt.ts"
