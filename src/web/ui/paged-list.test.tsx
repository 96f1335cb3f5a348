// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { PagedList } from './paged-list.tsx'
import { Pager } from './pager.tsx'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
/** The text between the two arrows. */
const numbers = () =>
  Array.from(
    screen.getByRole('navigation').querySelectorAll('button, span'),
    ({ textContent }) => textContent,
  ).filter(text => /^(\d+|…)$/.test(text))

describe('the pages of a list', () => {
  const pager = (page: number, count: number) => {
    const onPage = vi.fn<(page: number) => void>()
    draw(<Pager page={page} pageSize={10} count={count} onPage={onPage} />)
    return onPage
  }

  it('are not offered where one holds all', () => {
    pager(1, 10)
    expect(screen.getByText('1–10 of 10')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('begin with the first one', () => {
    const onPage = pager(1, 11)
    expect(screen.getByText('1–10 of 11')).toBeTruthy()
    expect(button('Previous page').disabled).toBe(true)
    fireEvent.click(button('Next page'))
    expect(onPage).toHaveBeenCalledExactlyOnceWith(2)
  })

  it('end with the last one, which need not be full', () => {
    const onPage = pager(2, 11)
    expect(screen.getByText('11–11 of 11')).toBeTruthy()
    expect(button('Next page').disabled).toBe(true)
    fireEvent.click(button('Previous page'))
    expect(onPage).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('are the first, the last and those around the present one', () => {
    pager(5, 95)
    expect(numbers()).toEqual(['1', '…', '4', '5', '6', '…', '10'])
  })

  it('leave no gap where no page is left out', () => {
    pager(3, 50)
    expect(numbers()).toEqual(['1', '2', '3', '4', '5'])
  })
})

describe('a list that comes page by page', () => {
  const list = (of: Partial<Parameters<typeof PagedList<string>>[0]['list']>, page = 1) => {
    const [onPage, refetch] = [vi.fn<(page: number) => void>(), vi.fn<() => void>()]
    const query = { data: undefined, error: null, isPlaceholderData: false, refetch, ...of }
    draw(
      <PagedList list={query} page={page} pageSize={10} onPage={onPage} empty={<p>Nothing here</p>}>
        {(rows, stale) => <p aria-busy={stale}>{rows.join(' ')}</p>}
      </PagedList>,
    )
    return { onPage, refetch }
  }

  it('says why it has failed, and reloads on a click', () => {
    const { refetch } = list({ error: { code: 'forbidden', request_id: null } })
    fireEvent.click(button('Try again'))
    expect(refetch).toHaveBeenCalledOnce()
  })

  it('distinguishes no match from no entries yet', () => {
    list({})
    expect(screen.queryByText('Nothing here')).toBeNull()
    list({ data: { count: 0, results: [] } })
    expect(screen.getByText('Nothing here')).toBeTruthy()
  })

  it('goes to its last page when the address names a later one', () => {
    const { onPage } = list({ data: { count: 21, results: [] } }, 9)
    expect(onPage).toHaveBeenCalledExactlyOnceWith(3)
  })

  it('stays on a page that has rows', () => {
    const { onPage } = list({ data: { count: 21, results: ['last'] } }, 3)
    expect(screen.getByText('last')).toBeTruthy()
    expect(onPage).not.toHaveBeenCalled()
  })

  it('shows the rows of the previous page while the next one is loading', () => {
    list({ data: { count: 2, results: ['a', 'b'] }, isPlaceholderData: true })
    expect(screen.getByText('a b').getAttribute('aria-busy')).toBe('true')
  })
})
