import { Demo } from '#shared/api/demo.ts'
import { demoPeople } from '#server/demo/people.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'

const demo = route('GET', '/api/demo/', {
  summary: 'List the demo users. 404 outside demo mode.',
  level: 'public',
  reply: Demo,
  async run({ effects }) {
    const { demo_password } = effects.settings
    if (demo_password === null) throw refuse('not_found')
    const users = demoPeople.map(({ username, identity, full_name }) => ({
      username,
      identity,
      name: full_name,
    }))
    return { users, password: demo_password }
  },
})

export const demoRoutes = [demo]
