import { expect } from 'vitest'
import type { ApiResponse } from './api.ts'

/** `done` includes refusals of the content: then the access was granted. */
export function outcomeOf({ status, body }: ApiResponse): 'done' | 'forbidden' | 'missing' | string {
  if (status === 403) return 'forbidden'
  if (status === 404) return 'missing'
  return [200, 201, 202, 204, 400, 409].includes(status) ? 'done' : `${status} ${JSON.stringify(body)}`
}

/** A response without its request id and the ids that were sent. */
export function textOf({ status, body }: ApiResponse, sentIds: readonly (string | number)[] = []): string {
  const text = JSON.stringify([status, body]).replaceAll(/"request_id":"[^"]+"/g, '"request_id":""')
  return sentIds.reduce<string>((rest, id) => rest.replaceAll(String(id), 'ID'), text)
}

/** Whether two responses are indistinguishable: byte for byte, headers too. */
export function expectAlike(one: ApiResponse, other: ApiResponse, sentIds: readonly string[] = []) {
  expect(textOf(one, sentIds)).toBe(textOf(other, sentIds))
  expect([...one.headers.keys()]).toEqual([...other.headers.keys()])
}
