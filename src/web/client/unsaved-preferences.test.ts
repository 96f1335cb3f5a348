import { beforeEach, describe, expect, it } from 'vitest'
import { Problem } from './problem.ts'
import { savePreferences, unsavedPreferences, type Preferences } from './unsaved-preferences.ts'

const ANN = 1
const BEN = 2

beforeEach(() => sessionStorage.clear())

describe('preferences', () => {
  it('are kept until the server has confirmed them, for the person who chose them', async () => {
    const { confirm } = choose({ language: 'zh-TW' })
    expect(unsavedPreferences(ANN)).toEqual({ language: 'zh-TW' })
    expect(unsavedPreferences(BEN)).toEqual({})
    await confirm()
    expect(unsavedPreferences(ANN)).toEqual({})
  })

  it('are sent with those that are still unconfirmed', async () => {
    const first = choose({ language: 'zh-TW' })
    const second = choose({ theme: 'dark' })
    expect(second.sent).toEqual([{ language: 'zh-TW', theme: 'dark' }])
    await first.confirm()
    expect(unsavedPreferences(ANN)).toEqual({ language: 'zh-TW', theme: 'dark' })
    await second.confirm()
    expect(unsavedPreferences(ANN)).toEqual({})
  })

  it('are kept when there is no response, and dropped when the server refuses them', async () => {
    await expect(failing(new Problem({ code: 'unreachable' }))).rejects.toThrow('unreachable')
    expect(unsavedPreferences(ANN)).toEqual({ theme: 'dark' })
    await expect(failing(new Problem({ code: 'invalid', status: 400 }))).rejects.toThrow('invalid')
    expect(unsavedPreferences(ANN)).toEqual({})
  })
})

const failing = (problem: Problem) => savePreferences(ANN, { theme: 'dark' }, () => Promise.reject(problem))

function choose(chosen: Preferences) {
  const sent: Preferences[] = []
  const confirmed = Promise.withResolvers<void>()
  const saved = savePreferences(ANN, chosen, async preferences => {
    sent.push(preferences)
    await confirmed.promise
  })
  return {
    sent,
    async confirm() {
      confirmed.resolve()
      await saved
    },
  }
}
