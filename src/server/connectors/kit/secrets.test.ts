import { expect, it } from 'vitest'
import { withoutSecrets } from './secrets.ts'

it('hides every secret in the words of a platform, as it is and as it is in a URL', () => {
  expect(withoutSecrets('bad 1//a+b, once more 1//a+b: ?token=1%2F%2Fa%2Bb', ['1//a+b'])).toBe(
    'bad …, once more …: ?token=…',
  )
})

it('hides people, where a platform repeats the hashes that were uploaded', () => {
  const hash = 'f1904cf1a9d73a55fa5de0ac823c4403ded71afd4c3248d00bdcd0866552bb79'
  expect(withoutSecrets(`line 3: ${hash}, line 4: ${hash.toUpperCase()}.`, [])).toBe('line 3: …, line 4: ….')
})

it('leaves words alone where a login lacks what is optional', () => {
  expect(withoutSecrets('bad', [undefined, ''])).toBe('bad')
})

it('never cuts a secret in two: it hides first, and shortens then', () => {
  expect(withoutSecrets(`${'x'.repeat(995)}a-secret`, ['a-secret'])).toBe(`${'x'.repeat(995)}…`)
})
