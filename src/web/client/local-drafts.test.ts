// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import {
  MOST_AGE_MS,
  MOST_DRAFTS,
  MOST_LENGTH,
  readLocalDraft,
  removeLocalDraft,
  removeLocalDrafts,
  removeOldDrafts,
  writeLocalDraft,
} from './local-drafts.ts'

const ANN = 1
const BEN = 12
const isText = (content: unknown): content is string => typeof content === 'string'
const read = (person: number, name: string) => readLocalDraft(person, name, isText)?.content ?? null
const write = (person: number, name: string, content: unknown, at_ms = 1000) =>
  writeLocalDraft(person, name, { at_ms, content })

beforeEach(() => localStorage.clear())

describe('unsaved changes in the browser', () => {
  it('are read by the person who made them, for the thing that they are of', () => {
    write(ANN, '7', 'of Ann')
    write(BEN, '7', 'of Ben')
    expect([read(ANN, '7'), read(BEN, '7'), read(ANN, '8')]).toEqual(['of Ann', 'of Ben', null])
    removeLocalDraft(ANN, '7')
    expect([read(ANN, '7'), read(BEN, '7')]).toEqual([null, 'of Ben'])
  })

  it('are removed when their person signs out, and nobody else’s', () => {
    for (const name of ['7', 'new']) write(ANN, name, 'of Ann')
    write(BEN, 'new', 'of Ben')
    removeLocalDrafts(ANN)
    expect(Object.keys(localStorage)).toEqual([`sheetcast.draft.${BEN}.new`])
  })

  it('are removed after a week, and when they cannot be read', () => {
    write(ANN, 'old', 'x', 0)
    write(ANN, 'young', 'x', 1)
    localStorage.setItem('sheetcast.draft.1.broken', '{"at_ms"')
    removeOldDrafts(MOST_AGE_MS + 1)
    expect(Object.keys(localStorage)).toEqual(['sheetcast.draft.1.young'])
  })

  it('are not stored beyond a length, nor beyond a number, of which the latest stay', () => {
    write(ANN, 'long', 'short at first')
    write(ANN, 'long', 'x'.repeat(MOST_LENGTH))
    expect(read(ANN, 'long')).toBeNull()
    write(BEN, 'of-ben', 'x', 0)
    for (let at = 0; at < MOST_DRAFTS + 2; at++) write(ANN, `report-${at}`, 'x', at)
    expect(read(ANN, 'report-1')).toBeNull()
    expect(read(ANN, 'report-2')).toBe('x')
    expect(read(BEN, 'of-ben')).toBe('x')
  })

  it('of another version of the page are left alone', () => {
    write(ANN, '7', { of: 'another version' })
    localStorage.setItem('sheetcast.draft.1.8', 'no json')
    expect([read(ANN, '7'), read(ANN, '8')]).toEqual([null, null])
  })
})
