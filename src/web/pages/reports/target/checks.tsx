import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { parseStartCell } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { usePermissionCheck, type Target } from './data.ts'
import styles from './target.module.css'
import { checkNames, checksOf, targetState } from './target-state.ts'

/** Each check of the place and its outcome. */
export function Checks({ target }: { target: Target }) {
  const { t } = useTranslation('target')
  const check = usePermissionCheck(target)
  const checks = checksOf(targetState(target.spreadsheet_url, check), {
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
            <small>{t(`checks.${checks[name]}`)}</small>
          </li>
        )
      })}
    </ul>
  )
}

const icons = { ok: IconCircleCheck, bad: IconCircleX, open: IconCircleDashed }
