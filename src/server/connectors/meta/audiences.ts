import type { AudienceConnector } from '#server/connectors/audience.ts'
import { checkAccess } from './audience-access.ts'
import { createLookalike, createVisitors, listPixels } from './audience-kinds.ts'
import { eraseMembers, removeAudience, shareAudience, unshareAudience } from './audience-changes.ts'
import { pollAudience } from './audience-status.ts'
import { beginUpload, MEMBER_COLUMNS, sendBatch } from './audience-uploads.ts'
import { MetaLogin } from './schema.ts'

/** Custom audiences of Meta: one of all identifiers, uploaded in sessions, shared inside a business. */
export const metaAudiences: AudienceConnector<MetaLogin> = {
  login: MetaLogin,
  hosts: ['meta'],
  parts: [{ part: 'all', columns: MEMBER_COLUMNS }],
  batch_chunks: 1,
  targets_at_once: 1,
  removes_members: true,
  open: io => ({
    check: account => checkAccess(account, io),
    begin: (target, upload) => beginUpload(target, upload, io),
    send: (targets, batch) => Promise.all(targets.map(target => sendBatch(target, batch, io))),
    // The last batch says that it is the last: nothing else ends a session.
    finish: async ({ external_id, progress }) => ({ external_id, progress }),
    poll: target => pollAudience(target, io),
    remove: target => removeAudience(target, io),
    share: (home, recipients) => shareAudience(home, recipients, io),
    unshare: (home, recipient) => unshareAudience(home, recipient, io),
    erase: (account, rows) => eraseMembers(account, rows, io),
    createVisitors: (target, visitors) => createVisitors(target, visitors, io),
    createLookalike: (target, lookalike) => createLookalike(target, lookalike, io),
    listPixels: account => listPixels(account, io),
  }),
}
