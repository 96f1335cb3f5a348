import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MOST_IMAGE_BYTES } from '#shared/images.ts'
import { limits } from '#shared/limits.ts'
import { readForm } from './form.ts'
import { excessOfJson } from './json-bounds.ts'
import { refuse } from './refusal.ts'

export const MAX_BODY = 1024 * 1024

/** JSON only; no body at all is empty, whatever the content type says: proxies drop the body of a DELETE. */
export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null)
    const excess = excessOfJson(text, request.routeOptions.config.most_values)
    if (excess !== null) return done(refuse(excess === 'too_deep' ? 'invalid' : 'payload_too_large'))
    parse(request, text, (error, value) => {
      if (error === null && isInvalid(text, value)) return done(refuse('invalid'))
      done(error, value)
    })
  })
}

/** Reports as files: read by the route, which knows their format. */
export function acceptYaml(app: FastifyInstance) {
  for (const type of ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'])
    app.addContentTypeParser(
      type,
      { parseAs: 'string', bodyLimit: limits.report_file_bytes },
      (_request, body, done) => done(null, String(body)),
    )
}

/** Forms with a file, where a route takes one: the only bodies that may be larger. */
export function acceptForms(app: FastifyInstance) {
  const options = { parseAs: 'buffer' as const, bodyLimit: MAX_FORM }
  app.addContentTypeParser('multipart/form-data', options, (request: FastifyRequest, body: Buffer) =>
    readForm(body, request.headers['content-type']),
  )
}

const MAX_FORM = MOST_IMAGE_BYTES + MAX_BODY

/** Texts with a NUL or half a surrogate pair, which JSON can carry and a database cannot keep. */
function isInvalid(text: string, value: unknown): boolean {
  // Serialised again, whole pairs are plain characters: what is still escaped is invalid.
  return ESCAPED.test(text) && ESCAPED.test(JSON.stringify(value))
}

const ESCAPED = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][\da-f]{2})/i

/** Of a route that reads its form itself, and takes nothing else. */
export function leaveForms(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the JSON of its requests. */
    most_values?: number
  }
}
