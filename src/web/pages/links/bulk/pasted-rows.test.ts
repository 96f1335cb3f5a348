import { describe, expect, it } from 'vitest'
import { AUTUMN, presetOf } from '#web/pages/links/testing/samples.ts'
import { draftsOf, readPasted } from './pasted-rows.ts'

const cells = (...lines: string[][]) => lines.map(line => line.join('\t')).join('\n')
const values = [AUTUMN, 'facebook', 'paid_social', 'autumn_2026']
const row = {
  landing_url: AUTUMN,
  utm_source: 'facebook',
  utm_medium: 'paid_social',
  utm_campaign: 'autumn_2026',
}

describe('rows of a spreadsheet', () => {
  it.each([
    ['English', ['Landing page', 'Source', 'Medium', 'Campaign']],
    ['Chinese', ['到達網頁', '來源', '媒介', '活動名稱']],
    ['the fields', ['landing_url', 'utm_source', 'utm_medium', 'utm_campaign']],
    ['GA4', ['URL', 'Campaign source', 'campaign medium', 'Campaign name']],
  ])('are read with headings in the words of %s', (_, header) => {
    expect(readPasted(cells(header, values))).toEqual({ rows: [row], unknown: [], hasNoHeader: false })
  })

  it('may be in any order, with empty lines, quotes and columns of no use', () => {
    const text = `Owner\tSource\tLanding page\r\nAmy\t"face\nbook"\t${AUTUMN}\r\n\t\t\r\nBo\t\t${AUTUMN}\r\n`
    expect(readPasted(text)).toEqual({
      rows: [
        { utm_source: 'face\nbook', landing_url: AUTUMN },
        { utm_source: '', landing_url: AUTUMN },
      ],
      unknown: ['Owner'],
      hasNoHeader: false,
    })
  })

  it('need headings', () => {
    expect(readPasted(cells(values))).toMatchObject({ rows: [], hasNoHeader: true })
    expect(readPasted('')).toMatchObject({ rows: [], hasNoHeader: false })
  })

  it('may come from a file with commas', () => {
    expect(readPasted(`utm_source,landing_url\nfacebook,${AUTUMN}`).rows).toEqual([
      { utm_source: 'facebook', landing_url: AUTUMN },
    ])
  })

  it('take from the preset what their cells leave empty', () => {
    const pasted = readPasted(cells(['Landing page', 'Source', 'Campaign'], [AUTUMN, 'instagram', '']))
    expect(draftsOf(pasted, { advertiser: 1, preset: presetOf() })).toMatchObject([
      { advertiser: 1, preset: 3, utm_source: 'instagram', utm_campaign: '{{campaign.name}}' },
    ])
  })
})
