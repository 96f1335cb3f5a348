import { expect, it } from 'vitest'
import { testPlan } from '#server/table/testing/table.ts'
import { accountsOfBlock, savedPlan } from './plan-of.ts'

const target = { spreadsheet_id: 'sheet', sheet_id: null, sheet_name: 'Sheet1', start_cell: 'A1' }
const plan = testPlan({ blocks: [{ metrics: ['Clicks', 'CTR', 'Rank'] }, { accounts: [9] }] })
const saved = {
  plan,
  target,
  format_table: false,
  must_not_fail: [1],
  keeps_previous: [0],
  note_timezone: null,
}

it('reads a plan as it was saved', () => {
  expect(savedPlan(JSON.parse(JSON.stringify(saved)))).toEqual(saved)
})

it('reads a plan that an older version saved under other names', () => {
  const { requests, blocks, ...rest } = plan
  const older = {
    ...saved,
    plan: {
      ...rest,
      questions: requests,
      blocks: blocks.map(({ measures, metrics, ...block }) => ({
        ...block,
        parts: measures,
        metrics: metrics.map(metric => {
          if (!('measure' in metric)) return metric
          const { measure, ...others } = metric
          return { ...others, part: measure }
        }),
      })),
    },
  }
  expect(savedPlan(JSON.parse(JSON.stringify(older)))).toEqual(saved)
})

it('reads an old plan without accounts of blocks and values that stay', () => {
  const { keeps_previous: _, ...older } = saved
  const blocks = plan.blocks.map(({ accounts: _accounts, ...block }) => block)
  const read = savedPlan(JSON.parse(JSON.stringify({ ...older, plan: { ...plan, blocks } })))
  expect(read.keeps_previous).toEqual([])
  expect([accountsOfBlock(read.plan, 0), accountsOfBlock(read.plan, 1)]).toEqual([[1], []])
})

it('refuses what is no plan', () => {
  expect(() => savedPlan({ plan: null })).toThrow('Invalid input')
})

it('reads a plan of a version without formatting as one that formats what is new', () => {
  const { format_table: _, ...older } = saved
  expect(savedPlan(JSON.parse(JSON.stringify(older)))).toEqual({ ...saved, format_table: true })
})
