import { describe, expect, it } from 'vitest'
import { catalogueOf } from './channels/all.ts'
import { blockLabels } from './headers.ts'

const labels = (...given: (string | null)[]) =>
  blockLabels(
    given.map(label => ({ channel: 'fb' as const, label })),
    'en',
    catalogueOf,
  )

describe('labels of blocks', () => {
  it('are the name of the channel, numbered when it comes again', () => {
    expect(labels(null)).toEqual(['Meta ads'])
    expect(labels(null, null, null)).toEqual(['Meta ads', 'Meta ads 2', 'Meta ads 3'])
    expect(blockLabels([{ channel: 'fb', label: null }], 'zh-TW', catalogueOf)).toEqual(['Meta 廣告'])
  })

  it('are the user’s own names, and a default name never repeats one', () => {
    expect(labels('Brand', null)).toEqual(['Brand', 'Meta ads'])
    expect(labels(null, 'Meta ads')).toEqual(['Meta ads 2', 'Meta ads'])
  })
})
