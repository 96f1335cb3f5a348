import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { textOf } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi, type Client, type PersonFacts } from '#server/http/testing/api.ts'
import { testService } from '#server/sheets/testing/service.ts'
import { spreadsheetEffects } from './effects.ts'
import { found, urlOf } from './testing/permission.ts'

const service = await testService()
const api = await testApi({ effects: { spreadsheets: spreadsheetEffects(service.seeking()) } })

beforeEach(() => {
  api.clock.now = new Date('2026-11-20T03:00:00Z')
})

const check = (who: Client, id: string, more: Record<string, string> = {}) =>
  who.get(`/api/ad/gs_permission_check/?${new URLSearchParams({ spreadsheet_url: urlOf(id), ...more })}`)
const resultFor = async (who: Client, id: string, more: Record<string, string> = {}) =>
  found(await check(who, id, more)).result

type Person = Awaited<ReturnType<typeof person>>
/** A person with a confirmed address by default, of these advertisers. */
async function person(
  identity: IdentityName = 'external_user',
  { advertisers = [], ...facts }: PersonFacts & { advertisers?: number[] } = {},
) {
  const email = `${randomUUID()}@people.demo`
  const signed = await api.signedIn(identity, { email, email_confirmed: true, ...facts })
  await join(signed.user.id, ...advertisers)
  return { ...signed, email, files: service.person(email) }
}
async function join(user_id: number, ...advertisers: number[]) {
  for (const advertiser of advertisers)
    await api.db.insertInto('advertiser_member').values({ advertiser, user_id }).execute()
}
const advertiser = () => api.advertiser(`Client ${randomUUID().slice(0, 8)}`)
/** A client alone at an advertiser of their own. */
async function client(facts: PersonFacts = {}) {
  const id = await advertiser()
  return { ...(await person('external_user', { advertisers: [id], ...facts })), advertiser: id }
}

/** A file of this person that the system user and the others may write. */
async function fileOf(owner: Pick<Person, 'files'>, ...writers: { email: string }[]) {
  const id = await owner.files.create()
  await owner.files.share(id, service.system_user)
  for (const { email } of writers) await owner.files.share(id, email)
  return id
}

const bindingOf = (id: string) =>
  api.db
    .selectFrom('spreadsheet_binding')
    .selectAll()
    .where('spreadsheet_id', '=', id)
    .executeTakeFirstOrThrow()
const trailOf = (id: string) =>
  api.db
    .selectFrom('audit')
    .select(['actor', 'action', 'detail'])
    .where('object_id', '=', id)
    .orderBy('id')
    .execute()
const noticesOf = async ({ user }: Client) =>
  await api.db
    .selectFrom('notification')
    .select(['kind', 'detail'])
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()
const close = (who: Client) =>
  api.db.updateTable('users').set({ is_active: 0 }).where('id', '=', who.user.id).execute()

describe('a freelancer of two clients', () => {
  it('proves a client’s file for that client, whatever they request', async () => {
    const b = await client()
    const a = await advertiser()
    const freelancer = await person('external_user', { advertisers: [a, b.advertiser] })
    const id = await fileOf(b, freelancer)
    expectRefusal(await check(freelancer, id, { advertiser: String(a) }), 404, 'not_found')
    expect(await resultFor(freelancer, id)).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({ advertiser: b.advertiser, role: 'owner' })
  })

  it('has to choose the client, where the file is their own', async () => {
    const [one, two] = [await advertiser(), await advertiser()]
    const freelancer = await person('external_user', { advertisers: [one, two] })
    const id = await fileOf(freelancer)
    const response = found(await check(freelancer, id))
    expect(response).toMatchObject({ result: 'proof_required' })
    expect(response).not.toHaveProperty('code')
    expect(response.advertisers?.map(item => item.id).toSorted()).toEqual([one, two].toSorted())
    const refused = await check(freelancer, id, { advertiser: String(await advertiser()) })
    expectRefusal(refused, 404, 'not_found')
    expect(textOf(refused)).toBe(textOf(await check(freelancer, id, { advertiser: '999999999' })))
    expect(await resultFor(freelancer, id, { advertiser: String(two) })).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({ advertiser: two, role: 'owner' })
    expect(await resultFor(freelancer, id)).toBe('ok')
  })

  it('has to choose the client after a code, too, and not before it is in the cell', async () => {
    const [one, two] = [await advertiser(), await advertiser()]
    const freelancer = await person('external_user', { advertisers: [one, two], email_confirmed: false })
    const id = await fileOf(freelancer)
    const { code, advertisers } = found(await check(freelancer, id))
    expect(advertisers).toBe(undefined)
    await freelancer.files.put(id, "'T'!B2", [[code]])
    expect(found(await check(freelancer, id)).advertisers).toHaveLength(2)
    expect(await resultFor(freelancer, id, { advertiser: String(one) })).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({ advertiser: one, role: 'writer', proof: 'code' })
  })

  it('loses a file of an unknown owner as soon as its owner proves it', async () => {
    const [mine, b] = [await client(), await client({ email_confirmed: false })]
    const id = await fileOf(b, mine)
    expect(await resultFor(mine, id)).toBe('ok')
    const { id: report } = await mine.report({ spreadsheet_url: urlOf(id), sheet_name: 'T' })
    expect(await resultFor(b, id)).toBe('not_shared')
    await api.db.updateTable('users').set({ email_confirmed: true }).where('id', '=', b.user.id).execute()
    expect(await resultFor(b, id)).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({
      advertiser: b.advertiser,
      proven_by: b.user.id,
      role: 'owner',
    })
    expect(await resultFor(mine, id)).toBe('not_shared')
    expect(await noticesOf(mine)).toMatchObject([
      { kind: 'spreadsheet_taken_over', detail: { spreadsheet: 'Weekly' } },
    ])
    expect(await noticesOf(b)).toMatchObject([
      { kind: 'spreadsheet_gained', detail: { spreadsheet: 'Weekly' } },
    ])
    expect(await trailOf(id)).toMatchObject([
      {
        actor: mine.user.id,
        action: 'spreadsheet.bind',
        detail: { from: null, to: { advertiser: mine.advertiser } },
      },
      {
        actor: b.user.id,
        action: 'spreadsheet.take_over',
        detail: {
          from: { advertiser: mine.advertiser, proven_by: mine.user.id },
          to: { advertiser: b.advertiser, proven_by: b.user.id, role: 'owner' },
        },
      },
    ])
    expect(report).toBeGreaterThan(0)
  })
})

describe('an owner’s valid proof', () => {
  it('is replaced by no writer, by no code and by no second owner', async () => {
    const [owner, writer, organiser] = [await client(), await client(), await client()]
    const id = await fileOf(owner, writer)
    expect(await resultFor(owner, id)).toBe('ok')
    for (const who of [writer, organiser]) expect(await resultFor(who, id)).toBe('not_shared')
    expect(found(await check(writer, id))).not.toHaveProperty('code')
    expect(await bindingOf(id)).toMatchObject({ advertiser: owner.advertiser })
  })

  it('moves with the file: its present owner gets it', async () => {
    const [owner, next] = [await client(), await client()]
    const id = await fileOf(owner, next)
    await check(owner, id)
    await owner.files.ask(
      'PATCH',
      `/drive/v3/files/${id}/permissions/${await permissionOf(owner, id, next.email)}?transferOwnership=true`,
      { role: 'owner' },
    )
    expect(await resultFor(next, id)).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({ advertiser: next.advertiser, role: 'owner' })
  })

  it('can be released by a superuser alone, and those who write there are notified', async () => {
    const [owner, colleague, outsider] = [await client(), await person(), await client()]
    await join(colleague.user.id, owner.advertiser)
    const id = await fileOf(owner)
    await check(owner, id)
    await colleague.report({ spreadsheet_url: urlOf(id), sheet_name: 'T' })
    await outsider.report({ spreadsheet_url: urlOf(id), sheet_name: 'T' })
    const path = `/api/ad/gs_binding/?spreadsheet_url=${encodeURIComponent(urlOf(id))}`
    expectRefusal(await owner.delete(path), 403, 'forbidden')
    const superuser = await api.signedIn('superuser')
    expect((await superuser.delete(path)).status).toBe(204)
    const notice = [{ kind: 'spreadsheet_released', detail: { spreadsheet: 'Weekly' } }]
    expect(await noticesOf(owner)).toMatchObject(notice)
    expect(await noticesOf(colleague)).toMatchObject(notice)
    expect(await noticesOf(outsider)).toEqual([])
    expect((await trailOf(id)).at(-1)).toMatchObject({
      actor: superuser.user.id,
      action: 'spreadsheet.release',
      detail: { from: { advertiser: owner.advertiser, proven_by: owner.user.id }, to: null },
    })
  })
})

const Shares = (response: unknown) =>
  (response as { permissions: { id: string; emailAddress: string }[] }).permissions
const permissionOf = async (owner: Pick<Person, 'files'>, id: string, email: string) =>
  Shares(
    await owner.files.ask('GET', `/drive/v3/files/${id}/permissions?fields=permissions(id,emailAddress)`),
  ).find(share => share.emailAddress === email)?.id ?? ''

describe('the agency’s own people', () => {
  it('prove a client’s file for that client, where they serve it, and lock nobody out', async () => {
    const b = await client()
    const [staff, other] = [await person('staff'), await person('staff')]
    await join(staff.user.id, b.advertiser)
    const id = await fileOf(b, staff, other)
    expect(await resultFor(other, id)).toBe('not_shared')
    expect(await resultFor(staff, id)).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({ advertiser: b.advertiser, role: 'owner', department: null })
    expect(await resultFor(b, id)).toBe('ok')
    expect(await resultFor(other, id)).toBe('not_shared')
  })

  it('who do not serve the client that owns the file get the same response as for a missing one', async () => {
    const b = await client()
    const staff = await person('staff')
    const id = await fileOf(b, staff)
    expect(textOf(await check(staff, id))).toBe(textOf(await check(staff, 'x'.repeat(44))))
    expect(
      await api.db.selectFrom('spreadsheet_binding').selectAll().where('spreadsheet_id', '=', id).execute(),
    ).toEqual([])
  })

  it('prove their own for themselves and their department, never for the agency', async () => {
    const staff = await person('staff', { department: 3 })
    const id = await fileOf(staff)
    expect(await resultFor(staff, id)).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({ advertiser: null, department: 3, role: 'owner' })
    expect(await resultFor(await person('staff', { department: 3 }), id)).toBe('ok')
    for (const identity of ['staff', 'manager', 'director', 'superuser'] as const)
      expect(await resultFor(await person(identity, { department: 4 }), id), identity).toBe('not_shared')
    expect(await resultFor(await client(), id)).toBe('not_shared')
  })

  it('keep it for themselves alone without a department, and never as a client’s people', async () => {
    const staff = await person('staff')
    const id = await fileOf(staff)
    expect(await resultFor(staff, id)).toBe('ok')
    expect(await resultFor(await person('staff'), id)).toBe('not_shared')
    await api.db
      .updateTable('users')
      .set({ identity: 'external_user' })
      .where('id', '=', staff.user.id)
      .execute()
    await join(staff.user.id, await advertiser())
    // Proven anew, for their advertiser: the agency's own right has ended.
    expect(await resultFor(staff, id)).toBe('ok')
    expect((await bindingOf(id)).advertiser).not.toBe(null)
  })
})

describe('a right that has ended', () => {
  it('makes the removed person type a code again, and others may prove it', async () => {
    const [writer, owner, third] = [await client(), await client({ email_confirmed: false }), await client()]
    const id = await fileOf(owner, writer, third)
    expect(await resultFor(writer, id)).toBe('ok')
    await owner.files.unshare(id, writer.email)
    const again = found(await check(writer, id))
    expect(again).toMatchObject({ result: 'proof_required', code: expect.any(String) })
    expect((await bindingOf(id)).lapsed_at).not.toBe(null)
    expect(await resultFor(third, id)).toBe('ok')
    expect(await noticesOf(writer)).toMatchObject([{ kind: 'spreadsheet_passed_on' }])
    expect(await resultFor(writer, id)).toBe('not_shared')
  })

  it('is none as long as one of the client’s people controls the file, who then is its prover', async () => {
    const [first, owner] = [await client(), await client({ email_confirmed: false })]
    const second = await person('external_user', { advertisers: [first.advertiser] })
    const id = await fileOf(owner, first, second)
    await check(first, id)
    await close(first)
    expect(await resultFor(second, id)).toBe('ok')
    expect(await bindingOf(id)).toMatchObject({ proven_by: second.user.id, lapsed_at: null })
    await owner.files.unshare(id, second.email)
    expect(await resultFor(second, id)).toBe('proof_required')
  })

  it('is not prolonged by unconfirmed addresses, nor by closed accounts', async () => {
    const [prover, owner] = [await client(), await client({ email_confirmed: false })]
    const colleague = await person('external_user', {
      advertisers: [prover.advertiser],
      email_confirmed: false,
    })
    const id = await fileOf(owner, prover, colleague)
    await check(prover, id)
    await close(prover)
    expect(await resultFor(colleague, id)).toBe('proof_required')
  })

  it('by a code is valid until one of those who could write then is removed', async () => {
    const [prover, owner] = [
      await client({ email_confirmed: false }),
      await client({ email_confirmed: false }),
    ]
    const id = await fileOf(owner, prover)
    const { code } = found(await check(prover, id))
    await prover.files.put(id, "'T'!A9", [[code]])
    expect(await resultFor(prover, id)).toBe('ok')
    await prover.files.put(id, "'T'!A9", [['']])
    await owner.files.share(id, 'somebody-else@people.demo')
    expect(await resultFor(prover, id)).toBe('ok')
    await owner.files.unshare(id, 'somebody-else@people.demo')
    expect(await resultFor(prover, id)).toBe('ok')
    // As an editor, the list does not show that this was the prover.
    await owner.files.share(id, prover.email, 'reader')
    const again = found(await check(prover, id))
    expect(again).toMatchObject({ result: 'proof_required' })
    expect(again.code).not.toBe(code)
  })

  it('by a code ends with its prover’s account, and after 90 days where the list is not visible', async () => {
    const [prover, owner] = [
      await client({ email_confirmed: false }),
      await client({ email_confirmed: false }),
    ]
    const colleague = await person('external_user', { advertisers: [prover.advertiser] })
    const id = await fileOf(owner, prover)
    const { code } = found(await check(prover, id))
    await prover.files.put(id, "'T'!A9", [[code]])
    await check(prover, id)
    await prover.files.put(id, "'T'!A9", [['']])
    await api.db
      .updateTable('spreadsheet_binding')
      .set({ permissions: null })
      .where('spreadsheet_id', '=', id)
      .execute()
    expect(await resultFor(colleague, id)).toBe('ok')
    api.clock.now = new Date(api.clock.now.getTime() + 91 * 24 * 3_600_000)
    const [late] = [await person('external_user', { advertisers: [prover.advertiser] })]
    expect(await resultFor(late, id)).toBe('proof_required')
    api.clock.now = new Date('2026-11-20T03:00:00Z')
    expect(await resultFor(colleague, id)).toBe('ok')
    await close(prover)
    expect(await resultFor(colleague, id)).toBe('proof_required')
  })

  it('never counts as ended while the service does not respond', async () => {
    const owner = await client()
    const id = await fileOf(owner)
    await check(owner, id)
    const before = await bindingOf(id)
    service.control.setFaults([{ platform: 'drive', path: `${id}/permissions`, action: '503', count: 2 }])
    expect(await resultFor(owner, id)).toBe('unreachable')
    expect(await bindingOf(id)).toEqual(before)
    expect(await resultFor(owner, id)).toBe('ok')
  })

  it('has ended for the content at a target as well', async () => {
    const [writer, owner] = [await client(), await client({ email_confirmed: false })]
    const id = await fileOf(owner, writer)
    await check(writer, id)
    const target = () =>
      writer.get(`/api/ad/gs_place/?${new URLSearchParams({ spreadsheet_url: urlOf(id), sheet_name: 'T' })}`)
    expect((await target()).status).toBe(200)
    await owner.files.unshare(id, writer.email)
    api.clock.now = new Date(api.clock.now.getTime() + 3_600_001)
    const late = { ...writer, ...(await signedInAgain(writer)) }
    const response = await late.get(
      `/api/ad/gs_place/?${new URLSearchParams({ spreadsheet_url: urlOf(id), sheet_name: 'T' })}`,
    )
    expectRefusal(response, 400, 'proof_required')
  })
})

/** A token of this time, for the same person. */
async function signedInAgain({ claims }: Client) {
  return api.bearing(await api.effects.tokens.signAccess(claims, api.clock.now))
}

describe('many concurrent proofs of a file', () => {
  it('leave it with its owner, whoever is first', async () => {
    for (let round = 0; round < 3; round++) {
      const owner = await client()
      const writers = await Promise.all(Array.from({ length: 4 }, () => client()))
      const id = await fileOf(owner, ...writers)
      // The product does not know the owner of the file until they prove it.
      const results = await Promise.all([...writers, owner].map(who => resultFor(who, id)))
      expect(results.at(-1)).toBe('ok')
      expect(await bindingOf(id)).toMatchObject({ advertiser: owner.advertiser, role: 'owner' })
      for (const who of writers) expect(await resultFor(who, id)).toBe('not_shared')
    }
  })

  it('leave it with one of them, where none owns it', async () => {
    const outsider = service.person('nobody-of-ours@people.demo')
    const writers = await Promise.all(Array.from({ length: 6 }, () => client()))
    const id = await fileOf({ files: outsider }, ...writers)
    const results = await Promise.all(writers.map(who => resultFor(who, id)))
    expect(results.toSorted()).toEqual([...Array.from({ length: 5 }, () => 'not_shared'), 'ok'])
    expect((await trailOf(id)).map(each => each.action)).toEqual(['spreadsheet.bind'])
  })
})

describe('the requests of a check to the service', () => {
  it('are the same for another person’s file and for one that does not exist', async () => {
    const [owner, outsider] = [await client(), await client()]
    const theirs = await fileOf(owner, outsider)
    await check(owner, theirs)
    const unknown = randomUUID().replaceAll('-', '').padEnd(44, 'x')
    const responseTo = async (id: string) => {
      service.takeRequests()
      const response = await check(outsider, id, { sheet_name: 'T' })
      return [
        textOf(response),
        service
          .takeRequests()
          .map(request => request.replaceAll(id, 'ID'))
          .toSorted(),
      ]
    }
    expect(await responseTo(theirs)).toEqual(await responseTo(unknown))
    expect((await responseTo(unknown))[1]).toHaveLength(2)
  })
})
