import { expect, describe, it } from 'vitest'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { REPORTS } from './testing/requests.ts'

const api = await testApi()

/** Rows of cells; what this list writes has no line breaks within a cell. */
const rowsIn = (text: unknown) =>
  String(text)
    .replace('\u{feff}', '')
    .trimEnd()
    .split('\r\n')
    .map(line =>
      line
        .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
        .map(cell => cell.replaceAll(/^"|"$/g, '').replaceAll('""', '"')),
    )

describe('the list of reports as CSV', () => {
  it('is the whole list, filtered and ordered, beyond any page', async () => {
    const owner = await api.signedIn('staff')
    const folder = await owner.folder({ name: 'Clients' })
    const inner = await owner.folder({ name: 'Acme', parent: folder.id })
    for (let n = 0; n < 12; n += 1)
      await owner.report({ name: `Weekly ${String(n).padStart(2, '0')}`, folder: inner.id })
    await owner.report({ name: 'Other' })
    const response = await owner.get(`${REPORTS}?format=csv&search=weekly&ordering=name&limit=10&offset=0`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Reports.csv")
    const [header, ...rows] = rowsIn(response.body)
    expect(header).toContain('Last run (Asia/Taipei)')
    expect(rows.map(([, name, path]) => [name, path])).toEqual(
      Array.from({ length: 12 }, (_, n) => [`Weekly ${String(n).padStart(2, '0')}`, 'Clients / Acme']),
    )
    expect(rowsIn((await owner.get(`${REPORTS}?format=csv&folder=0`)).body)).toHaveLength(2)
  })

  it('is refused as any list is when it cannot be read, before the file begins', async () => {
    const superuser = await api.signedIn('superuser')
    for (const [list, name] of [
      [REPORTS, 'search'],
      ['/api/audit/', 'object'],
    ] as const)
      expectRefusal(await superuser.get(`${list}?format=csv&${name}=a%00b`), 400, 'invalid', {
        [name]: ['field_invalid'],
      })
    await api.db.schema.alterTable('report').renameTo('report_away').execute()
    try {
      expectRefusal(await superuser.get(`${REPORTS}?format=csv`), 500, 'internal_error')
    } finally {
      await api.db.schema.alterTable('report_away').renameTo('report').execute()
    }
  })

  it('keeps names that look like formulas, and commas and quotes, as text', async () => {
    const owner = await api.signedIn('staff')
    for (const name of ['=1+1', '+A1', '@sum', '-2', 'a "b", c']) await owner.report({ name })
    const [, ...rows] = rowsIn((await owner.get(`${REPORTS}?format=csv&ordering=id`)).body)
    expect(rows.map(([, name]) => name)).toEqual(["'=1+1", "'+A1", "'@sum", "'-2", 'a "b", c'])
  })

  it('is in the reader’s language, and has why a run failed', async () => {
    const owner = await api.signedIn('staff')
    const { id } = await owner.report({ name: '日報' })
    await api.db
      .insertInto('run')
      .values({
        id: '0190a0a0-0000-7000-8000-000000000001',
        report: id,
        owner: owner.user.id,
        trigger: 'click',
        status: 'error',
        code: 'cell_limit',
        finished_at: new Date('2026-11-20T01:00:00Z'),
      })
      .execute()
    await owner.patch(`/users/${owner.user.id}/`, { language: 'zh-TW' })
    const { body } = await owner.get(`${REPORTS}?format=csv`)
    expect(body).toContain('上次執行（Asia/Taipei）')
    expect(body).toContain('2026-11-20 09:00:00')
    expect(body).toContain('一千萬個儲存格')
    expect(body).toContain('工作表, 試算表權限, 管道')
  })

  it('has nothing of others, and everything only for a superuser', async () => {
    const [owner, outsider] = [await api.signedIn('staff'), await api.signedIn('external_user')]
    await owner.report({ name: 'Canary 4711' })
    expect((await outsider.get(`${REPORTS}?format=csv`)).body).not.toContain('Canary')
    expectRefusal(await outsider.get(`${REPORTS}?format=csv&scope=all`), 403, 'forbidden')
    const superuser = await api.signedIn('superuser')
    expect((await superuser.get(`${REPORTS}?format=csv&scope=all`)).body).toContain('Canary 4711')
    expectRefusal(await owner.get(`${REPORTS}?format=xml`), 400, 'invalid', { format: ['field_invalid'] })
    expectRefusal(await owner.get('/api/department/?format=csv'), 400, 'invalid', {
      format: ['field_unknown'],
    })
  })
})

describe('other lists as CSV', () => {
  it('are the trail, line by line beyond a batch, and the shared logins without their credentials', async () => {
    const superuser = await api.signedIn('superuser')
    await api.db
      .insertInto('audit')
      .values(
        Array.from({ length: 1500 }, (_, n) => ({
          at: new Date(Date.UTC(2026, 0, 1) + (n % 7) * 1000),
          actor: superuser.user.id,
          action: 'test.many',
          object_id: String(n),
        })),
      )
      .execute()
    for (const ordering of ['id', '-id', 'at', '-at']) {
      const { body } = await superuser.get(`/api/audit/?format=csv&action=test.many&ordering=${ordering}`)
      const [, ...rows] = rowsIn(body)
      expect(new Set(rows.map(cells => cells[5])).size, ordering).toBe(1500)
      expect(rows).toHaveLength(1500)
    }
    await superuser.post('/api/public-account/', {
      platform: 'meta',
      name: 'Agency',
      login: { access_token: 'secret-4711' },
    })
    const { body } = await superuser.get('/api/public-account/?format=csv')
    expect(body).toContain('Agency')
    expect(body).not.toContain('secret-4711')
  })
})
