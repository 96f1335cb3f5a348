import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFolders } from '#web/pages/reports/list/data.ts'
import { CloneCheck } from './clone-check.tsx'
import { CloneChoice } from './clone-choice.tsx'
import { CloneMapping } from './clone-mapping.tsx'
import { CloneOutcomeStep } from './clone-outcome.tsx'
import { bodyOf, draftFor, suggested } from './clone-draft.ts'
import { useClients, useClone } from './data.ts'
import { Steps } from './steps.tsx'

/** Clones a client's reports for another client: choose, map the accounts, preview, apply. */
export function CloneSteps({ reports }: { reports: readonly number[] }) {
  const { t } = useTranslation('bulk_changes')
  const [draft, setDraft] = useState(() => draftFor(reports))
  const [step, setStep] = useState(0)
  const clients = useClients().data ?? []
  const folders = useFolders().data ?? []
  const preview = useClone()
  const check = useClone()
  const clone = useClone()
  const body = bodyOf(draft, reports)

  const clientCalled = (id: number | null) => clients.find(client => client.id === id)?.name ?? ''
  const sourceName =
    draft.source === 'client'
      ? clientCalled(draft.client)
      : draft.source === 'folder'
        ? (folders.find(({ id }) => id === draft.folder)?.name ?? '')
        : ''

  /** The accounts of the reports, before anything is mapped. */
  const chosen = () =>
    body &&
    preview.mutate(
      { ...body, accounts: [], new_folder: null, folder: null, rename: null, dry_run: true },
      {
        onSuccess: outcome => {
          setDraft(suggested(draft, outcome, { from: sourceName, to: clientCalled(draft.advertiser) }))
          setStep(1)
        },
      },
    )
  const mapped = () => body && check.mutate({ ...body, dry_run: true }, { onSuccess: () => setStep(2) })
  const act = () => body && clone.mutate(body, { onSuccess: () => setStep(3) })

  function restart() {
    for (const mutation of [preview, check, clone]) mutation.reset()
    setDraft(draftFor(reports))
    setStep(0)
  }

  return (
    <Steps
      label={t('clone.title')}
      names={[t('step.choose'), t('step.accounts'), t('step.check'), t('step.done')]}
      at={step}
    >
      {step === 0 && (
        <CloneChoice draft={draft} reports={reports} request={preview} onChange={setDraft} onNext={chosen} />
      )}
      {step === 1 && preview.data && (
        <CloneMapping
          draft={draft}
          outcome={preview.data}
          request={check}
          onChange={setDraft}
          onBack={() => setStep(0)}
          onNext={mapped}
        />
      )}
      {step === 2 && check.data && (
        <CloneCheck
          draft={draft}
          outcome={check.data}
          request={clone}
          onChange={setDraft}
          onBack={() => setStep(1)}
          onNext={act}
        />
      )}
      {step === 3 && clone.data && <CloneOutcomeStep outcome={clone.data} onAgain={restart} />}
    </Steps>
  )
}
