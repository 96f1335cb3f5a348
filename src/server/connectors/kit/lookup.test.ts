import { expect, it } from 'vitest'
import { classify as classifyGoogleAds } from '#server/connectors/google-ads/failures.ts'
import { classify as classifyLine } from '#server/connectors/line/failures.ts'
import { deviceOf } from '#server/connectors/yahoo/fields.ts'

const refusal = {
  status: 400,
  is_googles: true,
  retry_after_ms: null,
  is_of_project: false,
  facts: { platform_message: '', platform_request_id: null },
}

// Words that are no entry of a table, and yet a property of it.
it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
  'takes %s for a word like any other',
  word => {
    expect(classifyGoogleAds({ ...refusal, family: word, code: word })).toEqual({
      kind: 'final',
      code: 'platform_error',
    })
    expect(classifyLine(400, [{ reason: word }]).failure.code).toBe('platform_error')
    expect(deviceOf(word)).toBe(word)
  },
)
