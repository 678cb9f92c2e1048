// `incipit/profiles`: the layouts that come with Incipit, and the parts they are made of.
export { incipit } from "../profiles/incipit.ts"
export {
  clockText,
  filesContent,
  guidelines,
  identityContent,
  joined,
  toolLine,
  userContent,
} from "../profiles/parts.ts"
