import { useEffect, useState } from 'react'
import { sectionNames, type SectionName } from './setup.ts'

/** How far below the top a section begins to be the one that is read. */
const LINE_PX = 160

/** The current section: the last one whose top has passed the line near the top, or the last of all */
export function useSectionInView(): SectionName {
  const [name, setName] = useState<SectionName>(sectionNames[0])
  useEffect(() => {
    const scroller = document.querySelector('#content')
    if (!scroller) return
    const update = () => setName(sectionAt(scroller))
    update()
    scroller.addEventListener('scroll', update, { passive: true })
    // Phones scroll the page itself.
    addEventListener('scroll', update, { passive: true })
    return () => {
      scroller.removeEventListener('scroll', update)
      removeEventListener('scroll', update)
    }
  }, [])
  return name
}

function sectionAt(scroller: Element): SectionName {
  const last = sectionNames.at(-1)
  const restPx = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
  if (last && scroller.scrollTop > 0 && restPx < 4) return last
  const line = Math.max(0, scroller.getBoundingClientRect().top) + LINE_PX
  const passed = sectionNames.filter(
    name => (document.getElementById(name)?.getBoundingClientRect().top ?? line) < line,
  )
  return passed.at(-1) ?? sectionNames[0]
}
