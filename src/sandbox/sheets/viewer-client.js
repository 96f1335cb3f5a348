// The page of the viewer: asks as whom, then shows tabs and cells. Cell text only ever becomes textContent.

const ROW_HEIGHT = 22
const COLUMN_WIDTH = 100
const HEAD_WIDTH = 60
// Browsers end at about 16 million pixels; beyond that the scroll bar counts in fractions of the sheet.
const MOST_HEIGHT = 12_000_000

const by = id => document.getElementById(id)
const id = /\/d\/([^/]+)/.exec(location.pathname)?.[1] ?? null
const state = { email: localStorage.getItem('sandbox-email') ?? '', book: null, sheet: null, asked: 0 }

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

async function ask(path, options = {}) {
  const headers = { authorization: `Bearer sandbox-user:${state.email}`, 'content-type': 'application/json' }
  const response = await fetch(path, { ...options, headers })
  if (response.ok) return response
  const { error } = await response.json().catch(() => ({ error: { message: `Error ${response.status}` } }))
  throw new Error(error.message)
}

const say = text => (by('message').textContent = text)

async function open() {
  say('')
  by('who').elements.namedItem('email').value = state.email
  if (!state.email) return say('Type the address of the person as whom you want to look.')
  try {
    await (id ? openBook() : openFiles())
  } catch (error) {
    by('main').hidden = true
    say(error.message)
  }
}

async function openFiles() {
  const response = await ask('/drive/v3/files?pageSize=200&fields=files(id,name,mimeType,ownedByMe,trashed)')
  const { files = [] } = await response.json()
  const items = files.map(file => {
    const link = element('a', { href: `/spreadsheets/d/${file.id}/edit`, textContent: file.name })
    return element(
      'li',
      {},
      link,
      `${file.ownedByMe ? '' : ' (shared)'}${file.trashed ? ' (in the bin)' : ''}`,
    )
  })
  const make = element('button', { textContent: 'New spreadsheet' })
  make.addEventListener('click', async () => {
    const body = JSON.stringify({ properties: { title: `Spreadsheet ${files.length + 1}` } })
    const made = await (await ask('/v4/spreadsheets', { method: 'POST', body })).json()
    location.href = `/spreadsheets/d/${made.spreadsheetId}/edit`
  })
  const list =
    items.length > 0 ? element('ul', {}, ...items) : element('p', { textContent: 'No spreadsheets yet.' })
  by('files').replaceChildren(
    element('h2', { textContent: `Spreadsheets of ${state.email}` }),
    list,
    element('p', {}, make),
  )
  by('files').hidden = false
}

async function openBook() {
  state.book = await (await ask(`/spreadsheets/d/${id}/data`)).json()
  const { book } = state
  document.title = book.title
  by('title').textContent = `${book.title}${book.trashed ? ' (in the bin)' : ''}`
  by('main').hidden = false
  showTools()
  showFacts()
  chooseSheet()
}

function chooseSheet() {
  const gid = /gid=(\d+)/.exec(location.hash)?.[1]
  const { sheets } = state.book
  state.sheet =
    sheets.find(sheet => String(sheet.sheet_id) === gid) ?? sheets.find(sheet => !sheet.hidden) ?? sheets[0]
  const tab = sheet => {
    const button = element('button', {
      textContent: sheet.title,
      className: sheet.hidden ? 'hidden-tab' : '',
    })
    button.setAttribute('aria-current', String(sheet === state.sheet))
    button.addEventListener('click', () => (location.hash = `gid=${sheet.sheet_id}`))
    return button
  }
  const hidden = sheets.filter(sheet => sheet.hidden)
  by('tabs').replaceChildren(
    ...sheets.filter(sheet => !sheet.hidden).map(tab),
    ...(hidden.length > 0 ? ['Hidden:'] : []),
    ...hidden.map(tab),
  )
  by('grid').scrollTo(0, 0)
  layOut()
  void showCells()
}

function showTools() {
  const download = (format, label) => {
    const button = element('button', { textContent: label })
    button.addEventListener('click', async () => {
      const response = await ask(`/spreadsheets/d/${id}/export?format=${format}&gid=${state.sheet.sheet_id}`)
      const url = URL.createObjectURL(await response.blob())
      element('a', { href: url, download: `${state.book.title}.${format}` }).click()
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    })
    return button
  }
  const reload = element('button', { textContent: 'Reload' })
  reload.addEventListener('click', open)
  by('tools').replaceChildren(
    download('xlsx', 'Download XLSX'),
    download('csv', 'Download CSV'),
    reload,
    element('span', { className: 'spacer' }),
    ...shareForm(),
  )
}

function shareForm() {
  if (!['owner', 'writer'].includes(state.book.role)) return [`You are ${state.book.role} here.`]
  const email = element('input', {
    type: 'email',
    required: true,
    value: state.book.system_user,
    ariaLabel: 'Share with',
    size: 44,
  })
  const roles = ['writer', 'commenter', 'reader'].map(role =>
    element('option', {
      value: role,
      textContent: role === 'writer' ? 'Editor' : role === 'reader' ? 'Viewer' : 'Commenter',
    }),
  )
  const role = element('select', { ariaLabel: 'Role' }, ...roles)
  const form = element('form', {}, email, ' ', role, ' ', element('button', { textContent: 'Share' }))
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const body = JSON.stringify({ type: 'user', role: role.value, emailAddress: email.value })
    try {
      await ask(`/drive/v3/files/${id}/permissions?sendNotificationEmail=false`, { method: 'POST', body })
      await open()
      say(`Shared with ${email.value}.`)
    } catch (error) {
      say(error.message)
    }
  })
  return [form]
}

function showFacts() {
  const { shares, named_ranges, broken_names, sheets } = state.book
  const list = (title, items) =>
    items.length > 0 ? [element('h2', { textContent: title }), element('ul', {}, ...items)] : []
  const item = text => element('li', { textContent: text })
  const protections = sheets.flatMap(sheet =>
    sheet.protections.map(each =>
      item(
        `${sheet.title} ${each.range}: ${each.warning_only ? 'warning only' : each.editors.join(', ')} ${each.description}`,
      ),
    ),
  )
  const broken = broken_names.map(name => {
    const button = element('button', { textContent: 'Remove' })
    button.addEventListener('click', async () => {
      await ask(`/spreadsheets/d/${id}/forget-name?name=${encodeURIComponent(name)}`, { method: 'POST' })
      await open()
    })
    return element('li', {}, `${name}: #REF! `, button)
  })
  by('facts').replaceChildren(
    ...list(
      'Shared with',
      shares.map(each => item(`${each.who}: ${each.role}`)),
    ),
    ...list('Protected', protections),
    ...list('Named ranges', [...named_ranges.map(each => item(`${each.name}: ${each.range}`)), ...broken]),
  )
}

const widthOf = column =>
  state.sheet.widths.find(each => each.start <= column && column < each.end)?.width ?? COLUMN_WIDTH

function layOut() {
  const { rows, columns, widths } = state.sheet
  const special = widths.reduce(
    (sum, each) =>
      sum + (Math.min(each.end, columns) - each.start) * ((each.width ?? COLUMN_WIDTH) - COLUMN_WIDTH),
    0,
  )
  const space = by('space').style
  space.height = `${Math.min((rows + 1) * ROW_HEIGHT, MOST_HEIGHT)}px`
  space.width = `${HEAD_WIDTH + columns * COLUMN_WIDTH + special}px`
}

/** The window that the scroll position shows. */
function visible() {
  const grid = by('grid')
  const { rows, columns } = state.sheet
  const shown = Math.ceil(grid.clientHeight / ROW_HEIGHT) + 1
  const way = Math.max(1, Math.min((rows + 1) * ROW_HEIGHT, MOST_HEIGHT) - grid.clientHeight)
  const r0 = Math.max(
    0,
    Math.min(Math.round((grid.scrollTop / way) * Math.max(0, rows - shown + 2)), rows - 1),
  )
  let c0 = 0
  let left = 0
  while (c0 < columns - 1 && left + widthOf(c0) <= grid.scrollLeft) left += widthOf(c0++)
  let c1 = c0
  for (let width = 0; c1 < columns && width < grid.clientWidth + COLUMN_WIDTH; c1++) width += widthOf(c1)
  return { r0, r1: Math.min(rows, r0 + shown), c0, c1 }
}

async function showCells() {
  if (!state.sheet) return
  const { r0, r1, c0, c1 } = visible()
  const turn = ++state.asked
  const query = new URLSearchParams({ gid: state.sheet.sheet_id, r0, r1, c0, c1 })
  try {
    const { rows, notes } = await (await ask(`/spreadsheets/d/${id}/cells?${query}`)).json()
    if (turn === state.asked) draw({ r0, r1, c0, c1 }, { rows, notes })
  } catch (error) {
    say(error.message)
  }
}

function draw({ r0, r1, c0, c1 }, { rows, notes }) {
  const numbers = Array.from({ length: c1 - c0 }, (_, i) => c0 + i)
  const columns = [HEAD_WIDTH, ...numbers.map(widthOf)].map(width => {
    const column = element('col')
    column.style.width = `${width}px`
    return column
  })
  const head = element(
    'tr',
    {},
    element('th'),
    ...numbers.map(column => element('th', { textContent: columnName(column), scope: 'col' })),
  )
  const body = Array.from({ length: r1 - r0 }, (_row, i) => {
    const cells = numbers.map((_column, column) => {
      const text = String(rows[i]?.[column] ?? '')
      const cell = element('td', {
        textContent: text,
        title: text.length > 12 ? text : '',
        className: /^-?[\d,.]+%?$/.test(text) ? 'number' : '',
      })
      const noted = notes.find(each => each.row === r0 + i && each.column === c0 + column)
      if (noted) cell.append(noteMark(noted.note, `${columnName(c0 + column)}${r0 + i + 1}`))
      return cell
    })
    return element('tr', {}, element('th', { textContent: String(r0 + i + 1), scope: 'row' }), ...cells)
  })
  const table = by('cells')
  const focused = table.contains(document.activeElement) ? document.activeElement.ariaLabel : null
  table.replaceChildren(
    element('colgroup', {}, ...columns),
    element('thead', {}, head),
    element('tbody', {}, ...body),
  )
  table.style.width = `${HEAD_WIDTH + numbers.reduce((sum, column) => sum + widthOf(column), 0)}px`
  table.style.top = `${by('grid').scrollTop}px`
  table.style.left = `${by('grid').scrollLeft}px`
  if (focused) table.querySelector(`[aria-label="${focused}"]`)?.focus({ preventScroll: true })
}

/** The corner of a cell with a note: pointed at it names the note, pressed it shows it. */
function noteMark(note, cell) {
  const mark = element('button', { className: 'note-mark', title: note, ariaLabel: `Note on ${cell}` })
  mark.addEventListener('click', () => {
    const { right, top } = mark.getBoundingClientRect()
    const shown = by('note')
    shown.textContent = note
    shown.style.left = `${Math.min(right + 4, Math.max(8, innerWidth - 330))}px`
    shown.style.top = `${Math.min(top, innerHeight - 60)}px`
    shown.showPopover({ source: mark })
  })
  return mark
}

function columnName(column) {
  let name = ''
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26))
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name
  return name
}

by('who').addEventListener('submit', event => {
  event.preventDefault()
  state.email = new FormData(event.target).get('email').trim().toLowerCase()
  localStorage.setItem('sandbox-email', state.email)
  void open()
})
let frame = 0
by('grid').addEventListener('scroll', () => {
  cancelAnimationFrame(frame)
  frame = requestAnimationFrame(showCells)
})
new ResizeObserver(() => showCells()).observe(by('grid'))
addEventListener('hashchange', () => state.book && chooseSheet())
void open()
