// `incipit/profiles`: the layouts that come with Incipit, and the parts they are made of.
export { incipit } from "../profiles/incipit.ts"
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
