import { onTestFinished, vi } from 'vitest'
import { client } from '#web/client/client.ts'
import { Problem } from '#web/client/problem.ts'

/** A request that a page has sent. */
export interface Call {
  method: string
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

const methods = ['get', 'post', 'patch', 'delete'] as const

/**
 * What a page may ask for until the test is over, as `GET /api/industry/`: a value, a problem to throw, or
 * what makes one of them out of the call.
 */
export function serve(answers: Readonly<Record<string, unknown>>): Call[] {
  const calls: Call[] = []
  for (const method of methods) {
    const spy = vi.spyOn(client, method)
    spy.mockImplementation(async (path, options = {}) => {
      const call = { method: method.toUpperCase(), path, ...options } as Call
      calls.push(call)
      return (await answerTo(call, answers)) as never
    })
    onTestFinished(() => spy.mockRestore())
  }
  return calls
}

async function answerTo(call: Call, answers: Readonly<Record<string, unknown>>) {
  const name = `${call.method} ${call.path}`
  const answer = answers[name]
  const value = typeof answer === 'function' ? await answer(call) : answer
  if (value instanceof Problem) throw value
  if (value === undefined) throw new Error(`nothing answers ${name}`)
  return value
}

/** The calls that change something. */
export const changesIn = (calls: readonly Call[]) => calls.filter(({ method }) => method !== 'GET')

/** A whole list as its only page. */
export const listOf = (results: readonly unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
})
