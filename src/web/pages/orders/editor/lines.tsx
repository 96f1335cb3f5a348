import { Button } from '@mantine/core'
import { IconClipboardText, IconListDetails, IconPlus } from '@tabler/icons-react'
import { useState, type ClipboardEvent } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { QuotationSums } from '#shared/billing/quotation.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import type { Draft } from './draft.ts'
import type { Faults } from './faults.ts'
import { LineRow } from './line-row.tsx'
import styles from './lines.module.css'
import { PasteDialog } from './paste-dialog.tsx'
import type { AgreedFee } from './sums.ts'
import type { ChangeLine } from './use-draft.ts'
import { MOST_LINES, useLines, type ChangeLines } from './use-lines.ts'

interface LinesProps {
  draft: Draft
  sums: QuotationSums
  agreed: AgreedFee
  accounts: readonly AdAccount[]
  faults: Faults
  onChangeLine: ChangeLine
  onChangeLines: ChangeLines
}

/** What is offered, line by line. */
export function Lines(props: LinesProps) {
  const { draft, faults, onChangeLines } = props
  const { t } = useTranslation('quotation')
  const [pasted, setPasted] = useState<string | null>(null)
  const { ref, add, actions, onKeyDown, announcement } = useLines(draft.lines, onChangeLines)
  const isFull = draft.lines.length >= MOST_LINES

  /** Several cells are read together; one is text for the field that has the focus. */
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain')
    if (!text.includes('\t')) return
    event.preventDefault()
    setPasted(text)
  }

  const buttons = (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconClipboardText size={15} stroke={1.7} aria-hidden />}
        disabled={isFull}
        onClick={() => setPasted('')}
      >
        {t('lines.paste')}
      </Button>
      <Button
        size="xs"
        variant="light"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={isFull}
        onClick={() => add()}
      >
        {t('lines.add')}
      </Button>
    </>
  )
  return (
    <Card
      title={t('lines.title')}
      padding="flush"
      actions={<span className={styles.actions}>{buttons}</span>}
    >
      {draft.lines.length === 0 ? (
        <EmptyState icon={IconListDetails} title={t('lines.empty')} detail={t('lines.empty_detail')} />
      ) : (
        // Keys and pasting work wherever the focus is in it.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <div ref={ref} className={styles.lines} onKeyDown={onKeyDown} onPaste={paste}>
          <Head />
          <Rows {...props} actions={actions} />
        </div>
      )}
      <div className={styles.foot}>
        {faults.head.lines !== undefined && (
          <span className={styles.fault} role="alert">
            <ProblemText code={faults.head.lines} />
          </span>
        )}
        {draft.lines.length > 2 && <span className={styles.actions}>{buttons}</span>}
        {isFull && <span className={styles.keys}>{t('lines.most', { count: MOST_LINES })}</span>}
        {draft.lines.length > 0 && <p className={styles.keys}>{t('lines.keys')}</p>}
        <output className={styles.said}>{announcement}</output>
      </div>
      {pasted !== null && (
        <PasteDialog
          initial={pasted}
          currency={draft.currency}
          room={MOST_LINES - draft.lines.length}
          onAdd={lines => {
            onChangeLines(before => [...before, ...lines])
            setPasted(null)
          }}
          onClose={() => setPasted(null)}
        />
      )}
    </Card>
  )
}

function Rows({
  draft: { lines, currency },
  sums,
  agreed,
  accounts,
  faults,
  onChangeLine,
  actions,
}: LinesProps & Pick<ReturnType<typeof useLines>, 'actions'>) {
  return lines.map((line, index) => {
    const { rate, basis } = agreed(line)
    return (
      <LineRow
        key={line.key}
        line={line}
        number={index + 1}
        currency={currency}
        budget={sums.lines[index]?.budget ?? 0n}
        fee={sums.lines[index]?.fee ?? 0n}
        agreedRate={rate}
        agreedBasis={basis}
        accounts={accounts}
        faults={faults.lines.get(line.key)}
        onChange={onChangeLine}
        actions={actions}
      />
    )
  })
}

/** The columns' names, where there is room for columns. */
function Head() {
  const { t } = useTranslation('quotation')
  return (
    <div className={styles.head} aria-hidden>
      <span />
      <span>{t('field.kind')}</span>
      <span>{t('field.title')}</span>
      <span>{t('field.start')}</span>
      <span>{t('field.end')}</span>
      <span>{t('field.pricing')}</span>
      <span data-align="end">{t('field.quantity')}</span>
      <span data-align="end">{t('field.unit_price')}</span>
      <span data-align="end">{t('field.budget')}</span>
    </div>
  )
}
