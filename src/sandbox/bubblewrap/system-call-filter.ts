// A filter of system calls, as the program that the kernel runs for each call (seccomp). Refuses what needs no rights
// but reaches what namespaces do not separate: the kernel's keyrings, sockets to the machine that hosts this one,
// typing into a terminal, and parts of the kernel in which faults were found again and again.
import { arch } from "node:os"

interface Machine {
  /** The kernel's number for the architecture. */
  readonly audit: number
  readonly socket: number
  readonly ioctl: number
  readonly refused: readonly number[]
}

/** The same on every architecture: io_uring, and the newer calls for mounts. */
const COMMON = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442]

/** In this order: add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, setns, unshare, mount, umount2, pivot_root, syslog, open_by_handle_at. */
const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    ioctl: 16,
    refused: [248, 249, 250, 321, 298, 323, 308, 272, 165, 166, 155, 103, 304],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    ioctl: 29,
    refused: [217, 218, 219, 280, 241, 282, 268, 97, 40, 39, 41, 116, 265],
  },
}

/** Local sockets, IPv4, IPv6, and questions to the kernel about the network. */
const FAMILIES = [1, 2, 10, 16]

/** TIOCSTI and TIOCLINUX, which type into a terminal: a shell inside may share the user's. */
const TYPING = [0x5412, 0x541c]

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const [LOAD, EQUAL, AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06]
/** Where the kernel puts them: the number of the call, the architecture, the first and the second argument. */
const [NUMBER, ARCHITECTURE, ARGUMENT, SECOND] = [0, 4, 16, 24]
const ALLOW = 0x7fff0000
const REFUSE = 0x00050000
/** From here on, another way to number the calls of x64. */
const X32 = 0x40000000

type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/** Returns undefined for an architecture whose calls are not known here. */
export function systemCallFilter(machine = arch()): Buffer | undefined {
  const known = MACHINES[machine]
  return known && written(stepsFor(known))
}

function stepsFor({ audit, socket, ioctl, refused }: Machine): readonly Step[] {
  const typing: readonly Step[] = [
    [LOAD, 0, 0, SECOND],
    ...TYPING.flatMap((request): Step[] => [[EQUAL, 0, 1, request], refuse(EPERM)]),
    [RETURN, 0, 0, ALLOW],
  ]
  return [
    ...([[LOAD, 0, 0, ARCHITECTURE], [EQUAL, 1, 0, audit], refuse(ENOSYS), [LOAD, 0, 0, NUMBER]] as const),
    ...([[AT_LEAST, 0, 1, X32], refuse(ENOSYS)] as const),
    ...[...refused, ...COMMON].flatMap((call): Step[] => [[EQUAL, 0, 1, call], refuse(EPERM)]),
    ...([[EQUAL, 0, typing.length, ioctl], ...typing] as const),
    ...([
      [EQUAL, 1, 0, socket],
      [RETURN, 0, 0, ALLOW],
      [LOAD, 0, 0, ARGUMENT],
    ] as const),
    ...FAMILIES.flatMap((family): Step[] => [
      [EQUAL, 0, 1, family],
      [RETURN, 0, 0, ALLOW],
    ]),
    refuse(EAFNOSUPPORT),
  ]
}

function refuse(error: number): Step {
  return [RETURN, 0, 0, REFUSE | error]
}

const STEP_BYTES = 8

function written(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * STEP_BYTES)
  for (const [at, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    bytes.writeUInt16LE(code, at * STEP_BYTES)
    bytes.writeUInt8(ifTrue, at * STEP_BYTES + 2)
    bytes.writeUInt8(ifFalse, at * STEP_BYTES + 3)
    bytes.writeUInt32LE(value >>> 0, at * STEP_BYTES + 4)
  }
  return bytes
}
