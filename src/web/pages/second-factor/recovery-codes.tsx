import { Button, Group, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { saveFile } from '#web/client/download.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import styles from './second-factor.module.css'

const FILE = 'sheetcast-recovery-codes.txt'

interface RecoveryCodesProps {
  username: string
  codes: readonly string[]
  onDone: () => void
}

/** Shown only this once: to be copied or saved as a file. */
export function RecoveryCodes({ username, codes, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation('second_factor')
  const heading = useRef<HTMLHeadingElement>(null)
  // The element that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  const head = t('codes_file_head', { name: username, site: location.origin })
  const save = () => saveFile(FILE, new Blob([[head, '', ...codes, ''].join('\n')], { type: 'text/plain' }))
  return (
    <Stack gap="md">
      <h2 className={styles.heading} ref={heading} tabIndex={-1}>
        {t('codes_title')}
      </h2>
      <p className={styles.hint}>{t('codes_detail')}</p>
      <ol className={styles.codes}>
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Group gap="xs">
        <CopyButton text={codes.join('\n')} label={t('codes_copy')} />
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
          {t('codes_download')}
        </Button>
      </Group>
      <div>
        <Button onClick={onDone}>{t('codes_done')}</Button>
      </div>
    </Stack>
  )
}
