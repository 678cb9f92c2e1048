// `incipit/testing`: assertions about a prompt, for the tests of whoever builds an agent.
export { expectPrompt, type PromptExpectation } from "../testing/expect-prompt.ts"
