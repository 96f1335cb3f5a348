import { describe, expect, it } from 'vitest'
import { matching } from './matching.ts'

const entries = [
  { key: 'new', names: ['New report', '新增報表'] },
  { key: 'list', names: ['Auto-update reports', '自動更新報表'] },
  { key: 'sheets', names: ['Spreadsheets', '試算表'] },
]
const keys = (typed: string) => matching(entries, typed).map(({ key }) => key)

describe('what was typed', () => {
  it('is found in the names of both languages', () => {
    expect(keys('試算')).toEqual(['sheets'])
    expect(keys('spread')).toEqual(['sheets'])
  })

  it('is found anywhere in a name, with matches at the beginning first', () => {
    expect(keys('re')).toEqual(['new', 'list', 'sheets'])
    expect(keys('報表')).toEqual(['new', 'list'])
    expect(keys('auto')).toEqual(['list'])
  })

  it('is read without regard to case, width and blanks around it', () => {
    expect(keys('  ＮＥＷ ')).toEqual(['new'])
    expect(keys('nothing like it')).toEqual([])
  })
})
