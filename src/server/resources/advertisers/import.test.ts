import { describe, expect, it } from 'vitest'
import { ImportReply } from '#shared/api/customers.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const staff = await api.signedIn('staff')
const finance = await api.signedIn('staff', { department: 7 })
const client = await api.signedIn('external_user')

type Noun = 'advertiser' | 'agent' | 'industry'

function send(who: Client, noun: Noun, content: string | Uint8Array<ArrayBuffer>, dry_run = false) {
  const form = new FormData()
  form.set('file', new File([content], 'customers.csv', { type: 'text/csv' }))
  return who.post(`/api/${noun}/import/${dry_run ? '?dry_run=true' : ''}`, form)
}
const outcome = ({ body }: ApiResponse) => ImportReply.parse(body)
const problems = (response: ApiResponse) => {
  expectRefusal(response, 400, 'invalid', { file: ['field_invalid'] })
  return outcome(response).problems
}
const exported = async (who: Client, noun: Noun, query = '') =>
  String((await who.get(`/api/${noun}/?format=csv${query}`)).body)
const count = async (noun: Noun) => Object((await boss.get(`/api/${noun}/`)).body).count
const named = async (noun: Noun, name: string) =>
  Object((await boss.get(`/api/${noun}/?search=${encodeURIComponent(name)}`)).body).results[0]

const whole = {
  name: '=HYPERLINK("x"),名稱',
  legal_name: '台灣積體電路製造股份有限公司',
  tax_id: '04595252',
  website: 'https://acme.example',
  address: '新竹市; -1',
  contacts: [
    { name: 'Lin, A.', title: '', phone: '+886 2', email: 'lin@acme.example', is_billing: true },
    { name: 'Chen', title: '-CFO', phone: '', email: '', is_billing: false },
  ],
  document_language: 'en',
  billing_currency: 'TWD',
  tax: 'zero_rated',
  media_billing: 'advance',
  payment_terms: { kind: 'month_end', days: 60 },
  note: 'Two\nlines, "quoted"',
}

describe.each(['advertiser', 'agent', 'industry'] as const)('an import of each %s', noun => {
  it('takes back what was exported, in either language, as the same', async () => {
    const facts = { ...whole, name: `${whole.name} ${noun}` }
    const { name, tax_id, address, contacts, payment_terms, note } = facts
    const bodies = {
      advertiser: { ...facts, members: [client.user.id] },
      agent: { name, tax_id, address, contacts, payment_terms, note, commission_rate: 1205 },
      industry: { name: '-Odd', name_zh: '＝奇' },
    }
    expect((await boss.post(`/api/${noun}/`, bodies[noun])).status).toBe(201)
    const total = await count(noun)
    for (const language of ['en', 'zh-TW']) {
      await boss.patch(`/api/users/${boss.user.id}/`, { language })
      const file = await exported(boss, noun)
      expect(outcome(await send(boss, noun, file))).toEqual({
        create: 0,
        change: 0,
        same: total,
        problems: [],
      })
      for (const line of file.split('\r\n').slice(1)) expect(line).not.toMatch(/^["]?[=+\-@＝]/)
    }
    await boss.patch(`/api/users/${boss.user.id}/`, { language: 'en' })
  })

  it('is for the agency’s people, and of a CSV file', async () => {
    expectRefusal(await send(client, noun, 'name\nx'), 403, 'forbidden')
    const refused = async (content: string | Uint8Array<ArrayBuffer>) => {
      const { body } = await send(staff, noun, content)
      return Object(body).codes
    }
    expect(await refused('name\n"never ends')).toEqual({ file: ['file_unreadable'] })
    expect(await refused(new Uint8Array([0xff, 0xfe, 0x00]))).toEqual({ file: ['file_unreadable'] })
    expect(await refused(`name\n${'x\n'.repeat(5001)}`)).toEqual({ file: ['field_too_many'] })
    expect(await refused(`name\n${'x'.repeat(1024 * 1024)}`)).toEqual({ file: ['file_too_large'] })
    expect(problems(await send(staff, noun, 'nombre,name,name\nx,y,z'))).toEqual([
      { row: 1, field: 'nombre', code: 'field_unknown' },
      { row: 1, field: 'name', code: 'field_invalid' },
    ])
    expect(problems(await send(staff, noun, 'note\nx'))).toContainEqual({
      row: 1,
      field: 'name',
      code: 'field_required',
    })
  })

  it('only says what it would do when asked to, and writes nothing with a problem', async () => {
    const rows = noun === 'industry' ? ['Dry,乾', 'Dry two,乾二'] : ['Dry', 'Dry two']
    const header = noun === 'industry' ? 'name,name_zh' : 'name'
    const before = await count(noun)
    const file = [header, ...rows].join('\n')
    const counts = { create: 2, change: 0, same: 0, problems: [] }
    expect(outcome(await send(staff, noun, file, true))).toEqual(counts)
    const twice = [header, ...rows, rows[0]].join('\n')
    const [problem] = outcome(await send(staff, noun, twice, true)).problems
    expect(problem).toEqual({ row: 4, field: 'name', code: 'name_taken' })
    expect(problems(await send(staff, noun, twice))[0]).toEqual(problem)
    expect(await count(noun)).toBe(before)
    expect(outcome(await send(staff, noun, file))).toEqual(counts)
    expect(await count(noun)).toBe(before + 2)
    expect(outcome(await send(staff, noun, file))).toEqual({ create: 0, change: 0, same: 2, problems: [] })
  })
})

describe('an import of advertisers', () => {
  it('creates with industry, agent and members by name, and changes only what is in the file', async () => {
    await boss.post('/api/agent/', { name: 'Import agent' })
    const newcomer = await api.signedIn('external_user')
    const created = [
      'Name;Industry;Agent;Members;Tax ID;Payment terms;Active',
      `Imported;旅遊;IMPORT AGENT;${newcomer.user.username};4595252;月結 45 天;no`,
    ]
    // A table that was copied from a spreadsheet program.
    const file = created.join('\n').replaceAll(';', '\t')
    expect(outcome(await send(staff, 'advertiser', file))).toMatchObject({ create: 1 })
    const row = await named('advertiser', 'Imported')
    const industry = await named('industry', 'Travel')
    expect(row).toMatchObject({
      industry: industry.id,
      agent: (await named('agent', 'Import agent')).id,
      tax_id: '04595252',
      payment_terms: { kind: 'month_end', days: 45 },
      is_active: false,
      tax: 'tw_vat',
    })
    expect(row.members.toSorted()).toEqual([newcomer.user.id, staff.user.id].toSorted())
    const change = 'name,industry,note,tax\nImported,,By import,'
    expect(outcome(await send(staff, 'advertiser', change))).toMatchObject({ create: 0, change: 1, same: 0 })
    expect(await named('advertiser', 'Imported')).toMatchObject({
      version: row.version + 1,
      industry: null,
      note: 'By import',
      tax: 'tw_vat',
      tax_id: '04595252',
    })
  })

  it('reads Big5, in which Excel writes in Taiwan', async () => {
    const big5 = new Uint8Array([...Buffer.from('name,note\nBig5,'), 0xa4, 0xa4, 0xa4, 0xe5])
    expect(outcome(await send(staff, 'advertiser', big5))).toMatchObject({ create: 1 })
    expect(await named('advertiser', 'Big5')).toMatchObject({ note: '中文' })
  })

  it('names each problem by row and field', async () => {
    const rows = [
      'name,tax_id,tax_country,industry,agent,members,payment_terms,website,contacts',
      'P1,12345678,,,,,,,',
      'P2,T1234567890123,JP,,,,,,',
      'P3,,,Nothing,Nobody,nobody,,,',
      'P4,,,,,,soon,ftp://x,Chen | | | no-mail | yes',
      ',,,,,,,,x',
    ]
    const found = problems(await send(staff, 'advertiser', rows.join('\n')))
    expect(found.map(({ row, field, code }) => `${row} ${field} ${code}`)).toEqual([
      '2 tax_id tax_id_checksum',
      '3 tax_id tax_id_checksum',
      '4 industry field_not_available',
      '4 agent field_not_available',
      '4 members field_not_available',
      '5 website field_invalid',
      '5 contacts.0.email field_invalid',
      '5 payment_terms field_invalid',
      '6 name field_required',
    ])
  })

  it('changes nobody else’s, and lets finance change all but members', async () => {
    const name = 'Of another'
    const { id } = Object((await staff.post('/api/advertiser/', { name })).body)
    const other = await api.signedIn('staff')
    const file = `name,note\n${name},Taken over`
    expect(problems(await send(other, 'advertiser', file))).toEqual([
      { row: 2, field: 'name', code: 'name_taken' },
    ])
    expect(outcome(await send(finance, 'advertiser', file))).toMatchObject({ change: 1 })
    const joining = `name,members\n${name},${finance.user.username}`
    expect(problems(await send(finance, 'advertiser', joining))).toEqual([
      { row: 2, field: 'members', code: 'field_not_available' },
    ])
    const table = await exported(finance, 'advertiser', '&search=Of%20another')
    expect(table).toContain(staff.user.username)
    expect(outcome(await send(finance, 'advertiser', table))).toMatchObject({ same: 1 })
    expect(Object((await boss.get(`/api/advertiser/${id}/`)).body).members).toEqual([staff.user.id])
  })

  it('takes no client of other advertisers as a member', async () => {
    const theirs = await api.signedIn('external_user')
    await api.advertiser('Their own', [theirs.user.id])
    const file = `name,members\nGrabbing,${theirs.user.username}`
    expect(problems(await send(staff, 'advertiser', file))).toEqual([
      { row: 2, field: 'members', code: 'field_not_available' },
    ])
  })
})

describe('an import of industries', () => {
  it('needs both names, and takes none that another has', async () => {
    const file = 'name,name_zh\nOnly English,\nNew travel,旅遊\nBeauty,旅遊\nFirst,一樣\nSecond,一樣'
    const found = problems(await send(staff, 'industry', file))
    expect(found.map(({ row, field, code }) => `${row} ${field} ${code}`)).toEqual([
      '2 name_zh field_required',
      '3 name_zh name_taken',
      '4 name_zh name_taken',
      '6 name_zh name_taken',
    ])
  })
})

describe('an import of agents', () => {
  it('reads a commission as a percentage', async () => {
    const file = 'name,commission_rate,commission_base\nPercent,12.5 %,media\nWhole,10,\nWrong,1.234,'
    expect(problems(await send(staff, 'agent', file))).toEqual([
      { row: 4, field: 'commission_rate', code: 'field_invalid' },
    ])
    await send(staff, 'agent', file.split('\n').slice(0, 3).join('\n'))
    expect(await named('agent', 'Percent')).toMatchObject({ commission_rate: 1250, commission_base: 'media' })
    expect(await named('agent', 'Whole')).toMatchObject({ commission_rate: 1000, commission_base: 'fee' })
  })
})
