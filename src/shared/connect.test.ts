import { describe, expect, test } from 'vitest'
import { isConnectable, missingScopes, scopesOf, servicesOf } from './connect.ts'

const google = (scope: string) => `https://www.googleapis.com/auth/${scope}`

describe('the scopes of a login', () => {
  test('are those of its services, each once', () => {
    expect(scopesOf('meta', ['audiences', 'businesses'])).toEqual(['ads_management', 'business_management'])
    expect(scopesOf('google_ads', ['reporting', 'audiences', 'spreadsheets', 'reporting'])).toEqual([
      google('adwords'),
      google('datamanager'),
      google('spreadsheets'),
      google('drive.metadata.readonly'),
    ])
    expect(scopesOf('ga4', ['reporting', 'businesses'])).toEqual([google('analytics.readonly')])
  })

  test('are missing for the service that needs them and for no other', () => {
    const granted = [google('adwords'), google('spreadsheets')]
    expect(missingScopes('google_ads', 'reporting', granted)).toEqual([])
    expect(missingScopes('google_ads', 'audiences', granted)).toEqual([google('datamanager')])
    expect(missingScopes('google_ads', 'spreadsheets', granted)).toEqual([google('drive.metadata.readonly')])
  })

  test('are not missing where the platform does not tell, or asks for none by name', () => {
    expect(missingScopes('ly_ads', 'reporting', null)).toEqual([])
    expect(missingScopes('tiktok', 'audiences', [])).toEqual([])
  })
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
