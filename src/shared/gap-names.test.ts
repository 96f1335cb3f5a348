import { expect, it } from 'vitest'
import { gapText } from './gap-names.ts'

it('says what is not set, and of a shared spreadsheet that only control of it is to be proven', () => {
  const gaps = ['page_not_set' as const, 'permission_not_set' as const]
  const report = { gaps, target_state: null }
  expect(gapText(report, 'en')).toBe('Cannot run. Not set: tab, access to the spreadsheet.')
  expect(gapText(report, 'zh-TW')).toBe('無法執行。未設定：工作表、試算表權限。')
  expect(gapText({ gaps, target_state: 'proof_required' }, 'en')).toBe(
    'Cannot run. Not set: tab, control of the spreadsheet.',
  )
})
