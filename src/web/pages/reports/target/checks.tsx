import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { parseStartCell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Target } from './data.ts'
import styles from './target.module.css'
import { checkNames, checksOf } from './target-state.ts'
import type { TargetCheck } from './use-target-check.ts'

/** Each check of the target and its outcome. */
export function Checks({
  target,
  targetCheck: { check, state },
}: {
  target: Target
  targetCheck: TargetCheck
}) {
  const { t } = useTranslation('target')
  const checks = checksOf(state, {
    sheet_name: target.sheet_name,
    cell_is_set: typeof parseStartCell(target.start_cell) !== 'string',
  })
  return (
    <ul className={styles.checks} aria-live="polite" aria-busy={check.isFetching}>
      {checkNames.map(name => {
        const Glyph = icons[checks[name]]
        return (
          <li key={name} data-state={checks[name]}>
            <Glyph size={18} stroke={1.7} aria-hidden />
            {t(`checks.${name}`)}
            <small>{checks[name] === 'bad' ? t(`checks.wrong.${name}`) : t(`checks.${checks[name]}`)}</small>
          </li>
        )
      })}
    </ul>
  )
}

const icons = { ok: IconCircleCheck, bad: IconCircleX, open: IconCircleDashed }
