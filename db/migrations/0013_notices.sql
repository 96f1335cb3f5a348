-- What people are told of: incidents of reports, notices, and the mails that carry them.

-- A cause for which a report lacks output, from the run that met it first to the one that is free of it.
create table incident (
  id bigint generated always as identity primary key,
  report bigint not null references report on delete cascade,
  -- The block that lacks output; null: the run as a whole.
  channel text,
  label text,
  code text not null,
  -- Whether the run ended in error; else the table was written without this block.
  failed_run boolean not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  check ((channel is null) = (label is null))
);
create index incident_report on incident (report) where closed_at is null;
create index incident_closed_at on incident (closed_at) where closed_at is not null;

-- One letter to one person, with everything that they were to be told of within the window. Its id makes its Message-ID, so that a letter that a killed
-- sender had sent already is known again.
create table mail (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'dead')),
  created_at timestamptz not null,
  -- When it is to be tried. Whoever takes it moves this on by the lease: one whose sender died comes due again by itself.
  due_at timestamptz not null,
  tries smallint not null default 0,
  ended_at timestamptz,
  -- What the server said of the last try.
  problem text
);
create index mail_due_at on mail (due_at) where state = 'waiting';
create index mail_user_id on mail (user_id);
create index mail_ended_at on mail (ended_at) where ended_at is not null;

alter table notification
  -- What fills the text of its kind: channels, a person, a count.
  add column detail jsonb not null default '{}',
  -- Whether a mail may still carry it.
  add column mail_wanted boolean not null default false,
  add column mail uuid references mail on delete set null;
create index notification_unread on notification (user_id) where read_at is null;
create index notification_mail_wanted on notification (user_id, at) where mail_wanted;
create index notification_mail on notification (mail) where mail is not null;
create index notification_at on notification (at);
create index notification_report on notification (report) where report is not null;
create index notification_run on notification (run) where run is not null;

alter table users
  add column mail_notices text not null default 'failures' check (mail_notices in ('none', 'failures', 'all'));

alter table public_account
  -- Since its tests fail for a reason that only a person can mend.
  add column failing_since timestamptz,
  -- The expiry of which superusers were told.
  add column expiry_told timestamptz;
