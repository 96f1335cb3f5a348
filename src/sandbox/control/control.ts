import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { SettableClock } from '#sandbox/clock.ts'
import { type HttpResponse, json } from '#sandbox/http/response.ts'
import { readBody } from '#sandbox/http/body.ts'
import type { Grants } from '#sandbox/oauth/grants.ts'
import type { createRequestLog } from '#sandbox/http/request-log.ts'
import { controlPage, pageHeaders } from './page.ts'

/** The part of a service that the control endpoint may use; its faults are its own. */
export interface Controlled {
  platforms: readonly string[]
  getFaults(): unknown[]
  /** Throws a ZodError for faults that it does not have. */
  setFaults(faults: unknown[]): void
  /** Changes, oldest first. */
  journal?(): unknown[]
  reset(how: { keep_files: boolean }): void
  revokeTokens?(): unknown
  limits?: Limits
  /** Terms that a business accepts at a page of the platform. */
  terms?: { set(accountId: string, accepted: boolean): void; open(): string[] }
  /** What the platform has and this service does not: it answers 501 to it. */
  not_emulated?: readonly string[]
}

export interface Limits {
  /** The names of its limits; no two services share one. */
  names: readonly string[]
  get(): Record<string, unknown>
  /** Throws a ZodError for invalid values. */
  set(limits: Record<string, unknown>): void
}

export interface Control {
  clock: SettableClock
  log: ReturnType<typeof createRequestLog>
  grants: Grants
  services: readonly Controlled[]
}

const ClockChange = z.strictObject({
  now: z.iso
    .datetime({ offset: true })
    .transform(text => Date.parse(text))
    .optional(),
  speed: z.number().min(0).max(100_000).optional(),
})
/** Ids of consents. */
const Revoked = z.strictObject({ grants: z.array(z.string()).max(1000) })
const TermsChange = z.strictObject({
  account: z.string().regex(/^\d+$/),
  accepted: z.boolean().default(true),
})
const Reset = z.strictObject({ keep_files: z.boolean().default(false) })
const AnyFault = z.looseObject({ platform: z.string() })
const FaultList = z.union([
  z.array(AnyFault),
  z.strictObject({ faults: z.array(AnyFault) }).transform(body => body.faults),
])

/**
 * GET and PUT /control/faults, /control/clock, /control/limits and /control/terms, GET /control/requests,
 * /control/journal and /control/not-emulated, POST /control/reset ({keep_files: true} spares the
 * spreadsheets) and /control/revoke-tokens, GET /control/grants (what people have agreed to), POST
 * /control/revoke-grants (as if they took it back at the platform), and the page.
 */
export async function handleControl(
  request: IncomingMessage,
  path: string,
  control: Control,
): Promise<HttpResponse> {
  const task = `${request.method} ${path}`
  try {
    switch (task) {
      case 'GET /control':
      case 'GET /control/':
        return {
          status: 200,
          type: 'text/html; charset=utf-8',
          headers: pageHeaders,
          body: controlPage(stateOf(control)),
        }
      case 'GET /control/faults':
        return json(200, { faults: allFaults(control) })
      case 'PUT /control/faults':
        setFaults(control, FaultList.parse(await bodyOf(request)))
        return json(200, { faults: allFaults(control) })
      case 'GET /control/clock':
        return json(200, control.clock.state())
      case 'PUT /control/clock':
        control.clock.set(ClockChange.parse(await bodyOf(request)))
        return json(200, control.clock.state())
      case 'GET /control/requests':
        return json(200, control.log.read())
      case 'GET /control/journal':
        return json(200, { changes: control.services.flatMap(service => service.journal?.() ?? []) })
      case 'GET /control/not-emulated':
        return json(200, { not_emulated: notEmulated(control) })
      case 'GET /control/limits':
        return json(200, limitsOf(control))
      case 'PUT /control/limits': {
        setLimits(control, await bodyOf(request))
        return json(200, limitsOf(control))
      }
      case 'GET /control/terms':
        return json(200, termsOf(control))
      case 'PUT /control/terms': {
        const { account, accepted } = TermsChange.parse(await bodyOf(request))
        for (const service of control.services) service.terms?.set(account, accepted)
        return json(200, termsOf(control))
      }
      case 'POST /control/revoke-tokens':
        for (const service of control.services) service.revokeTokens?.()
        return json(200, { revoked: true })
      case 'GET /control/grants':
        return json(200, { grants: control.grants.list() })
      case 'POST /control/revoke-grants': {
        const { grants } = Revoked.parse(await bodyOf(request))
        control.grants.revoke(control.grants.list().filter(grant => grants.includes(grant.id)))
        return json(200, { grants: control.grants.list() })
      }
      case 'POST /control/reset':
        reset(control, Reset.parse(await bodyOf(request, '{}')))
        return json(200, { reset: true })
      default:
        return json(404, { error: `no ${task}` })
    }
  } catch (error) {
    if (error instanceof z.ZodError) return json(400, { error: 'unreadable', issues: error.issues })
    if (error instanceof SyntaxError) return json(400, { error: 'no JSON' })
    throw error
  }
}

async function bodyOf(request: IncomingMessage, usual = ''): Promise<unknown> {
  const body = await readBody(request, 1024 * 1024)
  return JSON.parse(body?.toString('utf8') || usual)
}

const allFaults = ({ services }: Control): unknown[] => services.flatMap(service => service.getFaults())

/** All platforms or none: a list with one wrong entry changes nothing. */
function setFaults({ services }: Control, list: z.infer<typeof AnyFault>[]): void {
  const platforms = services.flatMap(service => service.platforms)
  z.array(z.looseObject({ platform: z.enum(platforms) })).parse(list)
  const before = services.map(service => service.getFaults())
  try {
    for (const service of services)
      service.setFaults(list.filter(fault => service.platforms.includes(fault.platform)))
  } catch (error) {
    for (const [index, service] of services.entries()) service.setFaults(before[index] ?? [])
    throw error
  }
}

const notEmulated = ({ services }: Control) =>
  services.flatMap(({ platforms, not_emulated: names = [] }) =>
    names.map(name => ({ platform: platforms[0], name })),
  )

const limitsOf = ({ services }: Control): Record<string, unknown> =>
  Object.assign({}, ...services.map(service => service.limits?.get()))

/** Passes on to each service the limits of its names. */
function setLimits({ services }: Control, body: unknown): void {
  const having = services.flatMap(({ limits }) => (limits ? [limits] : []))
  const names = having.flatMap(limits => limits.names)
  const sent = Object.entries(z.partialRecord(z.enum(names), z.unknown()).parse(body))
  for (const limits of having) {
    const own = sent.filter(([name]) => limits.names.includes(name))
    if (own.length > 0) limits.set(Object.fromEntries(own))
  }
}

/** The accounts whose terms are not accepted. */
const termsOf = ({ services }: Control) => ({
  not_accepted: services.flatMap(service => service.terms?.open() ?? []),
})

function reset(control: Control, how: { keep_files: boolean }): void {
  control.clock.reset()
  control.log.reset()
  for (const service of control.services) {
    service.setFaults([])
    service.reset(how)
  }
}

const stateOf = (control: Control) => ({
  clock: control.clock.state(),
  faults: allFaults(control),
  totals: control.log.read().totals,
  grants: control.grants.list(),
})

/** Limits of the parts of one service. */
export const limitsTogether = (...parts: readonly Limits[]): Limits => ({
  names: parts.flatMap(({ names }) => names),
  get: () => Object.assign({}, ...parts.map(part => part.get())),
  set(limits) {
    for (const part of parts) {
      const own = Object.entries(limits).filter(([name]) => part.names.includes(name))
      if (own.length > 0) part.set(Object.fromEntries(own))
    }
  },
})
