import { Button, Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { IconHistoryToggle } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Anchor, LazyOverlay } from '#web/ui/lazy-overlay.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useExecutions } from './data.ts'
import styles from './executions-menu.module.css'

interface ExecutionsMenuProps {
  /** The execution whose panel is open. */
  openId: string | undefined
  onShow: (id: string) => void
}

/** The last executions: each can be opened again, also after its panel was closed. */
export function ExecutionsMenu({ openId, onShow }: ExecutionsMenuProps) {
  const { t } = useTranslation('actions')
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        ref={button}
        id={id}
        variant="default"
        leftSection={<IconHistoryToggle size={16} stroke={1.6} />}
        aria-haspopup="dialog"
        aria-expanded={opened}
        {...(opened && { 'aria-controls': `${id}-dropdown` })}
        onClick={() => setOpened(!opened)}
      >
        {t('executions.open')}
      </Button>
      <LazyOverlay opened={opened} opener={button} onEscape={() => setOpened(false)}>
        {isOpened => (
          <Popover
            id={id}
            opened={isOpened}
            onChange={setOpened}
            position="bottom-end"
            width={340}
            trapFocus
            returnFocus
          >
            <Popover.Target>
              <Anchor of={button} />
            </Popover.Target>
            <Popover.Dropdown aria-label={t('executions.title')}>
              {isOpened && (
                <Recent
                  openId={openId}
                  onShow={execution => {
                    setOpened(false)
                    onShow(execution)
                  }}
                />
              )}
            </Popover.Dropdown>
          </Popover>
        )}
      </LazyOverlay>
    </>
  )
}

function Recent({ openId, onShow }: ExecutionsMenuProps) {
  const { t, language } = useTranslation('actions')
  const { t: tUi } = useTranslation('ui')
  const executions = useExecutions(true)
  if (executions.error)
    return (
      <p className={styles.note} role="alert">
        <ProblemText code={executions.error.code} />
      </p>
    )
  if (!executions.data) return <p className={styles.note}>{tUi('loading')}</p>
  if (executions.data.count === 0) return <p className={styles.note}>{t('executions.empty')}</p>
  return (
    <ul className={styles.list}>
      {executions.data.results.map(({ id, created_at, completed, error, pending, ...execution }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.entry}
            aria-current={id === openId || undefined}
            onClick={() => onShow(id)}
          >
            <strong>{namesText({ t, language }, execution)}</strong>
            <small>
              <RelativeTime at={created_at} />
              {execution.total > 0 && ` · ${t('executions.state', { completed, error, pending })}`}
              {execution.skipped > 0 && ` · ${t('executions.skipped', { count: execution.skipped })}`}
            </small>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** "Acme daily, Acme weekly and 3 more" */
function namesText(
  { t, language }: ReturnType<typeof useTranslation<'actions'>>,
  { names, total }: { names: readonly string[]; total: number },
): string {
  if (total === 0) return t('executions.nothing')
  const text = listText(names, language)
  return total > names.length
    ? t('executions.names_more', { names: text, count: total - names.length })
    : text
}
