import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { routes } from '#server/app.ts'
import { registerDocs } from './docs.ts'

describe('the documentation', () => {
  it('is generated once, however often it is requested', async () => {
    let written = 0
    const counted = routes.map(route => ({
      ...route,
      get path() {
        written += 1
        return route.path
      },
    }))
    const app = fastify()
    await registerDocs(app, counted)
    const [first, ...others] = [await app.inject('/api/docs'), await app.inject('/api/docs')]
    expect(first.statusCode).toBe(200)
    expect(others.map(({ body }) => body)).toEqual([first.body])
    expect(written).toBe(routes.length)
    await app.close()
  })
})
