import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { createHashing } from '#web/pages/audiences/hashing/hashing.ts'
import type { FileReading } from '#web/pages/audiences/hashing/passes.ts'
import { sendUpload, type UploadProgress } from './send-upload.ts'

const reading: FileReading = {
  file: new Blob([Array.from({ length: 25_000 }, (_, at) => `person.${at}@mail.demo`).join('\n')]),
  format: { encoding: 'utf-8', delimiter: ',' },
  has_headings: false,
  columns: ['email'],
  country: 'TW',
}
const envelope = { session: '0193a1c2-0000-7000-8000-000000000001', action: 'add' } as const

/** Uploads to a server that answers each call as it says. */
async function upload(answer: (seq: number, call: number) => Problem | null, stop = new AbortController()) {
  const bodies: string[] = []
  const pauses: number[] = []
  const progress: UploadProgress[] = []
  const sending = sendUpload(
    { reading, envelope, from: 1 },
    {
      hasher: createHashing(),
      async post(body) {
        const text = await body.text()
        bodies.push(text)
        const refusal = answer(Number(/"seq":(\d+)/.exec(text)?.[1]), bodies.length)
        if (refusal) throw refusal
      },
      async pause(ms) {
        pauses.push(ms)
        if (pauses.length > 10) stop.abort()
      },
      signal: stop.signal,
      onProgress: each => progress.push(each),
    },
  )
  const failure = await sending.then(
    () => null,
    (error: unknown) => error,
  )
  const seqs = bodies.map(text => Number(/"seq":(\d+)/.exec(text)?.[1]))
  return { bodies, seqs, pauses, progress, failure }
}

const cut = new Problem({ code: 'unreachable' })
const gap = (expected: number) => new Problem({ code: 'upload_gap', status: 409, body: { expected } })

describe('an upload', () => {
  it('sends its batches in turn and says how far it is', async () => {
    const { seqs, progress, failure } = await upload(() => null)
    expect([seqs, failure]).toEqual([[1, 2, 3], null])
    expect(progress.map(({ sent }) => sent)).toEqual([10_000, 20_000, 25_000])
  })

  it('sends a batch that was cut again with the same bytes', async () => {
    const { bodies, seqs, pauses, progress } = await upload((seq, call) =>
      seq === 2 && call < 5 ? cut : null,
    )
    expect(seqs).toEqual([1, 2, 2, 2, 2, 3])
    expect(new Set(bodies.slice(1, 5)).size).toBe(1)
    expect(pauses).toEqual([1000, 2000, 4000])
    expect(progress).toContainEqual({ seq: 2, sent: 10_000, isWaiting: true })
  })

  it('waits as long as the server asks for', async () => {
    const busy = new Problem({ code: 'rate_limited', status: 429, retry_after_ms: 7000 })
    const { pauses } = await upload((_, call) => (call === 1 ? busy : null))
    expect(pauses).toEqual([7000])
  })

  it('goes on where the server expects it to', async () => {
    const ahead = await upload((seq, call) => (call === 2 ? gap(3) : null))
    expect([ahead.seqs, ahead.failure]).toEqual([[1, 2, 3], null])
    const back = await upload((seq, call) => (call === 3 ? gap(1) : null))
    expect([back.seqs, back.failure]).toEqual([[1, 2, 3, 1, 2, 3], null])
    expect(back.bodies[3]).toBe(back.bodies[0])
    expect(back.progress.at(-1)).toEqual({ seq: 4, sent: 25_000, isWaiting: false })
  })

  it('ends with a server that expects one batch and never takes it', async () => {
    const { failure, seqs } = await upload(() => gap(1))
    expect(failure).toMatchObject({ code: 'upload_gap' })
    expect(seqs.length).toBeLessThan(10)
  })

  it('ends with a refusal that no repetition mends', async () => {
    const { failure, seqs } = await upload(() => new Problem({ code: 'plan_needed', status: 403 }))
    expect(failure).toMatchObject({ code: 'plan_needed' })
    expect(seqs).toEqual([1])
  })

  it('ends when it is stopped while it waits', async () => {
    const { failure, pauses } = await upload(() => cut)
    expect(failure).not.toBeNull()
    expect(pauses.at(-1)).toBe(30_000)
  })
})
