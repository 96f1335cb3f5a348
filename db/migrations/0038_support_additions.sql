-- What a reporter adds to an issue after it was sent.
create table support_addition (
  id bigint generated always as identity primary key,
  issue bigint not null references support_issue on delete cascade,
  text text not null check (length(text) between 1 and 5000),
  created_at timestamptz not null
);
create index support_addition_issue on support_addition (issue, id);
alter table support_addition enable row level security;
create policy seen on support_addition for select using (exists (select from support_issue where support_issue.id = support_addition.issue));
