import { Button, Group } from '@mantine/core'
import type { BulkLinksReply } from '#shared/api/links.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import type { CheckedRow } from './bulk-rows.ts'
import styles from './bulk.module.css'

interface CreatedLinksProps {
  outcome: BulkLinksReply
  rows: readonly CheckedRow[]
  onClose: () => void
}

/** They are there: all of them to copy, with those that were there before. */
export function CreatedLinks({ outcome: { create, same }, rows, onClose }: CreatedLinksProps) {
  const { t } = useTranslation('links')
  const { t: tUi } = useTranslation('ui')
  const links = linksOf(rows)
  return (
    <div className={styles.content}>
      <InlineAlert severity="success">
        {t('bulk.created', { count: create })} {same > 0 && t('bulk.same', { count: same })}
      </InlineAlert>
      <TextAreaField
        label={t('bulk.links')}
        value={links.join('\n')}
        onChange={() => {}}
        readOnly
        rows={Math.min(12, links.length + 1)}
        spellCheck={false}
      />
      <Group justify="flex-end" gap="xs">
        <CopyLinks rows={rows} />
        <CopyButton
          text={[[t('field.name'), t('field.link')], ...rows.map(({ name, link }) => [name, link ?? ''])]
            .map(cells => cells.join('\t'))
            .join('\n')}
          label={t('bulk.copy_table')}
        />
        <Button size="xs" onClick={onClose} data-autofocus>
          {tUi('close')}
        </Button>
      </Group>
    </div>
  )
}

/** Each link on a line of its own. */
export function CopyLinks({ rows }: Pick<CreatedLinksProps, 'rows'>) {
  const { t } = useTranslation('links')
  const links = linksOf(rows)
  return <CopyButton text={links.join('\n')} label={t('bulk.copy_all', { count: links.length })} />
}

const linksOf = (rows: readonly CheckedRow[]) => [...new Set(rows.flatMap(({ link }) => link ?? []))]
