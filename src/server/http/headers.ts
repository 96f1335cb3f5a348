import type { FastifyReply } from 'fastify'

/** On every response of every kind, errors of the framework included. */
export const securityHeaders = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-permitted-cross-domain-policies': 'none',
} as const

/** Of everything but pages: nothing in it may run or load, should a browser ever show it. */
export const DATA_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"

/** Of pages: only files of this site run and style, and no text becomes markup. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default sheetcast',
].join('; ')

/** Of a page that the server has drawn: one style sheet inside of it has this nonce. */
export const drawnPolicy = (nonce: string) =>
  PAGE_POLICY.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)

/**
 * Of the thread that hashes lists of people (web/pages/audiences/hashing): its one file, and WebAssembly. It
 * may connect nowhere, so that what it reads stays on that computer whatever runs in it.
 */
export const WORKER_POLICY = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers that every response starts with; a page or a file then sets its own policy and caching. */
export function startHeaders(reply: FastifyReply, requestId: string): void {
  void reply
    .headers(securityHeaders)
    .header('content-security-policy', DATA_POLICY)
    .header('cache-control', 'no-store')
    .header('x-request-id', requestId)
}
