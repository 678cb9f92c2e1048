// `incipit/profiles`: the bundled profiles, and the parts they are made of.
export {
  type Adjusted,
  type Adjustment,
  adjustProfile,
  type SectionSetting,
  type SectionWish,
} from "../profiles/adjust.ts"
export { coop } from "../profiles/coop/coop.ts"
export { incipit } from "../profiles/incipit/incipit.ts"
export {
  bulletinInput,
  communicationInput,
  recallInput,
  remainingInput,
  signalInput,
  tasksInput,
  workflowInput,
} from "../profiles/inputs.ts"
export { moltis } from "../profiles/moltis/moltis.ts"
export { nova } from "../profiles/nova/nova.ts"
export { osaBefore } from "../profiles/osa/before.ts"
export { osa } from "../profiles/osa/osa.ts"
export {
  clockText,
  contextContent,
  environmentContent,
  filesContent,
  gitContent,
  guidelines,
  identityContent,
  joined,
  memoryContent,
  skillsContent,
  TOOL_CALL_FORMAT,
  toolDefinition,
  toolLine,
  userContent,
} from "../profiles/parts.ts"
export { pi } from "../profiles/pi/pi.ts"
