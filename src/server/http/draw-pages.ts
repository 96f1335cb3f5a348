import { PassThrough } from 'node:stream'
import { randomBytes } from 'node:crypto'
import { constants, createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { LOOK_COOKIE, lookKeys, STATE_ELEMENT, type DrawnPage, type Look } from '#shared/drawn-page.ts'
import { LANGUAGE_COOKIE } from '#shared/session-cookies.ts'
import { isTimeZone } from '#shared/zone-names.ts'
import type { ApiRead, ApiReply } from '#server/rendering/messages.ts'
import type { PageRenderer } from '#server/rendering/renderer.ts'
import { namesFor, type Site } from './cookies.ts'
import { escapeHtml } from './escape-html.ts'
import { drawnPolicy } from './headers.ts'
import { addressOf, rootWith, startPage, type Page } from './pages.ts'

export interface PageDrawing {
  renderer: PageRenderer
  /** For somebody whose access token has expired; null when their session is over. */
  accessOf: (request: FastifyRequest) => Promise<string | null>
}

type Draw = (request: FastifyRequest, reply: FastifyReply, page: Page) => FastifyReply | undefined

/**
 * Sends pages that are drawn already, with what was read for them; undefined where the browser is to draw:
 * it is not known how it would, or who is there. The data is read through the API, with the person's own
 * token.
 */
export function drawPages(
  app: FastifyInstance,
  { renderer, accessOf, site }: PageDrawing & { site: Site },
): Draw {
  const readFor =
    (request: FastifyRequest) =>
    async ({ path, headers }: ApiRead): Promise<ApiReply> => {
      const reply = await app.inject({
        method: 'GET',
        url: path,
        headers: { ...forwarded(request), ...headers },
        remoteAddress: request.socket.remoteAddress ?? '',
      })
      return { status: reply.statusCode, headers: textsOf(reply.headers), body: reply.body }
    }

  async function drawFor(request: FastifyRequest, look: Look | null): Promise<DrawnPage | null> {
    const names = namesFor(site)
    const access = look && (request.cookies[names.access] ?? (await accessOf(request)))
    if (look && !access) return null
    return await renderer.draw(
      {
        href: request.url,
        origin: `${new URL(site.public_url).protocol}//${request.host}`,
        cookies: jarOf({
          [names.access]: access,
          [LANGUAGE_COOKIE]: request.cookies[LANGUAGE_COOKIE],
        }),
        look,
        at_ms: Date.now(),
      },
      readFor(request),
    )
  }

  return (request, reply, page) => {
    const look = drawableLook(request, site)
    if (look === undefined || !renderer.isReady()) return undefined
    const [before, after] = page.drawn
    const body = isCompressed(request) ? createGzip({ level: 5 }) : new PassThrough()
    // Somebody who leaves meanwhile ends it.
    body.on('error', () => {})
    body.write(colored(before, look))
    // The browser loads the styles while the page is drawn.
    if ('flush' in body) body.flush(constants.Z_SYNC_FLUSH)
    const drawing = drawFor(request, look).catch(() => null)
    const nonce = randomBytes(16).toString('base64')
    void drawing.then(drawn =>
      body.end((drawn ? rootOf(drawn, page, nonce) : page.title + rootWith('')) + after),
    )
    if ('flush' in body) void reply.header('content-encoding', 'gzip')
    // It holds what one person may see.
    return startPage(reply)
      .header('content-security-policy', drawnPolicy(nonce))
      .header('cache-control', 'no-store')
      .send(body)
  }
}

const jarOf = (cookies: Readonly<Record<string, string | null | undefined>>): string =>
  Object.entries(cookies)
    .flatMap(([name, value]) => (value ? [`${name}=${value}`] : []))
    .join('; ')

const rootOf = ({ title, markup, css, parts, state }: DrawnPage, page: Page, nonce: string) =>
  [
    // Known only now, after the head has been sent.
    `<title>${escapeHtml(title)}</title>`,
    ...parts.map(part => page.parts[part] ?? ''),
    `<style nonce="${nonce}">${css}</style>`,
    rootWith(markup),
    `<script type="application/json" id="${STATE_ELEMENT}">${state}</script>`,
  ].join('')

/** null where nobody is signed in; undefined: not to be drawn. */
function drawableLook(request: FastifyRequest, site: Site): Look | null | undefined {
  if (request.method !== 'GET') return undefined
  const { access, refresh, refresh_expiry } = namesFor(site)
  const isSignedIn = [access, refresh, refresh_expiry].some(name => request.cookies[name])
  // With none of them, every other address leads to the sign-in.
  if (!isSignedIn) return addressOf(request) === '/sign-in' ? null : undefined
  return NOT_DRAWN.includes(addressOf(request)) ? undefined : readLook(request.cookies[LOOK_COOKIE])
}

/** Their addresses say something that is nobody else's. */
const NOT_DRAWN = ['/oauth/callback', '/set-password', '/sign-in']

function readLook(cookie: string | undefined): Look | undefined {
  try {
    return LookText.parse(JSON.parse(cookie ?? ''))
  } catch {
    return undefined
  }
}

const LookText = z.strictObject({
  is_dark: z.boolean(),
  time_zone: z.string().max(100).refine(isTimeZone),
  stored: z.partialRecord(z.enum(lookKeys), z.string().max(500)),
})

/** Without it the script of the page decides. */
function colored(before: string, look: Look | null): string {
  if (look === null) return before.replace('<script async ', '<script ')
  const { 'sheetcast.theme': theme } = look.stored
  const scheme = theme === 'light' || theme === 'dark' ? theme : look.is_dark ? 'dark' : 'light'
  return before.replace('<html ', `<html data-mantine-color-scheme="${scheme}" `)
}

/** By these the API tells who asks from where. */
function forwarded({ headers }: FastifyRequest): Record<string, string> {
  return textsOf({
    host: headers.host,
    'user-agent': headers['user-agent'],
    'x-forwarded-for': headers['x-forwarded-for'],
    'x-forwarded-proto': headers['x-forwarded-proto'],
  })
}

const textsOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

const isCompressed = ({ headers }: FastifyRequest) => /\bgzip\b/.test(headers['accept-encoding'] ?? '')
