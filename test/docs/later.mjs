// Loaded into each command of the tutorial: its clock is as far ahead as its reader has spent on the steps before.
const ahead = Number(process.env.TUTORIAL_AHEAD_MS ?? 0)
const { now } = Date

globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [now() + ahead] : given))
  }
  static now() {
    return now() + ahead
  }
}
