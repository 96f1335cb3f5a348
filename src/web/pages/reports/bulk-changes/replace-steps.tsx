import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ReportResult } from '#shared/api/bulk-operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import styles from './bulk-changes.module.css'
import { useReplace } from './data.ts'
import { OutcomeEnd } from './outcome-end.tsx'
import { OutcomeList } from './outcome-list.tsx'
import { ReplaceFields, type Replacing } from './replace-fields.tsx'
import { Steps } from './steps.tsx'

const NOTHING: Replacing = { from: null, from_channel: null, to: null, to_channel: null, scope: 'mine' }

/** Replaces one account by another: choose, preview, apply. */
export function ReplaceSteps({ reports }: { reports: readonly number[] }) {
  const { t } = useTranslation('bulk_changes')
  const [replacement, setReplacement] = useState(NOTHING)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [tried, setTried] = useState(false)
  const check = useReplace()
  const replace = useReplace()
  const found = check.data
  const at = replace.data ? 2 : found ? 1 : 0
  const of_selection = reports.length > 0 && { reports: reports.map(id => ({ id })) }

  function showPreview() {
    setTried(true)
    const { from, to, scope } = replacement
    if (from === null || to === null) return
    check.mutate(
      { from, to, scope, ...of_selection, dry_run: true },
      { onSuccess: ({ results }) => setChosen(new Set(idsOf(results))) },
    )
  }

  function act(results: readonly ReportResult[]) {
    const { from, to, scope } = replacement
    if (from === null || to === null) return
    const lookedAt = results
      .filter(({ id }) => chosen.has(id))
      .map(({ id, version }) => ({ id, ...(version !== null && { version }) }))
    replace.mutate({ from, to, scope, reports: lookedAt })
  }

  function restart() {
    check.reset()
    replace.reset()
    setTried(false)
    setReplacement(NOTHING)
  }

  return (
    <Steps label={t('replace.title')} names={[t('step.choose'), t('step.check'), t('step.done')]} at={at}>
      {replace.data ? (
        <>
          <OutcomeEnd
            operation={replace.data.deed}
            done={t('replace.done', { count: idsOf(replace.data.results).length })}
            undone={count => t('replace.undone', { count })}
          />
          <Refused results={replace.data.results} />
          <div className={styles.buttons}>
            <Button variant="default" onClick={restart}>
              {t('again')}
            </Button>
          </div>
        </>
      ) : found ? (
        <>
          {idsOf(found.results).length === 0 && <p className={styles.hint}>{t('replace.none')}</p>}
          <OutcomeList
            title={t('replace.will', { count: idsOf(found.results).length })}
            results={found.results.filter(({ status }) => status === 'ok')}
            choice={{ chosen, onChange: setChosen }}
          />
          <Refused results={found.results} />
          {found.left_out > 0 && <p className={styles.hint}>{t('left_out', { count: found.left_out })}</p>}
          {replace.error && <Problem code={replace.error.code} />}
          <div className={styles.buttons}>
            <Button variant="default" disabled={replace.isPending} onClick={() => check.reset()}>
              {t('back')}
            </Button>
            <Button
              loading={replace.isPending}
              disabled={chosen.size === 0}
              onClick={() => act(found.results)}
            >
              {t('replace.act', { count: chosen.size })}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className={styles.hint}>
            {reports.length > 0 ? t('replace.of_selection', { count: reports.length }) : t('replace.hint')}
          </p>
          <ReplaceFields replacement={replacement} onChange={setReplacement} />
          {tried && (replacement.from === null || replacement.to === null) && (
            <p className={styles.hint} role="alert">
              <ProblemText code="field_required" />
            </p>
          )}
          {check.error && <Problem code={check.error.code} />}
          <div className={styles.buttons}>
            <Button loading={check.isPending} onClick={showPreview}>
              {t('next')}
            </Button>
          </div>
        </>
      )}
    </Steps>
  )
}

function Refused({ results }: { results: readonly ReportResult[] }) {
  const { t } = useTranslation('bulk_changes')
  const refused = results.filter(({ status }) => status === 'refused')
  return <OutcomeList title={t('cannot', { count: refused.length })} results={refused} />
}

const idsOf = (results: readonly ReportResult[]) =>
  results.filter(({ status }) => status === 'ok').map(({ id }) => id)
