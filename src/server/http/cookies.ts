import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookies } from '#shared/session-cookies.ts'
import type { Effects } from './effects.ts'
import { refuse } from './refusal.ts'
import { ACCESS_S, type AccessClaims } from './tokens.ts'

export interface Site {
  public_url: string
}

/**
 * Sets both tokens as cookies: the access token readable, the refresh token not, and beside it the moment at
 * which it expires.
 */
export function setSessionCookies(
  reply: FastifyReply,
  { access, refresh, expires_at }: { access: string; refresh: string; expires_at: Date },
  { site, now }: { site: Site; now: Date },
): void {
  const cookies = namesFor(site)
  const shared = { path: '/', sameSite: 'strict', secure: isSecure(site) } as const
  const maxAge = Math.floor((expires_at.getTime() - now.getTime()) / 1000)
  const expiry = String(Math.floor(expires_at.getTime() / 1000))
  clearPlain(reply, site)
  void reply
    .setCookie(cookies.access, access, { ...shared, maxAge: ACCESS_S })
    .setCookie(cookies.refresh, refresh, { ...shared, maxAge, httpOnly: true })
    .setCookie(cookies.refresh_expiry, expiry, { ...shared, maxAge })
}

export function clearSessionCookies(reply: FastifyReply, site: Site): void {
  clearPlain(reply, site)
  clearNamed(reply, site, namesFor(site))
}

/**
 * The names before this site was reached over https, or before they had their prefix: nothing reads them any
 * more.
 */
function clearPlain(reply: FastifyReply, site: Site) {
  const plain = sessionCookies('http:')
  const isThere = Object.values(plain).some(name => reply.request.cookies[name] !== undefined)
  if (plain.access !== namesFor(site).access && isThere) clearNamed(reply, site, plain)
}

function clearNamed(reply: FastifyReply, site: Site, cookies: ReturnType<typeof sessionCookies>) {
  const shared = { path: '/', sameSite: 'strict', secure: isSecure(site) } as const
  void reply
    .clearCookie(cookies.access, shared)
    .clearCookie(cookies.refresh, { ...shared, httpOnly: true })
    .clearCookie(cookies.refresh_expiry, shared)
}

export const namesFor = ({ public_url }: Site) => sessionCookies(new URL(public_url).protocol)

export const refreshCookie = (request: FastifyRequest, site: Site): string | undefined =>
  request.cookies[namesFor(site).refresh]

/**
 * Removes the cookies of a session that has ended, and leaves those of another one that has begun in the same
 * browser since.
 */
export async function clearCookiesOf(
  claims: AccessClaims,
  {
    request,
    reply,
    effects: { tokens, settings },
    now,
  }: {
    request: FastifyRequest
    reply: FastifyReply
    effects: Pick<Effects, 'tokens' | 'settings'>
    now: Date
  },
): Promise<void> {
  const held = await tokens.readRefresh(refreshCookie(request, settings) ?? '', now)
  if (held?.family === claims.family) clearSessionCookies(reply, settings)
}

/**
 * The browser sends a cookie whichever site the page is from, so a route that relies on one checks the origin
 * of the page.
 */
export function refuseForeignOrigin(
  request: FastifyRequest,
  site: Site,
  { required }: { required: boolean },
): void {
  const { origin, host } = request.headers
  if (origin === undefined && !required) return
  if (origin !== undefined && URL.canParse(origin)) {
    const from = new URL(origin)
    if (from.origin === new URL(site.public_url).origin || from.host === host) return
  }
  throw refuse('forbidden')
}

/**
 * Browsers refuse a Secure cookie over plain http, which is how the product is tried on one's own machine.
 */
function isSecure({ public_url }: Site): boolean {
  const { protocol, hostname } = new URL(public_url)
  return protocol === 'https:' || !['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
