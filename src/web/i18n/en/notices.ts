/** The frame of the bell; the texts of the notifications are in shared/notices.ts. */
export const notices = {
  title: 'Notifications',
  read_all: 'Mark all as read',
  read: 'Mark as read',
  read_this: 'Mark as read: {{title}}',
  unread: 'Unread: ',
  empty: 'No notifications yet',
  empty_detail: 'You will see here when a report fails, recovers or is shared with you.',
  more: 'Show more',
  mail_settings: 'E-mail settings',
  today: 'Today',
  yesterday: 'Yesterday',
  many: '{{count}} reports or channels need attention. See notifications.',
} as const
