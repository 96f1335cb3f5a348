import { describe, expect, it } from 'vitest'
import { expiredCookie, readCookie } from './cookies.ts'

describe('readCookie', () => {
  it.each([
    ['access_token=a.b.c', 'a.b.c'],
    ['x=1; access_token=a=b; y=2', 'a=b'],
    ['access_token=%E4%B8%AD', '中'],
    ['access_token=%', '%'],
    ['access_token=', null],
    ['not_access_token=a', null],
    ['', null],
  ])('reads %j', (jar, value) => {
    expect(readCookie(jar, 'access_token')).toBe(value)
  })
})

describe('expiredCookie', () => {
  it('sets Secure for a name that browsers accept only with it', () => {
    expect(expiredCookie('access_token')).toBe('access_token=; path=/; max-age=0; samesite=strict')
    expect(expiredCookie('__Host-access_token')).toMatch(/^__Host-access_token=; path=\/; .*; secure$/)
  })
})
