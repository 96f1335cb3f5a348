import { describe, expect, it } from 'vitest'
import { piecesOf, shortened } from './link-pieces.ts'

const AUTUMN = 'https://shop.aurora.demo/autumn?ref=hp&utm_source=facebook&utm_id=AU-2026-11#top'

describe('a drawn link', () => {
  it('has its utm parameters apart from what the page had', () => {
    expect(piecesOf(AUTUMN).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'page https://shop.aurora.demo/autumn',
      'page ?ref=hp',
      'page &',
      'key utm_source=',
      'value facebook',
      'page &',
      'key utm_id=',
      'value AU-2026-11',
      'page #top',
    ])
  })

  it.each([
    AUTUMN,
    'https://aurora.demo/',
    'https://aurora.demo/#utm_source=x?utm_medium=y',
    'https://aurora.demo/?utm_source&utm_medium=a=b&',
    'https://aurora.demo/?q=a?b',
  ])('is the whole of it: %s', link => {
    const text = piecesOf(link)
      .map(piece => piece.text)
      .join('')
    expect(text).toBe(link)
  })
})

describe('a link in a table', () => {
  it('is whole where it fits, without the protocol', () => {
    expect(shortened('https://aurora.demo/?utm_source=a')).toBe('aurora.demo/?utm_source=a')
  })

  it('loses its middle where it does not', () => {
    expect(shortened(AUTUMN, 31)).toBe('shop.aurora.dem…=AU-2026-11#top')
    expect(shortened(AUTUMN, 31)).toHaveLength(31)
  })
})
