-- Which system user works with a spreadsheet: the one of several that it was last found to be shared with.
create table spreadsheet_system_user (
  spreadsheet_id text primary key,
  -- Of its service account.
  address text not null,
  learned_at timestamptz not null default now()
);
