// What every channel must do, whatever its service: run it for your own with a world that imitates the service.
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  type Channel,
  type ChannelArrival,
  ChannelFault,
  type ChannelHost,
} from "../../../src/serve/channels/channel.ts"
import { talking } from "./talking.ts"

/** A channel and its service. */
export interface ChannelWorld {
  readonly channel: Channel
  /** The person who says things, as the service vouches for them: `telegram:1`. */
  readonly person: string
  /** The service passes on a message of theirs. If the channel is called over HTTP, `request` leads to it. */
  say(text: string, request: (request: Request) => Promise<Response>): Promise<void>
  /** The service passes on something of another kind, or something broken. */
  babble(): Promise<void>
  /** The service passes on the same message again; resolves when the channel has it, if that can be known. */
  repeat(request: (request: Request) => Promise<Response>): Promise<void>
  /** What people were sent, oldest first. */
  sent(): Promise<readonly string[]>
  /** The service fails from now on. */
  fail(): Promise<void>
  /** Must never be in a message of a failure. */
  readonly secret: string
  close(): Promise<void>
}

const WAIT = { timeout: 20_000, interval: 10 }

export function channelContract(name: string, open: () => Promise<ChannelWorld>): void {
  describe(name, () => {
    let world: ChannelWorld
    let running: Running | undefined

    beforeEach(async () => {
      world = await open()
    })

    afterEach(async () => {
      await running?.stop()
      running = undefined
      await world.close()
    })

    const run = (take: ChannelHost["take"]) => {
      running = runningChannel(world.channel, { take, report: () => {} })
      return running
    }

    test("takes a message as the service vouches for it, and goes on after things it doesn't know", async () => {
      const taken: ChannelArrival[] = []
      const { request } = run(async (arrival) => void taken.push(arrival))
      await world.babble()
      await world.say("When is high tide?", request)
      const messages = () => taken.flatMap(({ message }) => message ?? [])
      await expect.poll(() => messages().length, WAIT).toBe(1)
      expect(messages()[0]).toMatchObject({
        ...{ place: { channel: world.person }, sender: world.person, text: "When is high tide?" },
        ...{ isRoom: false, isAddressed: true },
      })
      expect(world.person.startsWith(`${world.channel.name}:`)).toBe(true)
    })

    test("gets a message again that could not be stored, under the same id", async () => {
      const ids: string[] = []
      const { request } = run(async ({ id, message }) => {
        if (message === undefined) return
        ids.push(id)
        if (ids.length === 1) throw new Error("the disk is full")
      })
      await world.say("When is high tide?", request).catch(() => {})
      await expect.poll(() => ids.length, WAIT).toBeGreaterThan(0)
      await world.repeat(request)
      await expect.poll(() => ids.length, WAIT).toBeGreaterThan(1)
      expect(new Set(ids).size).toBe(1)
    })

    test("cuts every text into the same parts, without losing a word", () => {
      const word = fc.integer({ min: 0, max: 999_999 }).map((number) => `w${number}`)
      const space = fc.constantFrom(" ", "\n", "\n\n", "  ")
      const text = fc.array(fc.tuple(word, space), { maxLength: 3_000 }).map((all) => all.flat().join(""))
      const wordsIn = (shown: string) => shown.match(/w\d+/g) ?? []
      fc.assert(
        fc.property(text, (given) => {
          const parts = world.channel.parts(given)
          expect(world.channel.parts(given)).toEqual(parts)
          expect(wordsIn(parts.join(" "))).toEqual(wordsIn(given))
        }),
        { numRuns: 20 },
      )
    })

    test("says that its service fails, without its secret, and that it can be tried again", async () => {
      await world.fail()
      const [body = ""] = world.channel.parts("At nine.")
      const failure = world.channel.send({ id: "t.0", place: { channel: world.person }, body })
      const error: unknown = await failure.catch((error: unknown) => error)
      expect(error).toBeInstanceOf(Error)
      expect(error instanceof ChannelFault && error.isFinal).toBe(false)
      expect(String(error)).not.toContain(world.secret)
    })

    test("answers a person of a real agent once, though the message comes twice", async () => {
      const { connections, troubles, heard } = await talking({
        channel: world.channel,
        script: () => "At nine.",
      })
      const request = (given: Request) =>
        connections.request(world.channel.name, given) ?? Promise.reject(new Error("it isn't called"))
      await world.say("When is high tide?", request)
      await expect.poll(() => world.sent(), WAIT).toEqual(["At nine."])
      await world.repeat(request)
      await connections.stop()
      expect(await world.sent()).toEqual(["At nine."])
      expect(await heard()).toEqual(["When is high tide?"])
      expect(troubles).toEqual([])
    })
  })
}

interface Running {
  readonly request: (request: Request) => Promise<Response>
  stop(): Promise<void>
}

/** Runs the channel again whenever it fails, as the gateway does. */
function runningChannel(channel: Channel, host: ChannelHost): Running {
  const stopped = new AbortController()
  const run = async () => {
    while (!stopped.signal.aborted) {
      await channel.run?.(host, stopped.signal).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const running = channel.run === undefined ? Promise.resolve() : run()
  return {
    request: (request) => channel.request?.(request, host) ?? Promise.reject(new Error("it isn't called")),
    async stop() {
      stopped.abort()
      await running
    },
  }
}
