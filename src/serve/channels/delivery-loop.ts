// Sends what the store has for a channel, in order for each place, until it is sent or can never be.
import type { Deliveries, Delivery } from "../../database/contract/serve/deliveries.ts"
import type { Pairings } from "../../database/contract/serve/pairings.ts"
import { backOffMs } from "./back-off.ts"
import { type Channel, ChannelFault } from "./channel.ts"
import { readyPart } from "./offer-pairing.ts"

export interface DeliveryLoop {
  /** There may be something to send. */
  wake(): void
  /** Resolves when the signal is aborted and nothing is being sent. */
  run(signal: AbortSignal): Promise<void>
}

export interface DeliveryLoopOptions {
  readonly channel: Channel
  readonly deliveries: Deliveries
  readonly pairings: Pick<Pairings, "ask">
  readonly random: () => number
  /** Records a failure. */
  readonly trouble: (error: unknown, data: Readonly<Record<string, unknown>>) => void
}

/** For how long another process leaves a delivery alone that this one has taken. */
const LEASE_MS = 60_000
/** Other processes may add deliveries without waking this one. */
const LONGEST_SLEEP_MS = 5_000
/** About a day of attempts. */
const MOST_ATTEMPTS = 300
/** To different places: one that is slow must not hold up the others. */
const MOST_AT_ONCE = 8

export function createDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const { channel, deliveries, trouble } = options
  const alarm = createAlarm()
  const sending = new Set<Promise<void>>()
  const fail = (error: unknown) => trouble(error, {})
  const begin = (taken: Delivery) => {
    // If the store fails, it is due again when its lease is over.
    const work = sendOne(options, taken)
      .catch(fail)
      .finally(() => {
        sending.delete(work)
        // The next one for the same place can be sent now.
        alarm.ring()
      })
    sending.add(work)
  }
  return {
    wake: alarm.ring,
    async run(signal) {
      signal.addEventListener("abort", alarm.ring, { once: true })
      while (!signal.aborted) {
        try {
          while (sending.size >= MOST_AT_ONCE) await alarm.sleep(LONGEST_SLEEP_MS)
          const taken = await deliveries.take(channel.name, LEASE_MS)
          if (taken !== undefined) begin(taken)
          else await alarm.sleep(await idleMs(options))
        } catch (error) {
          fail(error)
          await alarm.sleep(LONGEST_SLEEP_MS)
        }
      }
      await Promise.all(sending)
    },
  }
}

async function idleMs({ channel, deliveries }: DeliveryLoopOptions): Promise<number> {
  return Math.min(LONGEST_SLEEP_MS, (await deliveries.nextDueInMs(channel.name)) ?? Infinity)
}

async function sendOne(options: DeliveryLoopOptions, taken: Delivery): Promise<void> {
  const { channel, deliveries, pairings, random, trouble } = options
  const { id, attempts: attempt } = taken
  let sentAs: string | undefined
  try {
    const part = await readyPart(pairings, channel, taken.body)
    if (part !== undefined) sentAs = await channel.send({ ...part, id })
  } catch (error) {
    const isOver = attempt >= MOST_ATTEMPTS || (error instanceof ChannelFault && error.isFinal)
    const retryInMs = isOver ? undefined : backOffMs(error, attempt, random())
    const next = retryInMs === undefined ? { isGivenUp: true } : { retryInMs }
    trouble(error, { delivery: id, attempt, ...next })
    const message = error instanceof Error ? error.message : String(error)
    return deliveries.failed(id, { error: message, retryInMs })
  }
  await deliveries.delivered(id, sentAs)
}

/** One sleeper that can be woken; a ring while nobody sleeps ends the next sleep at once. */
function createAlarm() {
  let isRung = false
  let end = () => {}
  return {
    ring() {
      isRung = true
      end()
    },
    async sleep(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, Math.max(ms, 1))
      end = resolve
      if (isRung) resolve()
      await promise
      clearTimeout(timer)
      isRung = false
      end = () => {}
    },
  }
}
