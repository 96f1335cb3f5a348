import type { IdentityName, Person } from '#shared/access.ts'
import { departments, type User, type UserQuery } from '#shared/api/people.ts'
import type { Text } from '#shared/language.ts'
import type { Db } from '#server/db/connect.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { batchesOf } from '#server/http/list.ts'
import { listPeople } from './queries.ts'
import { asUser } from './routes.ts'
import { DELETED } from './rules.ts'

/** So many people are read at a time. */
const BATCH = 500

/** Everybody whom the asking person may see, as a table. */
export const peopleCsv = (db: Db, viewer: Person, query: UserQuery) =>
  csvOf(title, columns, batches(db, viewer, query))

const batches = (db: Db, viewer: Person, query: UserQuery) =>
  batchesOf(BATCH, async page => {
    const { count, rows } = await listPeople(db, viewer, { ...query, ...page })
    return { count, rows: rows.map(row => asUser(viewer, row)) }
  })

const title: Text = { en: 'Users', 'zh-TW': '使用者' }

const columns: readonly CsvColumn<User>[] = [
  { header: { en: 'ID', 'zh-TW': '編號' }, cell: row => row.user_id },
  { header: { en: 'Account', 'zh-TW': '帳號' }, cell: row => row.username },
  {
    header: { en: 'Full name', 'zh-TW': '姓名' },
    cell: (row, language) =>
      row.employment_status === DELETED && language === 'zh-TW'
        ? `已刪除的使用者 ${row.user_id}`
        : row.full_name,
  },
  {
    header: { en: 'Role', 'zh-TW': '角色' },
    cell: ({ identity }, language) => (identity ? roles[identity][language] : null),
  },
  {
    header: { en: 'Department', 'zh-TW': '部門' },
    cell: ({ department }, language) => departmentNames.get(department)?.[language] ?? '',
  },
  { header: { en: 'Position', 'zh-TW': '職稱' }, cell: row => row.position },
  { header: { en: 'E-mail', 'zh-TW': '電子郵件' }, cell: row => row.email },
  {
    header: { en: 'Contacts', 'zh-TW': '聯絡方式' },
    cell: ({ contacts }, language) =>
      contacts?.map(({ type, value }) => `${contactTypes[type]?.[language] ?? ''} ${value}`).join('\n') ??
      null,
  },
  { header: { en: 'Extension', 'zh-TW': '分機' }, cell: row => row.company_extension },
  {
    header: { en: 'Plan', 'zh-TW': '方案' },
    cell: ({ plan }, language) => (plan === null ? null : (plans[plan]?.[language] ?? '')),
  },
  {
    header: { en: 'Account state', 'zh-TW': '帳號狀態' },
    cell: ({ is_active }, language) => states[is_active]?.[language] ?? '',
  },
  {
    header: { en: 'Employment', 'zh-TW': '在職狀態' },
    cell: ({ employment_status }, language) => employments[employment_status]?.[language] ?? '',
  },
  {
    header: { en: 'Created ({zone})', 'zh-TW': '建立時間（{zone}）' },
    cell: ({ created_at }) => (created_at ? new Date(created_at) : null),
  },
]

const departmentNames = new Map<number | null, Text>(
  Object.entries(departments).map(([id, { names }]) => [Number(id), names]),
)

const roles: Record<IdentityName, Text> = {
  superuser: { en: 'Superuser', 'zh-TW': '超級管理員' },
  director: { en: 'Director', 'zh-TW': '總監' },
  manager: { en: 'Manager', 'zh-TW': '經理' },
  staff: { en: 'Staff', 'zh-TW': '員工' },
  external_user: { en: 'Client', 'zh-TW': '客戶' },
}

const contactTypes: readonly Text[] = [
  { en: 'Other', 'zh-TW': '其他' },
  { en: 'Mobile', 'zh-TW': '手機' },
  { en: 'E-mail', 'zh-TW': '電子郵件' },
  { en: 'Facebook ID', 'zh-TW': 'Facebook ID' },
  { en: 'Line ID', 'zh-TW': 'Line ID' },
]

const plans: readonly Text[] = [
  { en: 'Basic', 'zh-TW': '基本' },
  { en: 'Advanced', 'zh-TW': '進階' },
]

const states: readonly Text[] = [
  { en: 'Closed', 'zh-TW': '關閉' },
  { en: 'Open', 'zh-TW': '啟用' },
]

const employments: readonly Text[] = [
  { en: 'Deleted', 'zh-TW': '已刪除' },
  { en: 'Employed', 'zh-TW': '在職' },
  { en: 'Resigned', 'zh-TW': '離職' },
  { en: 'On unpaid leave', 'zh-TW': '留職停薪' },
]
