-- What a sharing was when it ended, so that ending it can be taken back with all that belonged to it, the recipient's folder included.
create table ended_share (
  report bigint not null references report (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  access text not null check (access in ('viewer', 'editor')),
  shared_by bigint references users (id) on delete set null,
  folder bigint references folder (id) on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (report, user_id)
);
create index ended_share_user_id on ended_share (user_id);
create index ended_share_shared_by on ended_share (shared_by) where shared_by is not null;
create index ended_share_folder on ended_share (folder) where folder is not null;
create index ended_share_ended_at on ended_share (ended_at);

-- Whose a report was before it was last handed over, and in which folder it stood there.
create table hand_over (
  report bigint primary key references report (id) on delete cascade,
  from_owner bigint not null references users (id) on delete cascade,
  folder bigint references folder (id) on delete set null,
  handed_at timestamptz not null
);
create index hand_over_from_owner on hand_over (from_owner);
create index hand_over_folder on hand_over (folder) where folder is not null;
create index hand_over_handed_at on hand_over (handed_at);
