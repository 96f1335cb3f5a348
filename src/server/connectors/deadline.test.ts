import { describe, expect, it } from 'vitest'
import { withDeadline } from './deadline.ts'
import { testContext } from './testing/context.ts'

const context = testContext('http://127.0.0.1:1', '2026-11-20T01:00:00Z')

describe('work with a deadline', () => {
  it('ends with its result, or with its failure', async () => {
    expect(await withDeadline(60_000, context, async () => 'answer')).toBe('answer')
    const failing = async () => Promise.reject(new Error('refused'))
    await expect(withDeadline(60_000, context, failing)).rejects.toThrow('refused')
  })

  it('ends with its time, whatever is still waiting', async () => {
    const never = () => new Promise<string>(() => {})
    await expect(withDeadline(1, context, never)).rejects.toMatchObject({ code: 'platform_timeout' })
  })

  it('fails at its deadline, and ignores what the platform sends then', async () => {
    let notified: unknown
    const late = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((_, reject) =>
        signal.addEventListener('abort', () => {
          notified = signal.reason
          reject(new Error('too late'))
        }),
      )
    await expect(withDeadline(1, context, late)).rejects.toMatchObject({ code: 'platform_timeout' })
    expect(notified).toMatchObject({ name: 'TimeoutError' })
  })
})
