import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LazyProblem } from '#web/ui/lazy-problem.tsx'
import { Amount } from './amount.tsx'
import { useAccountSpend } from './data.ts'
import styles from './ec-spend.module.css'
import { useLineName } from './line-name.ts'
import { accountLines, type Line } from './lines.ts'
import type { View } from './view.ts'

interface MatrixLineProps {
  line: Line
  depth: 0 | 1 | 2
  view: View
  currency: string
}

const deeper = { 0: 1, 1: 2, 2: 2 } as const

/** A line and, once it is open, what it consists of. */
export function MatrixLine({ line, depth, view, currency }: MatrixLineProps) {
  const { t } = useTranslation('spending')
  const nameOf = useLineName()
  const [isOpen, setIsOpen] = useState(false)
  const hasAccounts = line.kind !== 'account' && line.channel !== null && line.advertiser !== null
  const canOpen = line.parts.length > 0 || hasAccounts
  const name = nameOf(line)
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  const rest = { depth: deeper[depth], view, currency }
  return (
    <>
      <tr data-depth={depth}>
        <th scope="row">
          <span className={styles.name}>
            {canOpen ? (
              <ActionIcon
                size="sm"
                aria-expanded={isOpen}
                aria-label={t(isOpen ? 'matrix.close' : 'matrix.open', { name })}
                onClick={() => setIsOpen(!isOpen)}
              >
                <Icon size={14} stroke={1.8} />
              </ActionIcon>
            ) : (
              <span className={styles.noOpener} />
            )}
            <span title={name}>
              {line.advertiser === null && depth === 0 && line.kind === 'advertiser'
                ? `${name} · ${currency}`
                : name}
            </span>
          </span>
        </th>
        {view.months.map(month => (
          <td key={month} data-align="end">
            <Amount cell={line.cells.get(month)} currency={currency} />
          </td>
        ))}
        <td data-align="end" className={styles.sum}>
          <Amount cell={line.sum} currency={currency} />
        </td>
      </tr>
      {isOpen && line.parts.map(part => <MatrixLine key={part.key} line={part} {...rest} />)}
      {isOpen && line.parts.length === 0 && line.advertiser !== null && (
        <AccountLines line={line} advertiser={line.advertiser} {...rest} />
      )}
    </>
  )
}

function AccountLines({ line, advertiser, ...rest }: MatrixLineProps & { advertiser: number }) {
  const { t } = useTranslation('spending')
  const { view, currency } = rest
  const { data, error, refetch } = useAccountSpend(view, advertiser)
  const span = view.months.length + 2
  if (!data)
    return (
      <tr data-depth={2}>
        <td colSpan={span}>
          {error ? (
            <LazyProblem code={error.code} onRetry={() => void refetch()} />
          ) : (
            <span className={styles.quiet}>{t('matrix.loading')}</span>
          )}
        </td>
      </tr>
    )
  const accounts = accountLines(data.rows, { channel: line.channel, currency, measure: view.measure })
  return accounts.map(account => <MatrixLine key={account.key} line={account} {...rest} />)
}
