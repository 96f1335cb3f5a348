import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { docsPage } from './docs-page.ts'
import { DATA_POLICY } from './headers.ts'
import type { Route } from './route.ts'

/**
 * GET /api/schema.json: the whole API as OpenAPI 3.1, from the schemas that read the requests; /api/docs: the
 * same for people.
 */
export async function registerDocs(app: FastifyInstance, routes: readonly Route[]): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sheetcast',
        version: '1',
        description: 'Advertising reports that are in your spreadsheet every morning.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
  })

  // Both are public and take a tenth of a second to generate, so they are generated once.
  const schema = once(() => JSON.stringify(app.swagger()))
  app.get('/api/schema.json', { schema: { hide: true } }, async (_, reply) => {
    void reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8')
    return reply.send(schema())
  })

  const page = once(() => docsPage(routes))
  app.get('/api/docs', { schema: { hide: true } }, async (_, reply) => {
    void reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    const { html, style_hash } = page()
    // No script at all; its one style sheet is allowed by its hash.
    const policy = DATA_POLICY.replace(
      '; sandbox',
      `; style-src 'sha256-${style_hash}'; require-trusted-types-for 'script'`,
    )
    return reply.header('content-security-policy', policy).send(html)
  })
}

/** At the first request: then every route is known. */
function once<Value>(make: () => Value): () => Value {
  let cached: { value: Value } | undefined
  return () => (cached ??= { value: make() }).value
}
