// What `serve` shows on its page: what its agents recorded, and whatever else it was given.
import { termsOf } from "../../../agent/models/terms.ts"
import { isTrust, type Trust } from "../../../base/trust.ts"
import { VERSION } from "../../../base/version.ts"
import { DEFAULT_CEILINGS } from "../../../sources/config/defaults.ts"
import type { ApiServices } from "../../api/api-call.ts"
import { isOperator } from "../../api/operator.ts"
import type { ServedAgents } from "../../http/surface.ts"
import type { ShownPage } from "../page-call.ts"
import type { Reader } from "../page-source.ts"
import type { PageInfo } from "../shown.ts"
import { agentSource } from "./agent-source.ts"

type Services = Pick<ApiServices, "store" | "config" | "sources">

export function agentPage(agents: ServedAgents, services: Services): ShownPage {
  const { outbox } = services.store
  const own = agentSource({
    ...{ agents, outbox },
    termsOf: (model, at) => termsOf(model, services.config(), at),
  })
  const sources: ShownPage["sources"] = (reader) =>
    isOperator(reader) ? [own, ...(services.sources?.() ?? [])] : [own]
  return {
    sources,
    info: async (reader) => ({
      ...{ title: await agents.main.nameFor(reader.from), mode: "serve" },
      sources: sources(reader).map(({ id, title }) => ({ id, title })),
      caller: callerInfo(reader),
      agents: agents.names,
      ...(isOperator(reader) ? audiences(services) : { people: [], situations: [] }),
      models: isOperator(reader) ? modelsOf(agents, services) : [],
      version: VERSION,
    }),
  }
}

/** Who looks, as the page is told. */
export function callerInfo(reader: Reader): PageInfo["caller"] {
  const { user = null, situation, trust, scopes } = reader
  return { user, situation, trust, scopes, isOperator: isOperator(reader) }
}

/** Whom a prompt can be compiled for, and where. */
export function audiences({ config }: Pick<Services, "config">): Pick<PageInfo, "people" | "situations"> {
  const { users = {}, situations = {} } = config()
  const ceilings = Object.entries(situations).map(([name, { ceiling }]) => [name, ceiling] as const)
  return {
    people: Object.entries(users).map(([name, { trust }]) => ({
      ...{ name, trust: knownTrust(trust), isOwner: trust === "full" },
    })),
    situations: [...new Map([...Object.entries(DEFAULT_CEILINGS), ...ceilings])].map(([name, ceiling]) => ({
      ...{ name, ceiling: knownTrust(ceiling) },
    })),
  }
}

/** A misspelt one fails closed. */
function knownTrust(trust: string): Trust {
  return isTrust(trust) ? trust : "public"
}

function modelsOf({ main }: ServedAgents, { config }: Pick<Services, "config">): readonly string[] {
  const { model, fallback_model: second } = config()
  return [...new Set([main.model.id, model ?? [], second ?? []].flat())]
}
