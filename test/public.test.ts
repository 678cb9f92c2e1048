// The exported names are a promise: one that comes or goes is a decision, made here.
import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import packageJson from "../package.json" with { type: "json" }
import { VERSION } from "../src/base/version.ts"

/** Modules can be linked by hand only behind a flag, and then only with a warning. */
const FLAGS = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"]

async function namesOf(entry: string): Promise<readonly string[]> {
  return Object.keys(await import(`../src/public/${entry}.ts`)).sort()
}

test("incipit", async () => {
  expect(await namesOf("incipit")).toMatchInlineSnapshot(`
    [
      "DEFAULT_BUDGET",
      "IncipitError",
      "MODES",
      "PACES",
      "PRIORITIES",
      "TRUSTS",
      "allOf",
      "atLeast",
      "attach",
      "bodyContent",
      "bodyOf",
      "compile",
      "counterFrom",
      "createCompiler",
      "definePrompt",
      "detach",
      "diff",
      "digest",
      "element",
      "escapeAttribute",
      "explain",
      "feed",
      "fingerprintOf",
      "firstOf",
      "fromFields",
      "guard",
      "headings",
      "inModelTokens",
      "isSeen",
      "isTrust",
      "o200k",
      "perSession",
      "perTurn",
      "prefixOf",
      "readInput",
      "report",
      "section",
      "sentence",
      "sessionInput",
      "tags",
      "text",
      "textContent",
      "turnInput",
      "unused",
      "unusedText",
      "userMessage",
      "verbatim",
      "visible",
    ]
  `)
})

test("incipit/compiler: the same names without the counter", async () => {
  const names = await namesOf("incipit")
  expect(await namesOf("compiler")).toEqual(names.filter((name) => name !== "o200k"))
})

test("incipit/tokens", async () => {
  expect(await namesOf("tokens")).toMatchInlineSnapshot(`
    [
      "calibrate",
      "calibratedFactor",
      "factorFor",
      "o200k",
    ]
  `)
})

test("incipit/profiles", async () => {
  expect(await namesOf("profiles")).toMatchInlineSnapshot(`
    [
      "TOOL_CALL_FORMAT",
      "adjustProfile",
      "bulletinInput",
      "clockText",
      "communicationInput",
      "contextContent",
      "coop",
      "environmentContent",
      "filesContent",
      "gitContent",
      "guidelines",
      "identityContent",
      "incipit",
      "joined",
      "memoryContent",
      "moltis",
      "nova",
      "osa",
      "osaBefore",
      "pi",
      "recallInput",
      "remainingInput",
      "signalInput",
      "skillsContent",
      "tasksInput",
      "toolDefinition",
      "toolLine",
      "userContent",
      "workflowInput",
    ]
  `)
})

test("incipit/render", async () => {
  expect(await namesOf("render")).toMatchInlineSnapshot(`
    [
      "fromAiSdk",
      "fromAnthropic",
      "fromBedrock",
      "fromChat",
      "fromGoogle",
      "fromResponses",
      "renderAiSdk",
      "renderAnthropic",
      "renderBedrock",
      "renderChat",
      "renderClaudeAgent",
      "renderGoogle",
      "renderResponses",
      "renderText",
    ]
  `)
})

test("incipit/cache", async () => {
  expect(await namesOf("cache")).toMatchInlineSnapshot(`
    [
      "CACHE_LAYOUTS",
      "CACHE_RULES",
      "callOf",
      "costOf",
      "evenScenario",
      "planBreakpoints",
      "priceOfChange",
      "priceOfSwitch",
      "rehearse",
      "ruleFor",
      "simulate",
      "verify",
    ]
  `)
})

test("incipit/record", async () => {
  expect(await namesOf("record")).toMatchInlineSnapshot(`
    [
      "costs",
      "createLog",
      "createRedactor",
      "exportEvents",
      "followEvents",
      "openOtel",
      "openRecord",
      "openScope",
      "priceFor",
      "prune",
      "queryEvents",
      "recordedCalls",
      "replay",
      "saveReceipt",
      "saveUsage",
      "startUpkeep",
      "statusOf",
      "traceLines",
      "traceOf",
      "turnDiff",
      "whyMiss",
    ]
  `)
})

test("incipit/memory", async () => {
  expect(await namesOf("memory")).toMatchInlineSnapshot(`
    [
      "openMemory",
    ]
  `)
})

test("incipit/tools", async () => {
  expect(await namesOf("tools")).toMatchInlineSnapshot(`
    [
      "MEMORY_TOOLS",
      "defineTool",
    ]
  `)
})

test("incipit/signal", async () => {
  expect(await namesOf("signal")).toMatchInlineSnapshot(`
    [
      "ACKNOWLEDGEMENTS",
      "classify",
      "classifyWithReasons",
      "noiseVerdict",
      "overlay",
      "readMessage",
      "settle",
      "wantsPlan",
    ]
  `)
})

test("incipit/sources", async () => {
  expect(await namesOf("sources")).toMatchInlineSnapshot(`
    [
      "contextFor",
      "coopSystem",
      "detectEnvironment",
      "files",
      "gatherAgent",
      "gatherContext",
      "gatherSession",
      "gitState",
      "incipitSystem",
      "moltisSystem",
      "novaSystem",
      "openWorkspace",
      "osaBeforeSystem",
      "osaSystem",
      "piSystem",
      "readFiles",
      "reload",
      "resolveAudience",
    ]
  `)
})

test("incipit/hooks", async () => {
  expect(await namesOf("hooks")).toMatchInlineSnapshot(`
    [
      "defineHooks",
    ]
  `)
})

test("incipit/channels", async () => {
  expect(await namesOf("channels")).toMatchInlineSnapshot(`
    [
      "ChannelFault",
      "connectChannels",
    ]
  `)
})

test("incipit/agent", async () => {
  expect(await namesOf("agent")).toMatchInlineSnapshot(`
    [
      "ToolFailure",
      "offlineModel",
      "openAgent",
      "openModel",
      "openStore",
    ]
  `)
})

test.each(["ai-sdk", "claude-agent", "langchain", "openai-agents", "pi"])("incipit/%s", async (entry) => {
  expect(await namesOf(entry)).toEqual(["openChat"])
})

test("incipit/capture", async () => {
  expect(await namesOf("capture")).toEqual(["captureFetch", "recordCalls"])
})

test("incipit/testing", async () => {
  expect(await namesOf("testing")).toEqual(["expectPrompt"])
})

test("every entry of the package is one file of src/public", () => {
  const entries = Object.entries(packageJson.exports).filter(([name]) => !name.endsWith(".json"))
  expect(entries.map(([name]) => name)).toEqual([
    ".",
    "./compiler",
    "./tokens",
    "./profiles",
    "./render",
    "./cache",
    "./record",
    "./memory",
    "./agent",
    "./tools",
    "./signal",
    "./sources",
    "./hooks",
    "./channels",
    "./ai-sdk",
    "./langchain",
    "./openai-agents",
    "./pi",
    "./claude-agent",
    "./capture",
    "./testing",
  ])
})

test("the command line and the package have the same version", () => {
  expect(VERSION).toBe(packageJson.version)
})

test("the root entry compiles a prompt where there is no node:", () => {
  const { stdout, stderr, status } = spawnSync("node", [...FLAGS, "test/browser/compile-without-node.mjs"], {
    encoding: "utf8",
  })
  expect({ stdout, stderr, status }).toEqual({
    stdout:
      "<hello>\nHello from a page.\n</hello>\n\n<turn-context>\n<clock>\n0\n</clock>\n\n</turn-context>\n\n11 27\n",
    stderr: "",
    status: 0,
  })
})
