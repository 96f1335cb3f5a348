import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { enBusiness } from './i18n/en-business.ts'
import { editing } from './i18n/en/editing.ts'
import { en } from './i18n/en.ts'
import type { Texts } from './i18n/translate.ts'
import { zhTWBusiness } from './i18n/zh-TW-business.ts'
import { editing as editingZh } from './i18n/zh-TW/editing.ts'
import { zhTW } from './i18n/zh-TW.ts'
import { literalsIn, sourcesIn } from './testing/literals.ts'

const root = import.meta.dirname
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => /\.tsx?$/.test(file) && !/\.test\.|^testing\/|gallery/.test(file))
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))
const drawn = files.filter(({ file }) => !file.startsWith('i18n/'))

describe('texts', () => {
  it('fill in the same values in both languages', () => {
    const chinese = new Map(flat({ ...zhTW, ...zhTWBusiness, editing: editingZh }))
    const different = flat({ ...en, ...enBusiness, editing })
      .map(([key, text]) => [key, text, chinese.get(key.replace(/_one$/, '_other')) ?? ''] as const)
      .filter(([, english, other]) => String(placeholders(english)) !== String(placeholders(other)))
    expect(different).toEqual([])
  })

  it('are all used', () => {
    const code = drawn.map(({ text }) => text).join('\n')
    const unused = flat({ ...en, ...enBusiness, editing })
      .map(([key]) => key)
      .filter(key => !isUsed(key, code))
    expect(unused).toEqual([])
  })

  it('are in i18n/ and nowhere else', () => {
    const untranslated = sourcesIn('web')
      .filter(file => !/^web\/(i18n|gallery)\//.test(file))
      .flatMap(literalsIn)
      .filter(({ text, as }) => as !== null && visible.test(as) && isWords(text) && !alike.has(text))
      .map(({ file, text, as }) => `${file}, ${as}: ${text}`)
    expect(untranslated).toEqual([])
  })
})

/** The kinds of literals that people see. */
const visible =
  /^(JSX|label|title|placeholder|alt|hint|detail|description|error|message|sub_message|text|confirm|submit|header|caption|empty|aria-(label|description|roledescription|valuetext|placeholder))$/
const isWords = (text: string) => /\p{L}{2}/u.test(text.replaceAll(/&\w+;/g, ''))
/** The same in every language. */
const alike = new Set(['name@example.com', '#gid=', 'sheetcast@…', 'https://'])

describe('styles', () => {
  const everywhere = stylesIn(readFileSync(join(root, 'app/styles.ts'), 'utf8'))

  it('of Mantine components come with the file that draws them', () => {
    const missing = drawn.flatMap(({ file, text }) => {
      const own = new Set([...everywhere, ...stylesIn(text)])
      return componentsIn(text)
        .filter(name => existsSync(join(root, `../../node_modules/@mantine/core/styles/${name}.layer.css`)))
        .filter(name => !own.has(name))
        .map(name => `${file} draws ${name} without its style`)
    })
    expect(missing).toEqual([])
  })

  it('are never written at run time, since the content security policy forbids it', () => {
    // These components write a style element; so do sizes that depend on the screen ({ base: …, md: … }).
    const writing = ['AppShell', 'Grid', 'SimpleGrid', 'MantineProvider', 'ColorSchemeScript']
    const found = drawn.flatMap(({ file, text }) => [
      ...componentsIn(text)
        .filter(name => writing.includes(name))
        .map(name => `${file}: ${name}`),
      ...(/=\{\{ base: /.test(text) ? [`${file}: a size by screen`] : []),
      ...(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/.test(withoutComments(text))
        ? [`${file}: markup`]
        : []),
    ])
    expect(found).toEqual([])
  })
})

function flat(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  )
}

/** Without the count: a singular says it in words. */
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)]
    .map(match => match[1])
    .filter(name => name !== 'count')
    .toSorted()

/** Written out, or made from a prefix in a template: `header.theme_${theme}`. */
function isUsed(key: string, code: string): boolean {
  const [, ...path] = key.replace(/_(one|other)$/, '').split('.')
  const name = path.join('.')
  if (code.includes(`'${name}'`)) return true
  const cuts = [...name.matchAll(/[._]/g)].map(match => name.slice(0, (match.index ?? 0) + 1))
  return cuts.some(prefix => code.includes(`\`${prefix}\${`))
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

function stylesIn(text: string): string[] {
  return [...text.matchAll(/@mantine\/core\/styles\/(\w+)\.layer\.css/g)].map(match => match[1] ?? '')
}

/** What is imported from Mantine's core by name, types left out. */
function componentsIn(text: string): string[] {
  return [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(match =>
    (match[1] ?? '')
      .split(',')
      .map(name => name.trim())
      .filter(name => /^[A-Z]/.test(name)),
  )
}
