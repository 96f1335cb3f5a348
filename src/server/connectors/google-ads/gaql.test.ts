import { describe, expect, it } from 'vitest'
import type { Filter } from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { conditionOf, gaql } from './gaql.ts'
import { googleAds } from './report.ts'
import { GoogleAdsLogin } from './schema.ts'
import { aurora, japan, login, NOW } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW)

const condition = (rule: Filter['rule'], ...values: string[]) =>
  conditionOf('campaign.name', { rule, values })
const like = (pattern: string) => `campaign.name LIKE '${pattern}'`

describe('what is sent of a filter', () => {
  it('follows the rule', () => {
    expect(condition('EQUAL', 'Bundle 1')).toBe(like('Bundle 1'))
    expect(condition('STARTS_WITH', 'Bundle')).toBe(like('Bundle%'))
    expect(condition('ENDS_WITH', 'Bundle')).toBe(like('%Bundle'))
    expect(condition('CONTAINS', '春夏')).toBe(like('%春夏%'))
  })

  it('is nothing where Google might leave out what we keep', () => {
    expect(condition('NOT_CONTAINS', 'Bundle')).toBeNull()
    expect(condition('CONTAINS', 'one', 'two')).toBeNull()
    expect(condition('CONTAINS', 'éß')).toBeNull()
    expect(condition('EQUAL', '')).toBeNull()
    expect(condition('CONTAINS')).toBeNull()
  })

  it('has any text where a letter may look like another one', () => {
    expect(condition('EQUAL', 'Skin Kit')).toBe(like('%in %it'))
    expect(condition('EQUAL', 'Été 🍁 2026')).toBe(like('%t% % 2026'))
    expect(condition('CONTAINS', 'ｆｕｌｌ width')).toBe(like('% width%'))
  })

  it.each([
    ["x' OR campaign.id > 0 --", String.raw`x\' OR campaign.id > 0 --`],
    ['100%_off[new]', '100[%][_]off[[]new[]]'],
    ['ending in one \\', 'ending in one \\\\'],
    ["\\' OR 1=1", String.raw`\\\' OR 1=1`],
    ['first\nOR 1=1', 'fir%t%OR 1=1'],
    ['a\r\n\tb\0c', 'a%b%c'],
    ['"double"', '"double"'],
    ['%%', '[%][%]'],
    ['[%]', '[[][%][]]'],
    ["') PARAMETERS include_drafts = true", String.raw`\') PARAMETER% include[_]draft% = true`],
  ])('is one literal whatever was typed: %j', (text, pattern) => {
    expect(condition('EQUAL', text)).toBe(like(pattern))
  })

  it.each([
    "x' OR campaign.id > 0 --",
    "x' OR 1=1",
    'x") OR (campaign.id > 0',
    '100%_off [sale] \\ "quoted" \'single\'',
    '100%_off',
    '[sale]',
    '\\',
    "\\'",
    'tab\tand',
    'first\nsecond',
    '\u2028',
    '\0',
    "'",
    "''",
    '%',
    '_',
    '[',
    ']',
    '[%]',
    '{{braces}}',
    '--',
    '/* x */',
    'ŞEHİR ﬁne',
  ])('keeps, and keeps only, the names that hold %j', async text => {
    const io = { ...testContext(sandbox.base_url, NOW), login: GoogleAdsLogin.parse(login) }
    for (const account of [aurora, japan]) {
      const ask = async (filters: Filter[]) =>
        rowsOf(
          googleAds.fetchReport(
            {
              channel: 'aw',
              account,
              range: { start: '2026-03-01', end: '2026-10-31' },
              time: 'total',
              dimensions: ['campaign'],
              metrics: ['cost'],
              filters,
            },
            io,
          ),
        )
      const every = await ask([])
      for (const rule of ['EQUAL', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS'] as const) {
        const filter: Filter = { field: 'campaign_name', rule, values: [text] }
        const keeps = filterTest(filter)
        const matching = (await ask([filter])).filter(({ labels: [name = ''] }) => keeps(name))
        expect(matching).toEqual(every.filter(({ labels: [name = ''] }) => keeps(name)))
      }
    }
  })

  it('lets a name through that is the same but for letters of another alphabet', () => {
    const name = 'summer \u017fale, 5 \u212aelvin'
    for (const text of ['SALE, 5 kelvin', 'summer s', 'Kelvin']) {
      expect(filterTest({ rule: 'CONTAINS', values: [text] })(name)).toBe(true)
      const pattern = /LIKE '(.*)'$/.exec(condition('CONTAINS', text) ?? '')?.[1] ?? ''
      // Here: letters of ASCII ignore case, any other is itself.
      const parts = pattern.toLowerCase().split('%')
      expect(
        parts.every(part => name.includes(part)),
        pattern,
      ).toBe(true)
      expect(parts.length).toBeGreaterThan(2)
    }
  })
})

it('writes a query clause by clause, naming each field once', () => {
  expect(
    gaql({
      select: ['campaign.id', 'metrics.clicks', 'campaign.id'],
      from: 'campaign',
      where: ['campaign.id > 1', 'metrics.clicks > 0'],
      order: ['campaign.id'],
      limit: 5,
    }),
  ).toBe(
    'SELECT campaign.id, metrics.clicks FROM campaign WHERE campaign.id > 1 AND metrics.clicks > 0 ORDER BY campaign.id LIMIT 5 PARAMETERS omit_unselected_resource_names = true',
  )
})
