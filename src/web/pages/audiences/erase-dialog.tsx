import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { EraseMembers, EraseReply, Erasure } from '#shared/api/audiences.ts'
import { client } from '#web/client/client.ts'
import { asProblem, type Problem } from '#web/client/problem.ts'
import { useReload } from '#web/client/use-reload.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fieldProblem, GeneralProblem } from '#web/pages/rows/field-problem.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { AdvertiserField } from './advertiser-field.tsx'
import styles from './audiences.module.css'
import { CountryField } from './country-field.tsx'
import { ErasureOutcome } from './erasure-outcome.tsx'
import { useHasher } from './hashing/use-hasher.ts'
import { PATH } from './list-query.ts'

interface EraseDialogProps {
  /** The one that the list is filtered by, or the only one that there is: perhaps not known yet. */
  advertiser: number | null
  onClose: () => void
}

/** Erases one person everywhere: hashed here, and what came of it at each account. */
export function EraseDialog({ advertiser: initial, onClose }: EraseDialogProps) {
  const { t } = useTranslation('audiences')
  const [chosen, setAdvertiser] = useState<number | null>(null)
  const advertiser = chosen ?? initial
  const [person, setPerson] = useState('')
  const [country, setCountry] = useState('TW')
  const [isConfirmed, setIsConfirmed] = useState(false)
  const [isUnknown, setIsUnknown] = useState(false)
  const { hasher } = useHasher()
  const erase = useErase()
  const erasure = useErasure(erase.data?.erasure ?? null)
  async function submit() {
    if (advertiser === null) return
    const hashed = await hasher()
      .identify(person, country)
      .catch(() => null)
    setIsUnknown(hashed === null)
    if (hashed === null) return
    erase.mutate(
      { advertiser, columns: hashed.columns, rows: [hashed.row] },
      { onSuccess: () => setPerson('') },
    )
  }
  const again = () => {
    erase.reset()
    setIsConfirmed(false)
  }
  return (
    <FormDialog
      opened
      size={560}
      title={t('erasing.title')}
      submit={t(erase.data ? 'erasing.another' : 'erasing.submit')}
      close={t('upload.close')}
      loading={erase.isPending}
      disabled={!erase.data && (!isConfirmed || advertiser === null || person.trim() === '')}
      problem={<GeneralProblem problem={erase.error} />}
      onSubmit={() => (erase.data ? again() : void submit())}
      onClose={onClose}
    >
      {erase.data ? (
        <ErasureOutcome erasure={erasure.data} problem={erasure.error} />
      ) : (
        <>
          <p className={styles.text}>{t('erasing.detail')}</p>
          <InlineAlert severity="info">{t('erasing.counsel')}</InlineAlert>
          <AdvertiserField
            label={t('field.advertiser')}
            required
            value={advertiser}
            onChange={setAdvertiser}
            error={fieldProblem(erase.error, 'advertiser')}
          />
          <TextField
            label={t('erasing.person')}
            hint={t('erasing.person_hint')}
            required
            autoComplete="off"
            maxLength={300}
            value={person}
            onChange={text => {
              setPerson(text)
              setIsUnknown(false)
            }}
            error={isUnknown && t('erasing.invalid')}
          />
          <CountryField label={t('upload.country')} value={country} onChange={setCountry} />
          <CheckboxField label={t('erasing.confirm')} checked={isConfirmed} onChange={setIsConfirmed} />
        </>
      )}
    </FormDialog>
  )
}

function useErase() {
  const reload = useReload('audiences')
  return useMutation<z.infer<typeof EraseReply>, Problem, z.input<typeof EraseMembers>>({
    mutationFn: body => client.post(`${PATH}erase/`, { body }),
    onSuccess: reload,
  })
}

/** The platforms are asked one after the other; no event says when one has answered. */
const AGAIN_MS = 3000

const useErasure = (id: number | null) =>
  useQuery<Erasure, Problem>({
    queryKey: ['erasures', id],
    queryFn: ({ signal }) => client.get(`${PATH}erase/${id}/`, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.finished_at || (state.error && asProblem(state.error).status === 404) ? false : AGAIN_MS,
  })
