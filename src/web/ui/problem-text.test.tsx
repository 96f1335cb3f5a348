// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { channelIds } from '#shared/channels/ids.ts'
import { errorText } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { errors, type ErrorCode } from '#shared/errors.ts'
import { instructionSections, instructionsName, instructionsPath } from '#shared/instructions.ts'
import { loadErrorTexts } from '#web/i18n/i18n.ts'
import { sections } from '#web/pages/instructions/instructions.tsx'
import { draw } from '#web/testing/render.tsx'
import { ProblemText } from './problem-text.tsx'

const codes = Object.keys(errors) as ErrorCode[]
const texts = [
  { language: 'en' as const, of: errorsEn },
  { language: 'zh-TW' as const, of: errorsZhTW },
]
const naming = codes.filter(code => errorText(errorsEn, code, 'internal').includes(instructionsName.en))

describe('a text of an error that names the instructions', () => {
  it('is for the agency alone, names them once, and in both languages', () => {
    expect(naming).toEqual(['channel_no_data', 'account_access_lost'])
    for (const { language, of } of texts)
      for (const code of codes) {
        const parts = (audience: 'internal' | 'external') =>
          errorText(of, code, audience).split(instructionsName[language]).length
        expect([code, parts('external')]).toEqual([code, 1])
        expect([code, parts('internal')]).toEqual([code, naming.includes(code) ? 2 : 1])
      }
  })

  it.each(naming)('%s leads to the part about its channel', async code => {
    await loadErrorTexts()
    for (const channel of channelIds) {
      const { unmount } = draw(<ProblemText code={code} audience="internal" channel={channel} />)
      const path = screen.getByRole('link', { name: 'instructions' }).getAttribute('href')
      expect(path).toBe(instructionsPath(channel))
      expect(sections.map(({ id }) => `/setting/instructions#${id}`)).toContain(path)
      unmount()
    }
  })

  it('leads clients nowhere', async () => {
    await loadErrorTexts()
    draw(<ProblemText code="account_access_lost" audience="external" channel="fb" />)
    expect(screen.queryByRole('link')).toBeNull()
  })
})

it('the instructions have a part for each link', () => {
  expect(sections.map(({ id }) => id)).toEqual([...instructionSections])
})
