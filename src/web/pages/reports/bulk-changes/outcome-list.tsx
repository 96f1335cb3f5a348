import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ReportResult } from '#shared/api/bulk-operations.ts'
import { nameOf } from '#shared/person-name.ts'
import { LinkText } from '#web/client/links.tsx'
import { useIsInternal, useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reasonText } from '#web/pages/reports/editor/reason-text.ts'
import styles from './bulk-changes.module.css'

interface OutcomeListProps<Result extends ReportResult> {
  title: string
  results: readonly Result[]
  /** The selected reports; left out: nothing can be selected. */
  choice?: { chosen: ReadonlySet<number>; onChange: (chosen: ReadonlySet<number>) => void }
  /** The outcome of one report, below its name. */
  detail?: (result: Result) => ReactNode
}

/** Reports with the outcome of each, or why there is none. */
export function OutcomeList<Result extends ReportResult>(props: OutcomeListProps<Result>) {
  const { title, results, choice, detail } = props
  if (results.length === 0) return null
  const toggle = (id: number) => {
    const next = new Set(choice?.chosen)
    if (!next.delete(id)) next.add(id)
    choice?.onChange(next)
  }
  return (
    <section className={styles.outcome}>
      <h3>{title}</h3>
      <div className={styles.scroll} role="region" aria-label={title}>
        <ul>
          {results.map(result => (
            <li key={result.id} data-status={result.status}>
              {choice ? (
                <Checkbox
                  checked={choice.chosen.has(result.id)}
                  onChange={() => toggle(result.id)}
                  label={<Name result={result} />}
                />
              ) : (
                <span className={styles.marked}>
                  {result.status === 'ok' ? (
                    <IconCircleCheck size={16} stroke={1.8} aria-hidden />
                  ) : (
                    <IconCircleX size={16} stroke={1.8} aria-hidden />
                  )}
                  <Name result={result} linked />
                </span>
              )}
              <div className={styles.detail}>
                {result.status === 'refused' ? <Reasons result={result} /> : detail?.(result)}
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Name({ result: { id, name, owner_name }, linked }: { result: ReportResult; linked?: boolean }) {
  const { t } = useTranslation('bulk_changes')
  const me = useMe()
  if (name === '') return <span>{t('gone', { id: String(id) })}</span>
  const isMine = owner_name === nameOf(me)
  return (
    <span>
      {linked ? (
        <LinkText to="/gs-template/template" search={{ id }}>
          {name}
        </LinkText>
      ) : (
        name
      )}
      {!isMine && <small className={styles.owner}> · {owner_name}</small>}
    </span>
  )
}

/** In the reader's words, each reason once. */
function Reasons({ result }: { result: ReportResult }) {
  const { t } = useTranslation('bulk_changes')
  const { t: tEditor, language } = useTranslation('editor')
  const audience = useIsInternal() ? 'internal' : 'external'
  const words = { t: tEditor, language: language, audience } as const
  const { code, problems, owner_name } = result
  const ofProblem = (problem: ReportResult['problems'][number]): string =>
    problem.code === 'field_not_available' && problem.path.endsWith('.accounts')
      ? t('reason.access', { name: owner_name })
      : reasonText(problem, words)
  const own = {
    conflict: 'reason.conflict',
    forbidden: 'reason.forbidden',
    not_found: 'reason.not_found',
  } as const
  const known = code !== null && code in own ? own[code as keyof typeof own] : null
  const texts =
    problems.length > 0
      ? problems.map(ofProblem)
      : [known ? t(known) : reasonText({ code: code ?? '', detail: {} }, words)]
  return [...new Set(texts)].map(text => <p key={text}>{text}</p>)
}
