import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { instantText } from '#web/ui/times.ts'
import styles from './conflict-dialog.module.css'
import { differences, merged, preferred, type ConflictPart, type Difference, type Side } from './conflict.ts'
import { useKnown } from './data.ts'
import { draftOf, type Draft } from './draft.ts'
import { useFieldText } from './field-text.ts'
import type { Editor } from './use-editor.ts'
import { Dialog } from '#web/ui/dialog.tsx'

interface ConflictDialogProps {
  editor: Editor
  /** Saves the merged draft. */
  onKeep: (chosen: Draft) => void
}

/** Somebody else has saved in the meantime: keep mine, use theirs, or choose field by field. */
export function ConflictDialog({ editor, onKeep }: ConflictDialogProps) {
  const { t, language } = useTranslation('editing')
  const [chosen, setChosen] = useState<Partial<Record<ConflictPart, Side>>>({})
  const { theirs, takeTheirs, close } = editor.conflict
  if (theirs === null) return null
  const mine = editor.draft
  const other = draftOf(theirs.report)
  const rows = differences({ base: editor.saved ?? other, mine, theirs: other })
  const sideOf = (row: Difference) => chosen[row.part] ?? preferred(row)
  const at = instantText(theirs.report.last_modified_at, language)
  return (
    <Dialog opened onClose={close} title={t('conflict.title')} size={760}>
      <p className={styles.detail}>
        {theirs.changed_by === null
          ? t('conflict.detail_unknown', { at })
          : t('conflict.detail', { name: theirs.changed_by, at })}
      </p>
      {rows.length === 0 ? (
        <p className={styles.detail}>{t('conflict.no_difference')}</p>
      ) : (
        <Differences
          rows={rows}
          sideOf={sideOf}
          mine={mine}
          theirs={other}
          onChoose={(part, side) => setChosen({ ...chosen, [part]: side })}
        />
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={takeTheirs}>
          {t('conflict.take_theirs')}
        </Button>
        <Button variant="default" loading={editor.is_saving} onClick={() => onKeep(mine)}>
          {t('conflict.keep_mine')}
        </Button>
        <Button
          loading={editor.is_saving}
          onClick={() =>
            onKeep(merged(mine, other, Object.fromEntries(rows.map(row => [row.part, sideOf(row)]))))
          }
        >
          {t('conflict.save_chosen')}
        </Button>
      </Group>
    </Dialog>
  )
}

interface DifferencesProps {
  rows: readonly Difference[]
  sideOf: (row: Difference) => Side
  mine: Draft
  theirs: Draft
  onChoose: (part: ConflictPart, side: Side) => void
}

/**
 * A row a field, each with a choice; where only one has changed something, that change is chosen at first.
 */
function Differences({ rows, sideOf, mine, theirs, onChoose }: DifferencesProps) {
  const { t } = useTranslation('editor')
  const { t: tEditing } = useTranslation('editing')
  const textOf = useFieldText(useKnown([...mine.channels, ...theirs.channels]))
  const sides = { mine, theirs }
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{tEditing('conflict.field')}</th>
            <th scope="col">{tEditing('conflict.mine')}</th>
            <th scope="col">{tEditing('conflict.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.part}>
              <th scope="row">
                {t(`field.${row.part}`)}
                <small>{tEditing(`conflict.changed_${row.changed_by}`)}</small>
              </th>
              {(['mine', 'theirs'] as const).map(side => (
                <td key={side} data-chosen={sideOf(row) === side || undefined}>
                  <Choice
                    part={row.part}
                    side={side}
                    text={textOf(sides[side], row.part)}
                    checked={sideOf(row) === side}
                    onChoose={onChoose}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ChoiceProps {
  part: ConflictPart
  side: Side
  text: string
  checked: boolean
  onChoose: (part: ConflictPart, side: Side) => void
}

function Choice({ part, side, text, checked, onChoose }: ChoiceProps) {
  const { t } = useTranslation('editing')
  return (
    <label className={styles.choice}>
      <input type="radio" name={part} checked={checked} onChange={() => onChoose(part, side)} />
      <span>
        <span className={styles.hidden}>{t(`conflict.${side}`)}: </span>
        {text}
      </span>
    </label>
  )
}
