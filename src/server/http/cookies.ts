import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookies } from '#shared/api/session.ts'
import { refuse } from './refusal.ts'
import { ACCESS_S, REFRESH_S } from './tokens.ts'

interface Site {
  public_url: string
}

/** Hands the browser both tokens: the access token readable, the refresh token not, and beside it the moment at which it expires. */
export function setSessionCookies(
  reply: FastifyReply,
  { access, refresh }: { access: string; refresh: string },
  { site, now }: { site: Site; now: Date },
): void {
  const shared = { path: '/', sameSite: 'strict', secure: isSecure(site) } as const
  const expires_at = Math.floor(now.getTime() / 1000) + REFRESH_S
  void reply
    .setCookie(cookies.access, access, { ...shared, maxAge: ACCESS_S })
    .setCookie(cookies.refresh, refresh, { ...shared, maxAge: REFRESH_S, httpOnly: true })
    .setCookie(cookies.refresh_expiry, String(expires_at), { ...shared, maxAge: REFRESH_S })
}

export function clearSessionCookies(reply: FastifyReply, site: Site): void {
  const shared = { path: '/', sameSite: 'strict', secure: isSecure(site) } as const
  void reply
    .clearCookie(cookies.access, shared)
    .clearCookie(cookies.refresh, { ...shared, httpOnly: true })
    .clearCookie(cookies.refresh_expiry, shared)
}

export const refreshCookie = (request: FastifyRequest): string | undefined => request.cookies[cookies.refresh]

/** A cookie is sent by the browser whoever wrote the page, so what relies on one asks where the page comes from. */
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

/** Browsers keep no Secure cookie that came over plain http, which is how one tries the product on one's own machine. */
function isSecure({ public_url }: Site): boolean {
  const { protocol, hostname } = new URL(public_url)
  return protocol === 'https:' || !['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
