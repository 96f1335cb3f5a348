import { describe, expect, it } from 'vitest'
import { readMailHtml, type MailNode } from './mail-html.ts'

/** As it would be drawn, in short. */
const summary = (nodes: readonly MailNode[]): string =>
  nodes
    .map(node => {
      if (typeof node === 'string') return node
      const style = Object.entries(node.style).map(([key, value]) => ` ${key}=${value}`)
      return `[${node.tag}${node.href === null ? '' : ` ${node.href}`}${style.join('')}|${summary(node.children)}]`
    })
    .join('')
const read = (html: string) => summary(readMailHtml(html))

describe('the HTML of a mail', () => {
  it('keeps texts, links and their styles', () => {
    expect(
      read(
        '<!doctype html><html><head><title>T</title></head><body style="color: red"><p style="margin: 0 0 4px; border-left: 4px solid #c22f2f">A &#38; B<br>C</p><a href="https://a.example/x?y=1">go</a></body></html>',
      ),
    ).toBe('[p margin=0 0 4px borderLeft=4px solid #c22f2f|A & B[br|]C][a https://a.example/x?y=1|go]')
  })

  it.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<style>p{color:red}</style>x', 'x'],
    ['<svg><a href="https://a.example">y</a></svg>x', 'x'],
    ['<img src=x onerror=alert(1)>x', 'x'],
    ['<p onclick="alert(1)">x</p>', '[p|x]'],
    ['<a href="javascript:alert(1)">x</a>', '[a|x]'],
    ['<a href="java&#115;cript:alert(1)">x</a>', '[a|x]'],
    ['<a href="data:text/html,x">x</a>', '[a|x]'],
    ['<p style="background: url(https://evil.example/x)">x</p>', '[p|x]'],
    ['<p style="position: fixed; inset: 0; color: #123">x</p>', '[p color=#123|x]'],
    ['<iframe src="https://evil.example">y</iframe>x', 'x'],
    ['<form action="https://evil.example"><input name="a">x</form>', 'x'],
    ['<p>x</div></p></p>y', '[p|x]y'],
    ['<p>a < b &lt;i&gt;', '[p|a < b <i>]'],
    ['<!-- <p>no</p> -->x', 'x'],
  ])('contains nothing that could run, load or break out of its box: %s', (html, expected) => {
    expect(read(html)).toEqual(expected)
  })
})
