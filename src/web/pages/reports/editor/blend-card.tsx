import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { formulaUnits } from '#shared/formula-units.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormulaField, insertInto } from '#web/ui/formula-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { blendFault } from './blend-fault.ts'
import { blendInWords, type BlendOperand } from './blend-operands.ts'
import styles from './blends.module.css'
import type { Draft } from './draft.ts'
import type { FieldErrors } from './use-field-errors.ts'

type Blend = Draft['blends'][number]

interface BlendCardProps {
  index: number
  /** How many there are. */
  count: number
  blend: Blend
  operands: readonly BlendOperand[]
  errors: FieldErrors
  onChange: (changed: Partial<Blend>) => void
  onMove: (to: number) => void
  onRemove: () => void
}

/** One column over several channels. */
export function BlendCard(props: BlendCardProps) {
  const { index, blend, errors, onChange } = props
  const { t } = useTranslation('editing')
  return (
    <fieldset className={styles.blend} aria-label={t('blend.title', { number: index + 1 })}>
      <div className={styles.head}>
        <TextField
          label={t('blend.name')}
          value={blend.name}
          onChange={name => onChange({ name })}
          error={errors.at(`blends.${index}.name`)}
          maxLength={60}
          required
        />
        <Buttons {...props} />
      </div>
      <Formula {...props} />
      <div className={styles.pair}>
        <SelectField
          label={t('blend.unit')}
          value={blend.unit}
          options={formulaUnits.map(unit => ({ value: unit, label: t(`blend.unit_${unit}`) }))}
          onChange={unit => onChange({ unit })}
        />
        <SelectField
          label={t('blend.decimals')}
          value={String(blend.decimals)}
          options={decimals.map(count => ({ value: String(count), label: t('blend.digits', { count }) }))}
          onChange={count => onChange({ decimals: Number(count) })}
        />
      </div>
    </fieldset>
  )
}

/** What a formula looks like, in every language. */
const EXAMPLE = 'all.conversion_value / all.cost'

const decimals = [0, 1, 2, 3, 4, 5, 6]

/** Its text, and what can be written into it. */
function Formula({ index, blend: { formula }, operands, errors, onChange }: BlendCardProps) {
  const { t } = useTranslation('editing')
  const field = useRef<HTMLTextAreaElement>(null)
  const path = `blends.${index}.formula`
  const found = errors.found(path)
  const fault = found ? blendFault(formula, found, t) : null
  const nameOf = ({ channel, metric }: BlendOperand) =>
    t('blend.operand', { channel: channel ?? t('blend.all'), metric })
  const words = found ? null : blendInWords(formula, operands, nameOf)
  const set = (text: string) => onChange({ formula: text })
  return (
    <div>
      <FormulaField
        label={t('blend.formula')}
        value={formula}
        onChange={set}
        fault={fault}
        error={fault?.why ?? errors.at(path)}
        placeholder={EXAMPLE}
        field={field}
      />
      {words !== null && <p className={styles.words}>{words}</p>}
      {operands.length > 0 && (
        <div className={styles.operands} role="group" aria-label={t('blend.operands')}>
          {operands.map(operand => (
            <button
              key={operand.id}
              type="button"
              title={operand.id}
              onClick={() => insertInto(field.current, operand.id, { value: formula, onChange: set })}
            >
              {nameOf(operand)}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function Buttons({ index, count, onMove, onRemove }: BlendCardProps) {
  const { t } = useTranslation('editing')
  const number = index + 1
  const icon = { size: 17, stroke: 1.6 }
  return (
    <span className={styles.actions}>
      {count > 1 && (
        <>
          <ActionIcon
            aria-label={t('blend.up', { number })}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          >
            <IconArrowUp {...icon} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('blend.down', { number })}
            disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          >
            <IconArrowDown {...icon} />
          </ActionIcon>
        </>
      )}
      <ActionIcon aria-label={t('blend.remove', { number })} onClick={onRemove}>
        <IconTrash {...icon} />
      </ActionIcon>
    </span>
  )
}
