import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { saveFile } from '#web/client/download.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import styles from './qr.module.css'
import { pngOf, qrCodeOf, svgAddress } from './qr-code.ts'

interface QrDialogProps {
  link: string
  /** What the files are called. */
  name: string
  onClose: () => void
}

/** The link for paper and screens that are far away. */
export function QrDialog({ link, name, onClose }: QrDialogProps) {
  const { t } = useTranslation('links')
  const code = useMemo(() => qrCodeOf(link), [link])
  const [hasFailed, setHasFailed] = useState(false)
  const saveSvg = () => saveFile(`${fileName(name)}.svg`, new Blob([code.svg], { type: 'image/svg+xml' }))
  async function savePng() {
    const image = await pngOf(code)
    setHasFailed(image === null)
    if (image) saveFile(`${fileName(name)}.png`, image)
  }
  return (
    <Dialog opened onClose={onClose} title={t('qr.title')} size={420}>
      <div className={styles.content}>
        <img className={styles.code} src={svgAddress(code.svg)} alt={t('qr.alt', { link })} />
        <p className={styles.link}>{link}</p>
        <p className={styles.hint}>{t('qr.print', { size: code.least_mm, modules: code.size })}</p>
        {hasFailed && <InlineAlert severity="error">{t('qr.failed')}</InlineAlert>}
        <Group justify="center" gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
            onClick={saveSvg}
          >
            {t('qr.svg')}
          </Button>
          <Button
            leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
            onClick={() => void savePng()}
            data-autofocus
          >
            {t('qr.png')}
          </Button>
        </Group>
      </div>
    </Dialog>
  )
}

/** Without what file systems refuse. */
const fileName = (name: string) =>
  name
    .replaceAll(/[\\/:*?"<>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim() || 'qr'
