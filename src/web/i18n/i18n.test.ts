import { beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
})
/** The language that was last used here. */
const stubLanguage = (language: string) =>
  vi.stubGlobal('document', { documentElement: {}, cookie: `language=${language}` })

it('waits with the texts of all pages for those of the first', async () => {
  stubLanguage('zh-TW')
  const { loadInnerTexts, nowSpoken, startI18n } = await import('./i18n.ts')
  void startI18n()
  await loadInnerTexts()
  expect(nowSpoken().language).toBe('zh-TW')
  expect(nowSpoken().texts.editor).toBeDefined()
})

it('has all texts of a language that was switched to before those of the pages had come', async () => {
  stubLanguage('en')
  const slow = Promise.withResolvers<void>()
  vi.doMock('./zh-TW-first.ts', async original => {
    await slow.promise
    return await original()
  })
  const { loadInnerTexts, nowSpoken, startI18n, switchLanguage } = await import('./i18n.ts')
  await startI18n()
  const switching = switchLanguage('zh-TW')
  await loadInnerTexts()
  slow.resolve()
  await switching
  expect(nowSpoken().language).toBe('zh-TW')
  expect(nowSpoken().texts.editor).toBeDefined()
})
