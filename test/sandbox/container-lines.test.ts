// The command lines of docker and podman, whole. They are run where an engine and an image are there.
import { execFileSync } from "node:child_process"
import process from "node:process"
import { expect, test } from "vitest"
import { type ContainerFacts, containerArguments } from "../../src/sandbox/container/command-line.ts"
import { sandboxSettings } from "../../src/sandbox/settings.ts"
import { openWorld } from "./sandbox-world.ts"

const FACTS: ContainerFacts = {
  ...{ engine: "docker", image: "debian:stable", name: "incipit-1", user: { uid: 1000, gid: 1000 } },
  view: {
    folders: [
      { path: "/home/ada/tides", isWritable: true },
      { path: "/srv/charts, old", isWritable: false },
    ],
    fixed: ["/home/ada/tides/.git/config"],
    held: ["/home/ada/tides/.git"],
    hidden: ["/home/ada/tides/state"],
    directory: "/home/ada/tides",
  },
  network: "off",
  env: { HOME: "/tmp", LANG: "C.UTF-8" },
  limits: sandboxSettings({}, true).limits,
  argv: ["/bin/sh", "-c", "exec 2>&1; make"],
}

/** One option a line. */
const shown = (facts: ContainerFacts) => containerArguments(facts).join(" ").replaceAll(" --", "\n--")

test("docker, without a network", () => {
  expect(shown(FACTS)).toBe(`run
--rm
--interactive
--init
--name incipit-1
--pull never
--network none
--read-only
--cap-drop ALL
--security-opt no-new-privileges
--ipc private
--hostname sandbox
--user 1000:1000
--memory 4000000000
--memory-swap 4000000000
--pids-limit 512
--ulimit fsize=2000000000
--ulimit core=0
--tmpfs /tmp:rw,exec,nosuid,nodev,size=1000000000,mode=1777
--env HOME=/tmp
--env LANG=C.UTF-8
--mount type=bind,source=/home/ada/tides,target=/home/ada/tides
--mount type=bind,"source=/srv/charts, old","target=/srv/charts, old",readonly
--mount type=bind,source=/home/ada/tides/.git,target=/home/ada/tides/.git
--mount type=bind,source=/home/ada/tides/.git/config,target=/home/ada/tides/.git/config,readonly
--tmpfs /home/ada/tides/state:ro,size=4k
--workdir /home/ada/tides
--entrypoint /bin/sh debian:stable -c exec 2>&1; make`)
})

test("podman as a user, with a network", () => {
  const own = shown({ ...FACTS, engine: "podman", network: "on" })
  const docker = shown(FACTS)
  const lines = (text: string) => text.split("\n")
  expect(lines(own).filter((line) => !lines(docker).includes(line))).toEqual([
    "--network bridge",
    "--userns keep-id",
  ])
  expect(lines(docker).filter((line) => !lines(own).includes(line))).toEqual(["--network none"])
  const root = shown({ ...FACTS, engine: "podman", user: { uid: 0, gid: 0 } })
  expect(root).toBe(docker.replace("--user 1000:1000", "--user 0:0"))
})

/** Names an image that is already there, such as `docker:debian:stable`. */
const { INCIPIT_TEST_CONTAINER: REAL } = process.env

test.skipIf(REAL === undefined)("a real container", async () => {
  const [engine = "", ...image] = (REAL ?? "").split(":")
  if (engine !== "docker" && engine !== "podman") throw new Error(`no engine ${engine}`)
  execFileSync(engine, ["image", "inspect", image.join(":")], { stdio: "ignore" })
  const world = openWorld({ config: { backend: engine, image: image.join(":") } })
  expect(await world.run("echo low > tide && cat tide; id -u")).toBe(`exit 0\nlow\n${process.getuid?.()}`)
  expect(await world.run("touch /x")).toContain("Read-only file system")
  await world.close()
})
