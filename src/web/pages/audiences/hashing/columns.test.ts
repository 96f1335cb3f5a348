import { describe, expect, it } from 'vitest'
import { formsOf, proposeColumns } from './columns.ts'

describe('the columns of a file', () => {
  it.each([
    [
      ['E-mail', 'Mobile Phone', 'First Name', 'Last Name', 'Opt-in'],
      ['email', 'phone', 'first_name', 'last_name', 'consent'],
    ],
    [
      ['電子郵件', '手機號碼', '姓', '名', '生日', '性別', '郵遞區號', '國家', '是否同意'],
      [
        'email',
        'phone',
        'last_name',
        'first_name',
        'birthday',
        'gender',
        'postal_code',
        'country',
        'consent',
      ],
    ],
    [
      ['メールアドレス', '携帯電話番号', '姓', '名', '生年月日', '郵便番号', '国', '配信希望'],
      ['email', 'phone', 'last_name', 'first_name', 'birthday', 'postal_code', 'country', 'consent'],
    ],
    [
      ['id', 'EMAIL_ADDRESS', 'Birth Year', 'ＤＯＢＭ'],
      [null, 'email', 'birth_year', 'birth_month'],
    ],
  ])('are proposed by their headings: %j', (headings, columns) => {
    expect(proposeColumns([headings])).toEqual({ has_headings: true, columns })
  })

  it('are proposed by what is in them where no heading says it', () => {
    expect(
      proposeColumns([
        ['1', 'mary@example.com', '0912345678', '1990-01-02'],
        ['2', 'bob@example.com', '0912345679', '1991-01-02'],
      ]),
    ).toEqual({ has_headings: false, columns: [null, 'email', 'phone', null] })
    expect(
      proposeColumns([
        ['contact', 'number'],
        ['mary@example.com', '090-1234-5678'],
      ]),
    ).toEqual({ has_headings: true, columns: ['email', 'phone'] })
  })

  it('have a role once', () => {
    expect(
      proposeColumns([
        ['email', 'e-mail'],
        ['a@example.com', 'b@example.com'],
      ]).columns,
    ).toEqual(['email', null])
  })

  it('of a list of addresses alone are one, without headings', () => {
    expect(proposeColumns([['mary@example.com'], ['bob@example.com']])).toEqual({
      has_headings: false,
      columns: ['email'],
    })
    expect(proposeColumns([])).toEqual({ has_headings: false, columns: [] })
  })

  it('are sent in every form that a platform needs, in the order of the contract', () => {
    expect(formsOf(['consent', 'phone', null, 'email', 'birthday'])).toEqual([
      'email',
      'email_google',
      'phone',
      'phone_e164',
      'birth_year',
      'birth_month',
      'birth_day',
    ])
  })
})
