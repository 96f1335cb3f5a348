import { Button, Group, Modal } from '@mantine/core'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './conflict-dialog.module.css'
import { differences, draftOf, type Draft } from './draft.ts'
import { useFieldText } from './field-text.ts'
import type { Editor } from './use-editor.ts'

/** Somebody else has saved in the meantime: keep mine, take theirs, or look at the difference first. */
export function ConflictDialog({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const ui = useTranslation('ui')
  const [shown, setShown] = useState(false)
  const { theirs, keepMine, takeTheirs, close } = editor.conflict
  if (theirs === null) return null
  return (
    <Modal
      opened
      onClose={close}
      title={t('conflict.title')}
      centered
      size={shown ? 720 : 480}
      closeButtonProps={{ 'aria-label': ui.t('close') }}
    >
      <p className={styles.detail}>{t('conflict.detail')}</p>
      {shown && <Difference mine={editor.draft} theirs={theirs} />}
      <Group justify="flex-end" gap="xs" mt="lg">
        {!shown && (
          <Button variant="subtle" onClick={() => setShown(true)}>
            {t('conflict.show')}
          </Button>
        )}
        <Button variant="default" onClick={takeTheirs}>
          {t('conflict.take_theirs')}
        </Button>
        <Button loading={editor.is_saving} onClick={() => void keepMine()}>
          {t('conflict.keep_mine')}
        </Button>
      </Group>
    </Modal>
  )
}

function Difference({ mine, theirs }: { mine: Draft; theirs: Report }) {
  const { t } = useTranslation('editor')
  const textOf = useFieldText()
  const other = draftOf(theirs)
  const fields = differences(mine, other)
  if (fields.length === 0) return <p className={styles.detail}>{t('conflict.no_difference')}</p>
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('conflict.field')}</th>
            <th scope="col">{t('conflict.mine')}</th>
            <th scope="col">{t('conflict.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(field => (
            <tr key={field}>
              <th scope="row">{t(`field.${field}`)}</th>
              <td>{textOf(mine, field)}</td>
              <td>{textOf(other, field)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
