import { expect, it } from 'vitest'
import { sheetsClient } from './client.ts'
import { freely } from './testing/sandbox.ts'
import { testService } from './testing/service.ts'
import { tableOf } from './testing/table.ts'
import { writeTable, type WriteJob } from './write.ts'

const USERS = ['a@first.iam.gserviceaccount.com', 'b@second.iam.gserviceaccount.com']
const service = await testService({ system_users: USERS })
const [first, second] = USERS.map(address =>
  sheetsClient({ ...service.settings, key: service.control.serviceAccountKey(address) }),
)

const table = (rows: number) =>
  tableOf({ titles: ['Campaign'], rows: Array.from({ length: rows }, (_, row) => [`C${row}`]) })

// A run's entry in the tab is visible to the system users of its own project alone.
it('knows the last table though a system user of another project has written it', async () => {
  if (!first || !second) throw new Error('there are two')
  const id = await service.owner.create()
  for (const address of USERS) await service.owner.share(id, address)
  let previous: WriteJob['previous'] = null
  let run = 0
  const write = async (client: typeof first, rows: number) => {
    const target = { spreadsheet_id: id, sheet_id: 0, sheet_name: 'T', start_cell: 'A1' }
    const job = {
      table: table(rows),
      target,
      format_table: true,
      report_id: 7,
      attempt: 1,
      previous,
      other_tables: [],
    }
    const { sheet_id, rect, head, fmt } = await writeTable({ ...job, run_id: `run-${++run}` }, freely(client))
    previous = { sheet_id, rect, head, fmt, project: client.project }
  }
  expect([first.project, second.project]).toEqual(['first', 'second'])
  await write(first, 9)
  await write(second, 4)
  expect(await service.owner.values(id, "'T'")).toHaveLength(5)
  // Below the smaller table is what somebody has typed since: the first one's old entry must not clear it.
  await service.owner.put(id, "'T'!A8", [['mine']])
  await write(first, 3)
  expect(await service.owner.values(id, "'T'")).toEqual([
    ['Campaign'],
    ['C0'],
    ['C1'],
    ['C2'],
    [],
    [],
    [],
    ['mine'],
  ])
})
