import { createHash } from 'node:crypto'
import { z } from 'zod'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { errors, isErrorCode, type ErrorCode } from '#shared/errors.ts'
import { escapeHtml } from './escape-html.ts'
import type { Route } from './route.ts'

/**
 * The API on one page, without script: every call with its level, its request and its response; then every
 * error code.
 */
export function docsPage(routes: readonly Route[]) {
  const calls = routes.map(call).join('')
  const codes = Object.keys(errors).filter(isErrorCode).map(errorRow).join('')
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sheetcast: the interface</title><style>${STYLE}</style></head><body><main>
<h1>Sheetcast: the interface</h1>
<p>The machine-readable form is <a href="/api/schema.json">/api/schema.json</a> (OpenAPI 3.1). Calls carry
<code>Authorization: Bearer …</code> with the access token of <code>POST /api/token/</code>. Refusals are
<code>application/problem+json</code> with one of the codes at the end of this page.</p>
<h2>Calls</h2>${calls}
<h2>Codes</h2><table><tr><th>code</th><th>status</th><th>text</th></tr>${codes}</table>
</main></body></html>`
  return { html, style_hash: createHash('sha256').update(STYLE).digest('base64') }
}

function call({ method, path, level, facts }: Route): string {
  const { summary, params, query, streams_form, body = streams_form, reply, alias } = facts
  const least = level === 'public' ? 'without signing in' : `least role: ${level.replaceAll('_', ' ')}`
  return `<details><summary><b>${method}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
<p>${least}${alias === undefined ? '' : `; also <code>${escapeHtml(alias)}</code>`}</p>
${schema('Path', params, 'input')}${schema('Query', query, 'input')}${schema('Body', body, 'input')}${schema('Response', reply, 'output')}</details>`
}

function schema(title: string, type: z.ZodType | undefined, io: 'input' | 'output'): string {
  if (type === undefined) return ''
  const json = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  const { $schema: _, ...facts } = json
  return `<h3>${title}</h3><pre>${escapeHtml(JSON.stringify(facts, null, 2))}</pre>`
}

const errorRow = (code: ErrorCode) =>
  `<tr id="${code}"><td><code>${code}</code></td><td>${errors[code].status}</td><td>${escapeHtml(errorsEn.external[code])}<br>${escapeHtml(errorsZhTW.external[code])}</td></tr>`

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
summary { cursor: pointer; padding: .35rem 0 } h3 { font-size: 1rem; margin: .5rem 0 0 }
pre { overflow: auto; padding: .75rem; border: 1px solid #8884; border-radius: 6px; max-height: 30rem }
details { border-bottom: 1px solid #8884 } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0 }
tr:target { outline: 2px solid }
`
