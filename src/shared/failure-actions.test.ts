import { describe, expect, it } from 'vitest'
import { identities } from './access.ts'
import { errorText } from './error-texts.ts'
import { errorsEn } from './errors-en.ts'
import { errorsZhTW } from './errors-zh-TW.ts'
import { errorFacts, errors, isErrorCode, type ErrorCode } from './errors.ts'
import { failureActionOf, mayRunAgainHelp, pathOfFailureAction } from './failure-actions.ts'
import { noticeActionOf } from './notice-text.ts'

/**
 * The codes that a run can end with or wait for: all that are neither a refused request nor about one of its
 * fields.
 */
const codes = Object.keys(errors)
  .filter(isErrorCode)
  .filter(code => errorFacts(code).offer !== 'none')

describe.each(codes)('a run that meets %s', code => {
  it.each(['internal', 'external'] as const)('says so to %s people in both languages', audience => {
    for (const texts of [errorsEn, errorsZhTW]) {
      expect(errorText(texts, code, audience)).toMatch(/[.。]$/)
      expect(errorText(texts, code, audience)).not.toContain(code)
    }
  })

  it.each(identities)('has one action for a %s who may change the report', identity => {
    const action = failureActionOf(code, { identity, may_change: true })
    expect(action).not.toBeNull()
    expect(action !== 'run_again' || mayRunAgainHelp(code)).toBe(true)
  })
})

const lost: ErrorCode[] = [
  'account_access_lost',
  'credential_expired',
  'credential_missing',
  'credential_unreadable',
  'channel_retired',
  'combination_not_allowed',
  'history_limit',
  'mixed_currency',
  'too_large',
  'page_not_set',
  'start_cell_not_set',
  'channels_not_set',
]

describe('a failure', () => {
  it.each(lost)('%s is never answered with "run again"', code => {
    expect(mayRunAgainHelp(code)).toBe(false)
    for (const identity of identities)
      expect(failureActionOf(code, { identity, may_change: true })).not.toBe('run_again')
  })

  it('of a login is reconnected by superusers; the others ask for that', () => {
    const actionOf = (identity: (typeof identities)[number]) =>
      failureActionOf('credential_expired', { identity, may_change: true })
    expect(identities.map(actionOf)).toEqual([
      'ask_specialist',
      'report_issue',
      'report_issue',
      'report_issue',
      'reconnect',
    ])
  })

  it('of access is regained by the instructions of the channel, for the agency', () => {
    const actionOf = (identity: (typeof identities)[number]) =>
      failureActionOf('account_access_lost', { identity, may_change: false })
    expect(identities.map(actionOf)).toEqual([
      'ask_specialist',
      'instructions',
      'instructions',
      'instructions',
      'reconnect',
    ])
    expect(pathOfFailureAction('instructions', { report: 7, of: 'aw_keyword' })).toBe(
      '/setting/instructions#google-ads',
    )
    expect(pathOfFailureAction('instructions', { report: 7 })).toBe('/setting/instructions')
  })

  it.each(['channel_no_data', 'account_access_lost'] as const)(
    '%s leads from a notice to the instructions that its text names, and clients to the run',
    code => {
      const notice = {
        id: 1,
        kind: 'report_failed',
        severity: 'error',
        code,
        detail: {},
        report: { id: 7, name: 'Daily' },
        run: null,
        at: '2026-11-02T01:00:00Z',
        read_at: null,
      } as const
      expect(noticeActionOf(notice, 'internal')).toEqual({
        action: 'instructions',
        path: '/setting/instructions',
      })
      expect(noticeActionOf(notice, 'external')?.action).not.toBe('instructions')
    },
  )

  it('leads to the channel that failed', () => {
    expect(pathOfFailureAction('edit_channel', { report: 7, channel: 1 })).toBe(
      '/gs-template/template?id=7#block-1',
    )
    expect(pathOfFailureAction('edit_channel', { report: 7 })).toBe('/gs-template/template?id=7#channels')
  })

  it('that only somebody who may change the report can end offers nothing to a viewer', () => {
    const viewer = { identity: 'external_user', may_change: false } as const
    expect(failureActionOf('sheet_name_mismatch', viewer)).toBeNull()
    expect(failureActionOf('account_access_lost', viewer)).toBe('ask_specialist')
  })
})

describe('what only clients see', () => {
  it.each(['channel_no_data', 'account_access_lost', 'credential_expired', 'credential_missing'] as const)(
    '%s sends them to their service specialist, and the agency’s own people to the instructions',
    code => {
      expect(errorText(errorsEn, code, 'external')).toContain('service specialist')
      expect(errorText(errorsEn, code, 'internal')).not.toContain('service specialist')
    },
  )
})
