import { expect } from 'vitest'
import { PermissionReply } from '#shared/api/spreadsheets.ts'
import type { Answer } from '#server/http/testing/api.ts'

/** The address of a spreadsheet as a browser shows it. */
export const urlOf = (id: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`

/** What the permission check has found. */
export function found(answer: Answer): PermissionReply {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return PermissionReply.parse(answer.body)
}
