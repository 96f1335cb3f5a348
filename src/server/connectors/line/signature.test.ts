import { describe, expect, it } from 'vitest'
import { signed } from './signature.ts'

const sample = { access_key: 'LINEADSAMPLE', secret_key: 'LINEADSECRETKEYSAMPLE' }
const H = 'eyJhbGciOiJIUzI1NiIsImtpZCI6IkxJTkVBRFNBTVBMRSIsInR5cCI6InRleHQvcGxhaW4ifQ=='

/** LINE's own two samples, and one for a report. */
const vectors = {
  A: {
    now: '2021-12-22T00:00:00Z',
    date: 'Wed, 22 Dec 2021 00:00:00 GMT',
    path: '/api/v3/adaccounts/A1/campaigns',
    P: 'ZTNiMGM0NDI5OGZjMWMxNDlhZmJmNGM4OTk2ZmI5MjQyN2FlNDFlNDY0OWI5MzRjYTQ5NTk5MWI3ODUyYjg1NQoKMjAyMTEyMjIKL2FwaS92My9hZGFjY291bnRzL0ExL2NhbXBhaWducw==',
    S: 'xHzIHHbWvIZUiek7Jy0fuyG6U0FQpobUyFXybcx9t4c=',
  },
  B: {
    now: '2021-12-22T00:00:00Z',
    date: 'Wed, 22 Dec 2021 00:00:00 GMT',
    path: '/api/v3/adaccounts/A1/campaigns',
    body: '{"name":"test","campaignObjective":"VISIT_MY_WEBSITE"}',
    P: 'NDljODdjMWViNmU1NTg4NTgyYzEzYjE1MjEyOTczZjZhM2VmNjQ0ODcyZDQ4ZmNhMzI1MmY2OTA0MzUyMmIxYQphcHBsaWNhdGlvbi9qc29uCjIwMjExMjIyCi9hcGkvdjMvYWRhY2NvdW50cy9BMS9jYW1wYWlnbnM=',
    S: 'Krh1Xh-kWldS-MkOmNH6dmMdkWDTBVmnkDCZHlMRUoo=',
  },
  C: {
    now: '2026-11-01T00:00:00Z',
    date: 'Sun, 01 Nov 2026 00:00:00 GMT',
    path: '/api/v3/adaccounts/A1/pfreports',
    body: '{"level":"CAMPAIGN","since":"2026-10-01","until":"2026-10-31","breakdown":{"time":"DAY"},"filtering":{"idType":"ADACCOUNT","ids":["A1"]},"includeRemove":true,"fileFormat":"CSV","locale":"en"}',
    P: 'OTY3OTM0OTY0OTUxZmU1Yjg3OTIzMDQyMTgwNzY5MjMyNjRhOGY4YWZhNzA1ODdhNGFlNTBiZjVlMTAyOTg4MwphcHBsaWNhdGlvbi9qc29uCjIwMjYxMTAxCi9hcGkvdjMvYWRhY2NvdW50cy9BMS9wZnJlcG9ydHM=',
    S: 'fSwkdKOUUZmZsl--VIMrUDnePG_lPriqKY4ldBlX2h4=',
  },
}

describe('the signature of a request', () => {
  it.each(Object.entries(vectors))('is that of vector %s', (_, { now, date, P, S, ...request }) => {
    expect(signed(sample, { ...request, now: new Date(now) })).toEqual({
      date,
      authorization: `Bearer ${H}.${P}.${S}`,
    })
  })

  it('is of the UTC day, whatever the hour', () => {
    const late = signed(sample, { path: '/api/v3/codes/os', now: new Date('2026-11-20T23:59:59.999Z') })
    const [, payload = ''] = late.authorization.split('.')
    expect(Buffer.from(payload, 'base64url').toString().split('\n')[2]).toBe('20261120')
    expect(late.date).toBe('Fri, 20 Nov 2026 23:59:59 GMT')
  })
})
