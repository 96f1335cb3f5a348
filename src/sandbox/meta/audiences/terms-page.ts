import type { IncomingMessage } from 'node:http'
import type { HttpResponse } from '#sandbox/http/response.ts'
import type { Terms } from './terms.ts'

const PATH = '/ads/manage/customaudiences/tos/'

export const isTermsPage = (pathname: string) => pathname === PATH || `${pathname}/` === PATH

/** Where a person of the business accepts the terms of custom audiences for an ad account. */
export function termsPage(request: IncomingMessage, url: URL, terms: Terms): HttpResponse {
  const account = (url.searchParams.get('act') ?? '').replace(/^act_/, '')
  if (!/^\d+$/.test(account)) return page(400, '<p>Which ad account?</p>')
  if (request.method === 'POST') terms.set(account, true)
  return page(
    200,
    terms.open().includes(account)
      ? `<p>Ad account ${account}: the terms are not accepted.</p><form method="post"><button>Accept</button></form>`
      : `<p>Ad account ${account}: the terms are accepted.</p>`,
  )
}

const page = (status: number, content: string): HttpResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  headers: {
    'content-security-policy':
      "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Custom Audience terms</title>
<h1>Custom Audience terms</h1>${content}</html>`,
})
