import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildLink, type LinkFacts } from './build-link.ts'
import { MOST_EXTRA, utmFields } from './parameters.ts'
import { linkPlatforms } from './platforms.ts'
import { emptyValues } from './presets.ts'

const LANDING = 'https://shop.aurora.demo/autumn'
const facts = (changes: Partial<LinkFacts> = {}): LinkFacts => ({
  platform: null,
  landing_url: LANDING,
  ...emptyValues,
  utm_source: 'facebook',
  utm_medium: 'paid_social',
  utm_campaign: 'autumn_2026',
  extra: [],
  ...changes,
})
const build = (changes: Partial<LinkFacts> = {}) => buildLink(facts(changes))
const linkOf = (changes: Partial<LinkFacts> = {}) => build(changes).link
const USUAL = 'utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn_2026'

describe('a campaign link', () => {
  it('keeps the query, replaces its utm parameters, and ends with the fragment', () => {
    const built = build({
      landing_url: 'https://shop.aurora.demo/autumn?ref=hp&utm_source=old#top',
      utm_id: 'AU-2026-11',
    })
    expect(built).toEqual({
      link: `${LANDING}?ref=hp&${USUAL}&utm_id=AU-2026-11#top`,
      landing_url: 'https://shop.aurora.demo/autumn?ref=hp&utm_source=old#top',
      ga4_channel: 'Paid Social',
      warnings: [{ code: 'replaced', field: 'landing_url' }],
      problems: {},
      has_placeholders: false,
    })
  })

  it('has the parameters in the order of the table, and the further ones behind them', () => {
    const values = Object.fromEntries(utmFields.toReversed().map((field, at) => [field, `v${at}`]))
    expect(
      linkOf({
        ...values,
        extra: [
          { key: 'b', value: '1' },
          { key: 'a', value: '' },
        ],
      }),
    ).toBe(
      `${LANDING}?utm_source=v8&utm_medium=v7&utm_campaign=v6&utm_id=v5&utm_term=v4&utm_content=v3` +
        '&utm_source_platform=v2&utm_creative_format=v1&utm_marketing_tactic=v0&b=1&a=',
    )
  })

  it('replaces utm parameters however they are written, and further ones of the same name', () => {
    const built = build({
      landing_url: `${LANDING}?a=1&UTM_Content=x&utm%5Fterm=y&ref=old&a=2&&ref`,
      extra: [{ key: 'ref', value: 'new' }],
    })
    expect(built.link).toBe(`${LANDING}?a=1&a=2&&${USUAL}&ref=new`)
    expect(built.warnings).toContainEqual({ code: 'replaced', field: 'landing_url' })
    expect(build({ landing_url: `${LANDING}?${USUAL}` }).warnings).toEqual([])
  })

  it('is encoded as UTF-8, a space as %20, and trimmed', () => {
    expect(linkOf({ utm_campaign: ' 秋季 特賣 ', utm_term: "it's 50% & more+#" })).toBe(
      `${LANDING}?utm_source=facebook&utm_medium=paid_social` +
        '&utm_campaign=%E7%A7%8B%E5%AD%A3%20%E7%89%B9%E8%B3%A3&utm_term=it%27s%2050%25%20%26%20more%2B%23',
    )
  })

  it.each([
    ['https://аpple.demo/A b?Q=é#Ö', 'https://xn--pple-43d.demo/A b?Q=é#Ö'],
    ['HTTP://Shop.例え.jp:8080?x', 'HTTP://shop.xn--r8jz45g.jp:8080?x'],
    ['https://a.demo', 'https://a.demo'],
    ['https://a.demo/@b', 'https://a.demo/@b'],
    ['https://[2606:2800:220:1::1]/', 'https://[2606:2800:220:1::1]/'],
  ])('keeps %s as it was entered, but for its host', (landing_url, entered) => {
    expect(build({ landing_url }).landing_url).toBe(entered)
    expect(linkOf({ landing_url: entered })).toBe(linkOf({ landing_url }))
  })

  it('has its host in punycode', () => {
    expect(linkOf({ landing_url: 'https://例え.jp/a' })).toBe(`https://xn--r8jz45g.jp/a?${USUAL}`)
  })

  it.each([
    'javascript:alert(1)',
    'https://a@b.demo/',
    'https://a:b@b.demo/',
    'https://:b@b.demo/',
    'https://@b.demo/',
    'https:x.demo',
    'https:///x.demo',
    'https:\\\\x.demo',
    'ftp://b.demo/',
    'data:text/html,x',
    'shop.aurora.demo',
    '//shop.aurora.demo/',
    'https://',
    'https://a b/',
    'java\nscript:alert(1)',
    'https://shop.aurora.demo/\n?x',
    'https://shop.aurora.demo/\u202egnp.exe',
    'https://[::1/',
    'https://999.1.1.1/',
  ])('cannot lead to %j', landing_url => {
    expect(build({ landing_url })).toMatchObject({
      link: null,
      problems: { landing_url: ['field_invalid'] },
    })
  })

  it('needs a page, a source, a medium and a campaign', () => {
    const built = build({ landing_url: ' ', utm_source: '', utm_medium: ' ', utm_campaign: '' })
    expect(built.link).toBeNull()
    expect(built.problems).toEqual({
      landing_url: ['field_required'],
      utm_source: ['field_required'],
      utm_medium: ['field_required'],
      utm_campaign: ['field_required'],
    })
  })

  it('has at most 2,048 characters', () => {
    const rest = 2048 - `${LANDING}?a=&${USUAL}&utm_term=`.length
    const landing_url = `${LANDING}?a=${'x'.repeat(rest - 90)}`
    expect(linkOf({ landing_url, utm_term: 'y'.repeat(90) })).toHaveLength(2048)
    expect(build({ landing_url, utm_term: 'y'.repeat(91) })).toMatchObject({
      link: null,
      problems: { link: ['link_too_long'] },
    })
    expect(build({ utm_term: 'y'.repeat(101) }).problems).toEqual({ utm_term: ['field_too_long'] })
    expect(build({ landing_url: `https://a.demo/${'x'.repeat(2000)}` }).problems).toMatchObject({
      landing_url: ['field_too_long'],
    })
  })
})

describe('what the API would not read', () => {
  it.each(['a\nb', 'a\u200bb', 'a\u202eb'])('is said before: %j', text => {
    const extra = [{ key: text, value: text }]
    expect(build({ utm_term: text, extra, name: text }).problems).toEqual({
      utm_term: ['field_characters'],
      'extra.0.key': ['field_characters'],
      'extra.0.value': ['field_characters'],
      name: ['field_characters'],
    })
  })

  it('is a name that is too long, which is not in the link', () => {
    const built = build({ name: 'x'.repeat(121) })
    expect(built.problems).toEqual({ name: ['field_too_long'] })
    expect(built.link).not.toBeNull()
    expect(build({ name: ` ${'x'.repeat(120)} ` }).problems).toEqual({})
  })
})

describe('further parameters', () => {
  it.each([
    ['utm_term', 'field_not_available'],
    ['UTM_x', 'field_not_available'],
    ['a', 'key_twice'],
    [' ', 'field_required'],
    ['{keyword}', 'placeholder_unknown'],
    ['k'.repeat(101), 'field_too_long'],
  ])('may not be called %j', (key, code) => {
    const extra = [
      { key: 'a', value: '1' },
      { key, value: '2' },
    ]
    expect(build({ platform: 'google_ads', extra }).problems).toEqual({ 'extra.1.key': [code] })
  })

  it('are ten at most, and bound like any value', () => {
    const extra = Array.from({ length: MOST_EXTRA + 1 }, (_, at) => ({ key: `k${at}`, value: '' }))
    expect(build({ extra }).problems).toEqual({ extra: ['field_too_many'] })
    expect(build({ extra: [{ key: 'a', value: 'amy@mail.demo' }] }).problems).toEqual({
      'extra.0.value': ['personal_data'],
    })
    expect(build({ extra: [{ key: 'a', value: 'v'.repeat(201) }] }).problems).toEqual({
      'extra.0.value': ['field_too_long'],
    })
  })
})

describe('personal data', () => {
  it.each([
    'amy@mail.demo',
    'for Amy@Mail.demo.',
    'amy%40mail.demo',
    'ａｍｙ＠ｍａｉｌ．ｄｅｍｏ',
    '+886912345678',
    'call +886 912-345-678',
    '＋81 (90) 1234 5678',
    '%2B886912345678',
    '+886-912-345-678-20261101',
    '+886912345678 20261101',
    '+(886)912345678',
    '+886–912–345–678',
    '+886_912_345_678',
    '+886\u2011912\u2011345\u2011678',
    'tel+886912345678',
    'call + 886 912 345 678',
    '50% off amy%40mail.demo',
    '%E7%A7 amy%40mail.demo',
  ])('is refused: %s', utm_content => {
    expect(build({ utm_content })).toMatchObject({ link: null, problems: { utm_content: ['personal_data'] } })
  })

  it.each([
    '@aurora',
    'a@b',
    'sale+20',
    'shoes+20261101',
    '0912345678',
    '2026-11-01',
    '+1',
    '50%',
    'a @ b.c',
    'shoes+2026-11-01',
    'shoes + 20261101',
    '買1+1 20261101',
    '1+1 20261101-20261130',
    '100% cotton %E7%A7%8B',
  ])('is not %s', utm_content => {
    expect(build({ utm_content }).problems).toEqual({})
  })

  it('is a number with a country however it is written, and whatever stands around it', () => {
    const Around = fc.constantFrom('', ' ', 'tel', 'call ', '50% ', '20261101 ', '(')
    const Between = fc.constantFrom('', ' ', '-', '–', '_', '.', '/', '·', '(', ') ', '\u2011', '\u3000')
    fc.assert(
      fc.property(
        Around,
        fc.array(Between, { minLength: 12, maxLength: 12 }),
        Around,
        (before, gaps, after) => {
          const written = [...'886912345678'].map((digit, at) => `${gaps[at]}${digit}`).join('')
          for (const value of [`+${written}`, `%2B${written}`])
            expect(build({ utm_content: `${before}${value}${after}` }).problems).toEqual({
              utm_content: ['personal_data'],
            })
        },
      ),
    )
  })

  it('is no word, date, price or placeholder of a campaign', () => {
    const Word = fc.constantFrom(
      'facebook',
      'paid_social',
      'autumn_2026',
      'AU-2026-11',
      'Meta Ads',
      '秋季 特賣',
      '20261101',
      '2026-11-01',
      '{{campaign.name}}',
      '{{ad.id}}',
      '1,299',
      '30%',
      '0912-345-678',
    )
    fc.assert(
      fc.property(
        fc.array(Word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' ', '-', '_', '|'),
        (words, by) => {
          expect(build({ platform: 'meta', utm_content: words.join(by) }).problems).toEqual({})
          const sum = `${words[0]}+${words.at(-1)}`
          expect(build({ platform: 'meta', utm_content: sum }).problems).toEqual({})
        },
      ),
    )
  })
})

describe('warnings', () => {
  const codes = (changes: Partial<LinkFacts>) =>
    build(changes).warnings.map(({ code, field }) => `${code} ${field}`)

  it('are for capitals and spaces, which GA4 tells apart', () => {
    expect(codes({ utm_source: 'Facebook', utm_campaign: 'Autumn sale', utm_content: '秋季 特賣' })).toEqual([
      'capitals utm_source',
      'capitals utm_campaign',
      'spaces utm_campaign',
      'spaces utm_content',
    ])
    expect(codes({ utm_id: 'AU-2026', utm_source_platform: 'Meta Ads', utm_term: ' trimmed ' })).toEqual([])
  })

  it('are for parameters without a report in GA4', () => {
    expect(codes({ utm_creative_format: 'video', utm_marketing_tactic: 'prospecting' })).toEqual([
      'not_reported utm_creative_format',
      'not_reported utm_marketing_tactic',
    ])
  })

  it('are for links that GA4 groups nowhere, or as the platform fills them in', () => {
    expect(codes({ utm_source: 'print', utm_medium: 'qr' })).toEqual(['channel_unassigned utm_medium'])
    expect(codes({ platform: 'meta', utm_source: '{{site_source_name}}', utm_medium: 'x' })).toEqual([
      'channel_depends utm_source',
    ])
  })

  it('say that Google Ads has a click id of its own', () => {
    expect(codes({ platform: 'google_ads', utm_source: 'google', utm_medium: 'cpc' })).toEqual([
      'auto_tagging platform',
    ])
  })
})

const Text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'a B秋&=?#%+ {}_\'"/\\@.'), maxLength: 30 }),
  fc.constantFrom('{{ad.id}}', '__CID__', '{keyword}', '\ud800', '%zz', 'utm_source'),
)
const Landing = fc.oneof(
  Text,
  fc
    .tuple(fc.constantFrom('https://a.demo', 'http://例え.jp:8080/é', 'HTTPS://A.demo/x/'), Text)
    .map(([a, b]) => a + b),
  fc
    .tuple(fc.array(fc.tuple(Text, Text), { maxLength: 6 }), Text)
    .map(([query, hash]) => `${LANDING}?${query.map(([k, v]) => `${k}=${v}`).join('&')}#${hash}`),
)
const Facts: fc.Arbitrary<LinkFacts> = fc
  .tuple(
    fc.constantFrom(null, ...linkPlatforms),
    Landing,
    fc.array(Text, { minLength: utmFields.length, maxLength: utmFields.length }),
    fc.array(fc.record({ key: Text, value: Text }), { maxLength: 4 }),
  )
  .map(([platform, landing_url, values, extra]) => ({
    platform,
    landing_url,
    ...emptyValues,
    ...Object.fromEntries(utmFields.map((field, at) => [field, values[at] ?? ''])),
    extra,
  }))

describe('any link', () => {
  it('is made or has a problem, and is an address that browsers leave as it is', () => {
    fc.assert(
      fc.property(Facts, any => {
        const { link, problems } = buildLink(any)
        expect(link === null).toBe(Object.keys(problems).length > 0)
        expect(link === null ? null : new URL(link).href).toBe(link)
      }),
    )
  })

  it('stays the same when it is made of itself', () => {
    fc.assert(
      fc.property(Facts, any => {
        const { link } = buildLink(any)
        fc.pre(link !== null && link.length <= 2000)
        const again = buildLink({ ...any, landing_url: link ?? '' })
        expect(again.link).toBe(link)
        expect(again.warnings.map(({ code }) => code)).not.toContain('replaced')
      }),
    )
  })

  it('has the rest of the query byte for byte, in front, and all of the values as they were entered', () => {
    const Part = fc.stringMatching(/^[a-t][\w.~%=+!$'()*,;:@/?[\]-]{0,12}$/)
    fc.assert(
      fc.property(fc.array(Part, { maxLength: 5 }), Facts, (parts, any) => {
        const rest = parts.filter(part => !part.includes("'")).join('&')
        const built = buildLink({ ...any, extra: [], landing_url: `${LANDING}?${rest}&utm_term=x#${'h'}` })
        fc.pre(built.link !== null)
        const search = new URL(built.link ?? '').search.slice(1)
        expect(search.startsWith(`${rest}&`)).toBe(true)
        const entered = new URLSearchParams(search)
        for (const field of utmFields)
          expect(entered.get(field) ?? '').toBe(
            any[field]
              .normalize('NFC')
              .trim()
              .replaceAll(/\p{Surrogate}/gu, '\ufffd'),
          )
      }),
    )
  })
})
