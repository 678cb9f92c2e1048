// The default profile. Slow text first. Each section has the pace that its inputs allow, and is left out completely
// when it has no content.
import type { Profile } from "../../core/model/profile.ts"
import { tags } from "../../core/write/markup.ts"
import * as feeds from "./feeds.ts"
import * as session from "./session.ts"
import * as stable from "./stable.ts"
import { TOOLS } from "./tools.ts"
import * as turn from "./turn.ts"

/** The default layout. */
export const incipit: Profile = {
  name: "incipit",
  order: "paced",
  markup: tags,
  tools: TOOLS,
  sections: [
    stable.base,
    stable.append,
    stable.identity,
    stable.soul,
    stable.behaviour,
    stable.tools,
    stable.guides,
    stable.extensions,
    stable.storage,
    stable.toolNotes,
    stable.rules,
    stable.files,
    stable.skills,
    session.user,
    session.userFiles,
    session.situation,
    session.channel,
    session.heartbeat,
    session.context,
    session.projectSkills,
    session.memory,
    session.environment,
    session.addendums,
    session.directory,
    session.responsibilities,
    session.background,
    turn.planMode,
    feeds.tasks,
    feeds.workflow,
    feeds.recall,
    feeds.communication,
    feeds.bulletin,
    turn.git,
    feeds.remaining,
    feeds.signal,
    turn.clock,
  ],
}
