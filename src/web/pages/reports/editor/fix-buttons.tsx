import { Button } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'
import { fixName, type Fix } from './fixes.ts'
import type { Editing } from './use-editor.ts'

/** Below an error: the changes that end it, a click each. */
export function FixButtons({ paths, editing }: { paths: readonly string[]; editing: Editing }) {
  const { t, language } = useTranslation('editing')
  const fixes = editing.errors.fixes(...paths)
  if (fixes.length === 0) return null
  const nameOf = (fix: Fix) => t(`fix.${fix.kind}`, { name: fixName(fix, language) })
  return (
    <div className={styles.fixes}>
      {fixes.map(fix => (
        <Button
          key={JSON.stringify(fix)}
          variant="default"
          size="compact-sm"
          leftSection={<IconTool size={14} stroke={1.7} />}
          onClick={() => editing.apply(fix)}
        >
          {nameOf(fix)}
        </Button>
      ))}
    </div>
  )
}
