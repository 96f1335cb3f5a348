import { expect } from 'vitest'
import { PermissionReply } from '#shared/api/spreadsheets.ts'
import type { ApiResponse } from '#server/http/testing/api.ts'

/** The address of a spreadsheet as a browser shows it. */
export const urlOf = (id: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`

/** The result of the permission check. */
export function found(response: ApiResponse): PermissionReply {
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return PermissionReply.parse(response.body)
}
