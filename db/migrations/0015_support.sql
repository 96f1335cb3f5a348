-- What people report to support, and what support answers.
create table support_issue (
  id bigint generated always as identity primary key,
  reporter bigint not null references users on delete cascade,
  report_type text not null check (report_type in ('auto_update_report', 'others')),
  -- Which report it is about; it stays when the report is gone for good.
  report bigint references report on delete set null,
  occurred_at timestamptz not null,
  description text not null check (length(description) between 1 and 5000),
  status text not null default 'open' check (status in ('open', 'in_progress', 'answered', 'closed')),
  answer text check (length(answer) between 1 and 5000),
  answered_by bigint references users on delete set null,
  -- Whether ranges of up to three years were granted for the report.
  grants_history boolean not null default false,
  created_at timestamptz not null,
  last_modified_at timestamptz not null
);
create index support_issue_reporter on support_issue (reporter, id);
create index support_issue_report on support_issue (report) where report is not null;
create index support_issue_answered_by on support_issue (answered_by) where answered_by is not null;
