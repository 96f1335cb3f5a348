// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { cssOf, nameLoadedStyles, withoutStyles } from './drawn-styles.ts'

it('names each style once, in the order in which the markup has them', () => {
  const { markup, styles } = withoutStyles(
    '<p style="--a:1"></p><i style="--b:&quot;x&quot;"></i><b style="--a:1"></b>',
  )
  expect(markup).toBe('<p data-style="0"></p><i data-style="1"></i><b data-style="0"></b>')
  expect(styles).toEqual(['--a:1', '--b:"x"'])
  expect(cssOf(styles)).toBe('#root [data-style="0"]{--a:1}#root [data-style="1"]{--b:"x"}')
})

it('makes no rule of what would end one, nor of what would end the style sheet', () => {
  const styles = ['--a:1}body{display:none', '--b:</style><script>', '--c:\\7d']
  expect(cssOf(styles)).toBe('')
})

it('leaves text alone, which React writes without quotation marks', () => {
  const text = '<p>a style=&quot;--a:1&quot;</p>'
  expect(withoutStyles(text)).toEqual({ markup: text, styles: [] })
})

// Its own links would be an error each: this browser loads no files.
Object.assign(Object(window).happyDOM.settings, { handleDisabledFileLoadingAsSuccess: true })

it('names the files of each style sheet of the page, as links that load nothing', () => {
  document.head.innerHTML =
    '<link rel="stylesheet" href="/assets/all.css" data-has="/assets/a.css /assets/b.css"><link rel="icon" href="/icon.svg">'
  nameLoadedStyles()
  const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  expect(links.map(link => [link.getAttribute('href'), link.hasAttribute('disabled')])).toEqual([
    ['/assets/all.css', false],
    ['/assets/a.css', true],
    ['/assets/b.css', true],
  ])
})
