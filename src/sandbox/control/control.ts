import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { SettableClock } from '../clock.ts'
import { type Answer, json } from '../http/answer.ts'
import { readBody } from '../http/body.ts'
import type { createRequestLog } from '../http/request-log.ts'
import { type Faults, MetaFault } from './faults.ts'
import { controlPage, pageHeaders } from './page.ts'

/** What another service of the sandbox lets the control endpoint do; its faults are its own. */
export interface Controlled {
  platforms: readonly string[]
  getFaults(): unknown[]
  setFaults(faults: unknown[]): void
  /** What was changed, oldest first. */
  journal(): unknown[]
  reset(how: { keep_files: boolean }): void
  revokeTokens(): unknown
  getLimits(): Record<string, unknown>
  /** Throws a ZodError for limits that it does not have. */
  setLimits(limits: unknown): void
}

export interface Control {
  clock: SettableClock
  faults: Faults
  log: ReturnType<typeof createRequestLog>
  /** Puts the state of Meta back. */
  resetMeta(): void
  others: readonly Controlled[]
}

const ClockChange = z.strictObject({
  now: z.iso
    .datetime({ offset: true })
    .transform(text => Date.parse(text))
    .optional(),
  speed: z.number().min(0).max(100_000).optional(),
})
const Reset = z.strictObject({ keep_files: z.boolean().default(false) })
const AnyFault = z.looseObject({ platform: z.string() })
const FaultList = z.union([
  z.array(AnyFault),
  z.strictObject({ faults: z.array(AnyFault) }).transform(body => body.faults),
])

/**
 * GET and PUT /control/faults, /control/clock and /control/limits, GET /control/requests and /control/journal,
 * POST /control/reset ({keep_files: true} spares the spreadsheets) and /control/revoke-tokens, and the page.
 */
export async function answerControl(
  request: IncomingMessage,
  path: string,
  control: Control,
): Promise<Answer> {
  const refusal = whyNot(request)
  if (refusal) return json(403, { error: refusal })
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
        return json(200, { changes: control.others.flatMap(other => other.journal()) })
      case 'GET /control/limits':
        return json(200, limitsOf(control))
      case 'PUT /control/limits': {
        const limits = await bodyOf(request)
        for (const other of control.others) other.setLimits(limits)
        return json(200, limitsOf(control))
      }
      case 'POST /control/revoke-tokens':
        for (const other of control.others) other.revokeTokens()
        return json(200, { revoked: true })
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

/**
 * Only this machine, and no page of another site: a browser tells the origin of what it sends, and the host must be one
 * that no name server can point here.
 */
function whyNot(request: IncomingMessage): string | null {
  const address = request.socket.remoteAddress ?? ''
  if (!['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address)) return 'loopback only'
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) return 'loopback hosts only'
  const { origin } = request.headers
  if (origin !== undefined && origin !== `http://${request.headers.host}`) return 'same origin only'
  return null
}

async function bodyOf(request: IncomingMessage, usual = ''): Promise<unknown> {
  const body = await readBody(request, 1024 * 1024)
  return JSON.parse(body?.toString('utf8') || usual)
}

const allFaults = ({ faults, others }: Control): unknown[] => [
  ...faults.list(),
  ...others.flatMap(other => other.getFaults()),
]

/** All platforms or none: a list with one wrong entry changes nothing of Meta's, whose faults are read first. */
function setFaults({ faults, others }: Control, list: z.infer<typeof AnyFault>[]): void {
  const platforms = ['meta', ...others.flatMap(other => other.platforms)]
  z.array(z.looseObject({ platform: z.enum(platforms) })).parse(list)
  const meta = z.array(MetaFault).parse(list.filter(fault => fault.platform === 'meta'))
  for (const other of others) other.setFaults(list.filter(fault => other.platforms.includes(fault.platform)))
  faults.set(meta)
}

const limitsOf = ({ others }: Control) => Object.assign({}, ...others.map(other => other.getLimits()))

function reset(control: Control, how: { keep_files: boolean }): void {
  control.clock.reset()
  control.faults.set([])
  control.log.reset()
  control.resetMeta()
  for (const other of control.others) other.reset(how)
}

const stateOf = (control: Control) => ({
  clock: control.clock.state(),
  faults: allFaults(control),
  totals: control.log.read().totals,
})
