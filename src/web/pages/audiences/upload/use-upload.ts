import { useState } from 'react'
import type { Audience } from '#shared/api/audiences.ts'
import type { MemberColumn } from '#shared/audiences.ts'
import { saveFile } from '#web/client/download.ts'
import { useMe } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { FileFormat } from '#web/pages/audiences/hashing/file-format.ts'
import { HashingProblem } from '#web/pages/audiences/hashing/messages.ts'
import { useHasher } from '#web/pages/audiences/hashing/use-hasher.ts'
import { beginUpload } from './running.ts'
import { EMPTY_UPLOAD, readingOf, withPreview, type UploadDraft } from './upload-draft.ts'

/** An upload while somebody prepares it, and what can be done with its file. */
export function useUpload(audience: Audience) {
  const { t, language } = useTranslation('audiences')
  const { user_id } = useMe()
  const reload = useReload('audiences')
  const { hasher, handOver } = useHasher()
  const [draft, setDraft] = useState<UploadDraft>(() => ({ ...EMPTY_UPLOAD, basis: audience.basis ?? '' }))
  const change = (changed: Partial<UploadDraft>) => setDraft(current => ({ ...current, ...changed }))
  const fail = (error: unknown) =>
    change({ failure: error instanceof HashingProblem ? error.failure : 'failed' })

  async function choose(file: File | null, format?: FileFormat) {
    setDraft(current => ({ ...current, file, preview: null, counted: null, failure: null }))
    if (!file) return
    try {
      const preview = await hasher().open(file, format)
      setDraft(current => (current.file === file ? withPreview(current, preview) : current))
    } catch (error) {
      fail(error)
    }
  }

  async function count() {
    const reading = readingOf(draft)
    if (!reading) return
    change({ step: 'hash', read: 0, counted: null, failure: null })
    try {
      const counted = await hasher().count(reading, read => change({ read }))
      change({ counted })
    } catch (error) {
      fail(error)
    }
  }

  /** Saves what is made of the file on this computer. */
  async function save(what: 'rejects' | MemberColumn) {
    const reading = readingOf(draft)
    if (!reading) return
    try {
      if (what === 'rejects') saveFile(nameOf('rejected.csv'), await hasher().rejects(reading, words()))
      else saveFile(nameOf('hashes.txt'), await hasher().lines(reading, what))
    } catch (error) {
      fail(error)
    }
  }
  const nameOf = (ending: string) => `${draft.file?.name.replace(/\.\w+$/, '') ?? ''}-${ending}`
  const words = () => ({
    no_consent: t('upload.reject.no_consent'),
    no_identifier: t('upload.reject.no_identifier'),
    bad_email: t('upload.reject.bad_email'),
    bad_phone: t('upload.reject.bad_phone'),
  })

  function send() {
    const reading = readingOf(draft)
    if (!reading || !draft.counted) return
    const total = draft.counted.counts.valid
    const { id, name } = audience
    beginUpload({
      audience: id,
      name,
      user: user_id,
      total,
      hasher: handOver(),
      reading,
      envelope: { session: crypto.randomUUID(), action: draft.action, basis: draft.basis.trim() },
      accounts: draft.accounts,
      onDone: () => {
        void reload()
        const message = t('upload.done', { count: total.toLocaleString(language), name })
        showToast({ severity: 'success', message })
      },
    })
    change({ step: 'send' })
  }

  return { draft, change, choose, count, save, send }
}

export type Upload = ReturnType<typeof useUpload>
