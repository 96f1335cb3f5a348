import { Button } from '@mantine/core'
import type { CloneOutcome } from '#shared/api/bulk-operations.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './bulk-changes.module.css'
import { OutcomeEnd } from './outcome-end.tsx'
import { OutcomeList } from './outcome-list.tsx'

/** The copies, and what they still need. */
export function CloneOutcomeStep({ outcome, onAgain }: { outcome: CloneOutcome; onAgain: () => void }) {
  const { t } = useTranslation('bulk_changes')
  const made = outcome.results.filter(result => result.made !== null)
  const refused = outcome.results.filter(({ status }) => status === 'refused')
  return (
    <>
      <OutcomeEnd
        operation={outcome.deed}
        done={t('clone.done', { count: made.length })}
        undone={count => t('clone.undone', { count })}
      />
      {made.length > 0 && (
        <section className={styles.outcome}>
          <h3>{t('clone.made')}</h3>
          <p className={styles.hint}>{t('clone.made_hint')}</p>
          <div className={styles.scroll} role="region" aria-label={t('clone.made')}>
            <ul>
              {made.map(({ id, made: copy_id, copy }) => (
                <li key={id}>
                  <LinkText to="/gs-template/setting" search={{ id: copy_id ?? id }}>
                    {copy?.name}
                  </LinkText>
                </li>
              ))}
            </ul>
          </div>
        </section>
      )}
      <OutcomeList title={t('cannot', { count: refused.length })} results={refused} />
      <div className={styles.buttons}>
        <Button variant="default" onClick={onAgain}>
          {t('again')}
        </Button>
      </div>
    </>
  )
}
