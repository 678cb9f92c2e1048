// What a running agent adds to its turns, as configured.
import type { Config } from "./config-schema.ts"

/** Everything is on except noise and enrichment, unless the configuration changes it. */
export function feedSwitches({ feeds = {} }: Pick<Config, "feeds">) {
  const isOn = (name: keyof typeof feeds, usual: boolean) => {
    const value = feeds[name]
    return value === undefined ? usual : value === "on" || value === true
  }
  return {
    signal: isOn("signal", true),
    recall: isOn("recall", true),
    tasks: isOn("tasks", true),
    workflow: isOn("workflow", true),
    communication: isOn("communication", true),
    bulletin: isOn("bulletin", true),
    noise: isOn("noise", false),
    enrichment: isOn("enrichment", false),
  }
}
