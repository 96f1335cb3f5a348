import { BATCH_ROWS, memberColumns } from '#shared/audiences.ts'
import { UploadMembers, UploadMembersReply } from '#shared/api/audiences.ts'
import { IdPath } from '#shared/api/list.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { memberKey } from './member-keys.ts'
import { takeBatch } from './upload.ts'

const MIB = 1024 * 1024

export const membersRoute = route('POST', '/api/lta/:id/members/', {
  summary:
    'Upload hashed people to a customer file, batch by batch: up to 10,000 rows and 100,000 hashes. The upload acts as a whole with its `last` batch; the same batch again changes nothing.',
  level: 'external_user',
  kind: 'upload',
  transaction: 'own',
  largest_json: { bytes: 8 * MIB, values: BATCH_ROWS * (memberColumns.length + 1) + 100 },
  params: IdPath,
  body: UploadMembers,
  reply: UploadMembersReply,
  async run({ params: { id }, body, user, db, now, effects: { vault } }) {
    const key = await memberKey(db, vault)
    const taken = await inTransaction(db, trx =>
      takeBatch(trx, body, { audience: id, user, now, vault, key }),
    )
    // What it has stored so far is dropped, which a refusal within the transaction would have undone.
    if ('refused' in taken) throw refuse(taken.refused)
    return taken
  },
})
