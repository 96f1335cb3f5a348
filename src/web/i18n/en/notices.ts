/** What the bell shows; what each notice says stands in shared/notices.ts. */
export const notices = {
  title: 'Notifications',
  read_all: 'Mark all as read',
  read: 'Mark as read',
  read_this: 'Mark as read: {{title}}',
  unread: 'Unread: ',
  empty: 'Nothing has happened yet',
  empty_detail: 'When a report breaks, works again or is shared with you, you will read it here.',
  more: 'Show more',
  mail_settings: 'E-mail settings',
  today: 'Today',
  yesterday: 'Yesterday',
  many: '{{count}} reports or channels need attention. The bell has them all.',
} as const
