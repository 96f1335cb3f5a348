import { describe, expect, it } from 'vitest'
import { classify } from './failure.ts'

const facts = { reasons: [], retry_after_ms: null }
const in_batch = (text: string) => `Invalid requests[3].updateCells: ${text}`

describe('refusals of the spreadsheet service', () => {
  it.each([
    [
      in_batch(
        'This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
      ),
      'cell_limit',
    ],
    [
      'Invalid requests[0].addSheet: This action would increase the number of cells in the workbook above the limit of 5000000 cells.',
      'cell_limit',
    ],
    [
      'This action would increase the number of columns in the sheet above the limit of 18278 columns',
      'cell_limit',
    ],
    ['Your input contains more than the maximum of 50000 characters in a single cell.', 'cell_too_long'],
    [in_batch('No grid with id: 123'), 'sheet_name_mismatch'],
    ["Unable to parse range: 'X'!A1", 'sheet_name_mismatch'],
    ["Requested writing within range ['foo:bar'!A1], but tried writing to column [B]", 'sheet_name_colon'],
    [
      in_batch(
        'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
      ),
      'protected_range',
    ],
    [
      'Invalid requests[0].addNamedRange: Cannot add named range with name: Spend, a named range with that name already exists.',
      'named_range',
    ],
    ['The name given to this range is invalid', 'named_range'],
    ['This operation is not supported for this document', 'not_a_spreadsheet'],
    ['Range (T!A5000:B5001) exceeds grid limits. Max rows: 1000, max columns: 26', 'spreadsheet_unavailable'],
    ['Request payload size exceeds the limit: 10485760 bytes.', 'internal_error'],
    [
      'Invalid JSON payload received. Unknown name "frobnicate" at \'requests[0]\': Cannot find field.',
      'internal_error',
    ],
  ])('classify 400 %s as %s', (message, code) => {
    const failure = classify({ ...facts, status: 400, message }, 'write')
    expect(failure).toMatchObject({ code, ambiguous: false, service_message: message })
  })

  it('distinguish concurrent changes by people from permanent problems', () => {
    const why = (message: string) => classify({ ...facts, status: 400, message }, 'write').why
    expect(why('Range (T!A1001:B) exceeds grid limits. Max rows: 1000, max columns: 26')).toBe('stale_plan')
    expect(why(in_batch('No grid with id: 9'))).toBe('stale_plan')
    expect(
      why('Invalid requests[5].createDeveloperMetadata: Developer metadata with id 7 already exists.'),
    ).toBe('already_done')
    expect(why('Invalid requests[1].addSheet: Sheet with id 7 already exists')).toBe('already_done')
    expect(
      why(
        'Invalid requests[0].addSheet: A sheet with the name "X" already exists. Please enter another name.',
      ),
    ).toBe('already_done')
  })

  it('classify a missing permission by the request', () => {
    const refusal = { ...facts, status: 403, message: 'The caller does not have permission' }
    expect(classify(refusal, 'read').code).toBe('spreadsheet_not_shared')
    expect(classify(refusal, 'write').code).toBe('spreadsheet_not_editor')
    expect(classify({ ...facts, status: 404, message: 'Requested entity was not found.' }, 'read').code).toBe(
      'spreadsheet_not_shared',
    )
  })

  it.each(['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'SERVICE_DISABLED', 'accessNotConfigured'])(
    'report a setup problem, not a user error, for %s',
    reason => {
      const refusal = { ...facts, status: 403, message: 'x', reasons: [reason] }
      expect(classify(refusal, 'read')).toMatchObject({ code: 'internal_error', why: 'configuration' })
    },
  )

  it('of a quota say how long to wait only where the response does', () => {
    const refusal = { ...facts, status: 429, message: 'Quota exceeded for quota metric' }
    expect(classify(refusal, 'write')).toMatchObject({
      code: 'quota_exhausted',
      retry_after_ms: null,
      ambiguous: false,
    })
    expect(classify({ ...refusal, retry_after_ms: 1000 }, 'write').retry_after_ms).toBe(1000)
    const of_drive = { ...facts, status: 403, message: 'x', reasons: ['userRateLimitExceeded'] }
    expect(classify(of_drive, 'read').code).toBe('quota_exhausted')
  })

  it.each([408, 500, 502, 503, 504])('leave the outcome of a write with status %i unknown', status => {
    const refusal = { ...facts, status, message: 'Internal error encountered.' }
    expect(classify(refusal, 'write')).toMatchObject({ code: 'spreadsheet_unavailable', ambiguous: true })
    expect(classify(refusal, 'read').ambiguous).toBe(false)
  })
})
