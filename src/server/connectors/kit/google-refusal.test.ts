import { expect, it } from 'vitest'
import { isAboutLogin } from './google-refusal.ts'

const unsaid = { reasons: [], message: '' }

it.each(['SERVICE_DISABLED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'accessNotConfigured'])(
  'takes %s for a trouble of the login',
  reason => {
    expect(isAboutLogin({ ...unsaid, reasons: ['other', reason] })).toBe(true)
  },
)

it.each([
  'Google Ads API has not been used in project 1000 before or it is disabled. Enable it by visiting …',
  'Request had insufficient authentication scopes.',
])('takes the words for it where no reason is given: %s', message => {
  expect(isAboutLogin({ ...unsaid, message })).toBe(true)
})

it.each([
  'User does not have sufficient permissions for this property.',
  'The customer account is disabled.',
  '',
])('leaves to the account what is its own: "%s"', message => {
  expect(isAboutLogin({ reasons: ['IAM_PERMISSION_DENIED'], message })).toBe(false)
})
