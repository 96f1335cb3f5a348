import { describe, expect, it } from 'vitest'
import { spreadsheetLink } from './spreadsheet-link.ts'

const id = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'

describe('where a spreadsheet opens', () => {
  it('is Google for an address of Google, whatever follows the id', () => {
    expect(spreadsheetLink(`https://docs.google.com/spreadsheets/d/${id}/edit?usp=sharing#gid=7`)).toEqual({
      href: `https://docs.google.com/spreadsheets/d/${id}/edit#gid=7`,
    })
  })

  it('is Google for a bare id', () => {
    expect(spreadsheetLink(id)).toEqual({ href: `https://docs.google.com/spreadsheets/d/${id}/edit` })
  })

  it('is our own viewer for the built-in service', () => {
    expect(spreadsheetLink(`http://127.0.0.1:3100/spreadsheets/d/${id}/edit#gid=0`)).toEqual({
      built_in: id,
      gid: 0,
    })
  })

  it('is the tab that was written to, whatever tab the address names', () => {
    expect(spreadsheetLink(`http://127.0.0.1:3100/spreadsheets/d/${id}/edit#gid=0`, 5)).toMatchObject({
      gid: 5,
    })
  })

  it('is nowhere for what is no address of a spreadsheet', () => {
    expect(spreadsheetLink('')).toBeNull()
    expect(spreadsheetLink('javascript:alert(1)')).toBeNull()
    expect(spreadsheetLink('https://example.com/')).toBeNull()
  })
})
