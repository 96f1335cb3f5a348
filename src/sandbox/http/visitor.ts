import type { IncomingMessage } from 'node:http'

/**
 * Why a request is refused, whatever it asks for; null when it is not. The sandbox's people are named, not
 * proven, so only programs and pages of this machine may talk to it: no other machine, no name that a
 * name server points here (a page of that name would pass for the sandbox's own), no page of another site.
 */
export function whyRefused({ headers, socket }: IncomingMessage): string | null {
  const { host = '', origin } = headers
  if (!/^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(socket.remoteAddress ?? '')) return 'loopback only'
  if (!/^(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/i.test(host)) return 'loopback hosts only'
  // Browsers tell the origin of what another page's script or form sends …
  if (origin !== undefined && origin !== `http://${host}`) return 'same origin only'
  // … and of what it merely loads, as a picture, a script or a frame. A link may lead here.
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  const isForeign = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'] ?? ''))
  return isForeign && !isLink ? 'same origin only' : null
}
