import { z } from 'zod'

const Created = z.object({ spreadsheetId: z.string() })

/** The built-in spreadsheet service, as one person uses it in their browser. */
export function spreadsheetsOf(origin: { sheets: string; drive: string }, email: string) {
  const call = async (url: string, body: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer sandbox-user:${email}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as unknown
  }
  return {
    /** A new file with these tabs, in this order. */
    async create(title: string, tabs: string[]): Promise<string> {
      const sheets = tabs.map((tab, index) => ({ properties: { sheetId: index, title: tab, index } }))
      const created = await call(`${origin.sheets}/v4/spreadsheets`, {
        properties: { title, locale: 'en_US', timeZone: 'Asia/Taipei' },
        sheets,
      })
      return Created.parse(created).spreadsheetId
    },
    async share(spreadsheet_id: string, emailAddress: string, role: 'writer' | 'reader'): Promise<void> {
      await call(`${origin.drive}/drive/v3/files/${spreadsheet_id}/permissions`, {
        type: 'user',
        role,
        emailAddress,
      })
    },
  }
}
