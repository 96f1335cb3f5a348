import { describe, expect, test } from 'vitest'
import { canServe, isConnectable, missingScopes, scopesOf, servicesOf } from './connect.ts'

const google = (scope: string) => `https://www.googleapis.com/auth/${scope}`

describe('the scopes of a login', () => {
  test('are those of its services, each once', () => {
    expect(scopesOf('meta', ['audiences', 'businesses'])).toEqual(['ads_management', 'business_management'])
    expect(scopesOf('google', ['reporting', 'audiences', 'spreadsheets', 'reporting'])).toEqual([
      google('adwords'),
      google('analytics.readonly'),
      google('datamanager'),
      google('spreadsheets'),
      google('drive.metadata.readonly'),
    ])
    expect(scopesOf('ly_ads', ['reporting', 'businesses'])).toEqual(['yahooads'])
  })

  test('are missing for the service that needs them and for no other', () => {
    const granted = [google('adwords'), google('analytics.readonly'), google('spreadsheets')]
    expect(missingScopes('google', 'reporting', granted)).toEqual([])
    expect(missingScopes('google', 'audiences', granted)).toEqual([google('datamanager')])
    expect(missingScopes('google', 'spreadsheets', granted)).toEqual([google('drive.metadata.readonly')])
  })

  test('are not missing where the platform does not tell, or asks for none by name', () => {
    expect(missingScopes('ly_ads', 'reporting', null)).toEqual([])
    expect(missingScopes('tiktok', 'audiences', [])).toEqual([])
  })
})

test('a login serves what it has all scopes for, and reports with one of them', () => {
  const granted = [google('analytics.readonly'), google('spreadsheets')]
  expect(canServe('google', 'reporting', granted)).toBe(true)
  expect(canServe('google', 'reporting', [])).toBe(false)
  expect(canServe('google', 'spreadsheets', granted)).toBe(false)
  expect(canServe('google', 'spreadsheets', [...granted, google('drive.metadata.readonly')])).toBe(true)
  expect(canServe('ly_ads', 'reporting', null)).toBe(true)
  expect(canServe('meta', 'reporting', [])).toBe(false)
})

test('only platforms with a consent page can be connected', () => {
  expect([isConnectable('meta'), isConnectable('line'), isConnectable('yahoo_dsp')]).toEqual([
    true,
    false,
    false,
  ])
  expect(servicesOf('meta')).toEqual(['reporting', 'audiences', 'businesses'])
  expect(servicesOf('ly_ads')).toEqual(['reporting'])
})
