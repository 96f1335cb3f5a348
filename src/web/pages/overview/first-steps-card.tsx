import { Button, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { FirstStep, FirstSteps } from '#shared/api/overview.ts'
import { client } from '#web/client/client.ts'
import { LinkText } from '#web/client/links.tsx'
import { useMe } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'
import { loadInnerTexts } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { lazy } from '#web/visit/lazy.ts'
import styles from './overview.module.css'

const steps = ['report', 'spreadsheet', 'run', 'schedule', 'share'] as const satisfies readonly FirstStep[]

/**
 * The way to a first report that updates itself; gone once it is walked, or when the person hides it in this
 * browser.
 */
export function FirstStepsCard() {
  const { t } = useTranslation('overview_later')
  const { user_id: person } = useMe()
  const [isClosed, setClosed] = useState(() => closedBy().includes(String(person)))
  const [sharing, setSharing] = useState<number | null>(null)
  const { data } = useQuery<FirstSteps, Problem>({
    queryKey: ['reports', 'first-steps'],
    queryFn: ({ signal }) => client.get('/api/overview/first-steps/', { signal }),
    enabled: !isClosed,
  })
  // The last step does not close its own dialog.
  const isWalked = data?.done.length === steps.length && sharing === null
  if (isClosed || !data || isWalked) return null
  const close = () => {
    localStorage.setItem(CLOSED, [...closedBy(), person].join(' '))
    setClosed(true)
  }
  return (
    <div className={styles.wide}>
      <Card
        title={t('steps.title', { done: data.done.length, count: steps.length })}
        actions={
          <Button size="compact-xs" variant="subtle" color="gray" onClick={close}>
            {t('steps.close')}
          </Button>
        }
      >
        <ol className={styles.steps}>
          {steps.map(step => (
            <Step
              key={step}
              step={step}
              isDone={data.done.includes(step)}
              report={data.report}
              onShare={() => setSharing(data.report)}
            />
          ))}
        </ol>
      </Card>
      {sharing !== null && (
        <Suspense>
          <ShareReport id={sharing} onClose={() => setSharing(null)} />
        </Suspense>
      )}
    </div>
  )
}

const CLOSED = 'sheetcast.first_steps_closed'
/** The people who have hidden it in this browser. */
const closedBy = () => (localStorage.getItem(CLOSED) ?? '').split(' ').filter(Boolean)

interface StepProps {
  step: FirstStep
  isDone: boolean
  /** The one to go on with; null: there is none yet. */
  report: number | null
  onShare: () => void
}

/** What is done is ticked; what is not leads to where it is done. */
function Step({ step, isDone, report, onShare }: StepProps) {
  const { t } = useTranslation('overview_later')
  const Glyph = isDone ? IconCircleCheck : IconCircle
  const text = t(`steps.${step}`)
  return (
    <li data-done={isDone || undefined}>
      <Glyph size={18} stroke={1.7} role="img" aria-label={t(isDone ? 'steps.done' : 'steps.open')} />
      {isDone ? (
        text
      ) : report === null || step === 'report' ? (
        <LinkText to="/gs-template/new">{text}</LinkText>
      ) : step === 'spreadsheet' ? (
        <LinkText to="/gs-template/setting" search={{ id: report }}>
          {text}
        </LinkText>
      ) : step === 'share' ? (
        // Done right here: the editor does not share.
        <UnstyledButton aria-haspopup="dialog" onClick={onShare}>
          {text}
        </UnstyledButton>
      ) : (
        <LinkText to="/gs-template/template" search={{ id: report }} hash={step === 'schedule' ? step : ''}>
          {text}
        </LinkText>
      )}
    </li>
  )
}

const ShareReport = lazy(async () => {
  const [{ ShareReport: drawn }] = await Promise.all([import('./share-report.tsx'), loadInnerTexts()])
  return { default: drawn }
})
