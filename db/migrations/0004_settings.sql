-- Facts that all processes of one installation share, made once at the first start: the key that signs access tokens, for example.
create table setting (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);

-- The bell, the trail and the housekeeping read by these.
create index audit_actor_at on audit (actor, at);
create index refresh_token_expires_at on refresh_token (expires_at);
create index sign_in_failure_at on sign_in_failure (at);
create index report_deleted_at on report (deleted_at) where deleted_at is not null;
create index report_share_folder on report_share (folder) where folder is not null;
