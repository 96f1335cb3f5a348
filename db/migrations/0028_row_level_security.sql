-- no transaction
-- Which rows a person may read, once more beside src/shared/access.ts and apart from it: src/server/db/reader.test.ts holds the two together. The owner of the tables
-- is not subject to it; reads of people go through the role of src/server/db/reader.ts. Nobody asks (`sheetcast.person` is not set): no rows.
-- Each question about the person stands in a subquery of its own, so that it is asked once a statement and not once a row. Functions with the owner's
-- rights, where a policy reads a table that has one: policies that ask each other would never end. Each table in a step of its own: twenty locks at once
-- would wait in a circle with whoever takes them in another order.

create or replace function asking_person() returns bigint language sql stable parallel safe
  return nullif(current_setting('sheetcast.person', true), '')::bigint;

create or replace function asking_identity() returns text language sql stable parallel safe
  return current_setting('sheetcast.identity', true);

create or replace function asking_department() returns smallint language sql stable parallel safe
  return nullif(current_setting('sheetcast.department', true), '')::smallint;

create or replace function asking_is_internal() returns boolean language sql stable parallel safe
  return asking_identity() in ('staff', 'manager', 'director', 'superuser');

create or replace function asking_sees_all_advertisers() returns boolean language sql stable parallel safe
  return asking_identity() in ('director', 'superuser');

-- Research and development.
create or replace function asking_answers_issues() returns boolean language sql stable parallel safe
  return asking_identity() = 'superuser' or (asking_is_internal() and asking_department() = 6);

create or replace function asking_advertisers() returns setof bigint language sql stable parallel safe security definer rows 20
begin atomic
  select advertiser from advertiser_member where user_id = asking_person()
  union
  select membership.advertiser
  from users colleague join advertiser_member membership on membership.user_id = colleague.id
  where asking_identity() = 'manager' and colleague.department = asking_department() and colleague.identity <> 'external_user'; end;

-- Shared with them; and to those who answer issues, what an issue is about.
create or replace function asking_reports_of_others() returns setof bigint language sql stable parallel safe security definer rows 100
begin atomic
  select report from report_share where user_id = asking_person()
  union all
  select report from support_issue where report is not null and asking_answers_issues(); end;

-- To a client: people of their own advertisers, and whoever has owned, shared, copied or answered what they see.
create or replace function asking_known_people() returns setof bigint language sql stable parallel safe security definer rows 100
begin atomic
  select theirs.user_id
  from advertiser_member mine join advertiser_member theirs on theirs.advertiser = mine.advertiser
  where mine.user_id = asking_person()
  union
  select unnest(array[report.owner, report.copied_by, share.shared_by])
  from report_share share join report on report.id = share.report
  where share.user_id = asking_person()
  union
  -- Of reports that are there: for deleted ones there is no index by owner.
  select copied_by from report where owner = asking_person() and deleted_at is null and copied_by is not null
  union
  select answered_by from support_issue where reporter = asking_person(); end;

alter table report enable row level security;
-- Names no column that report_owner_modified has not, so that lists go on being read from that index alone. What is deleted the code hides.
drop policy if exists seen on report;
create policy seen on report for select using (owner = (select asking_person()) or id in (select asking_reports_of_others()));

alter table report_share enable row level security;
drop policy if exists seen on report_share;
create policy seen on report_share for select using (user_id = (select asking_person()));

alter table report_account enable row level security;
drop policy if exists seen on report_account;
create policy seen on report_account for select using (exists (select from report where report.id = report_account.report));

alter table folder enable row level security;
drop policy if exists seen on folder;
create policy seen on folder for select using (owner = (select asking_person()));

alter table run enable row level security;
drop policy if exists seen on run;
create policy seen on run for select using (exists (select from report where report.id = run.report));

alter table run_chunk enable row level security;
drop policy if exists seen on run_chunk;
create policy seen on run_chunk for select using (exists (select from run where run.id = run_chunk.run));

alter table execution enable row level security;
drop policy if exists seen on execution;
create policy seen on execution for select using (created_by = (select asking_person()));

alter table execution_run enable row level security;
drop policy if exists seen on execution_run;
create policy seen on execution_run for select using (exists (select from execution where execution.id = execution_run.execution));

alter table notification enable row level security;
drop policy if exists seen on notification;
create policy seen on notification for select using (user_id = (select asking_person()));

alter table support_issue enable row level security;
drop policy if exists seen on support_issue;
create policy seen on support_issue for select using (reporter = (select asking_person()) or (select asking_answers_issues()));

alter table support_image enable row level security;
drop policy if exists seen on support_image;
create policy seen on support_image for select using (exists (select from support_issue where support_issue.id = support_image.issue));

alter table advertiser enable row level security;
drop policy if exists seen on advertiser;
create policy seen on advertiser for select using (
  (select asking_sees_all_advertisers()) or id in (select asking_advertisers()));

alter table advertiser_member enable row level security;
drop policy if exists seen on advertiser_member;
create policy seen on advertiser_member for select using (
  user_id = (select asking_person()) or (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers()));

alter table ad_account enable row level security;
drop policy if exists seen on ad_account;
create policy seen on ad_account for select using (
  (select asking_sees_all_advertisers()) or advertiser in (select asking_advertisers()));

alter table filter_value enable row level security;
drop policy if exists seen on filter_value;
create policy seen on filter_value for select using (exists (select from ad_account where ad_account.id = filter_value.ad_account));

alter table spend_account enable row level security;
drop policy if exists seen on spend_account;
create policy seen on spend_account for select using (exists (select from ad_account where ad_account.id = spend_account.ad_account));

alter table spend_day enable row level security;
drop policy if exists seen on spend_day;
create policy seen on spend_day for select using (exists (select from ad_account where ad_account.id = spend_day.ad_account));

alter table users enable row level security;
drop policy if exists seen on users;
create policy seen on users for select using (
  id = (select asking_person()) or (select asking_is_internal()) or id in (select asking_known_people()));

alter table refresh_family enable row level security;
drop policy if exists seen on refresh_family;
create policy seen on refresh_family for select using (user_id = (select asking_person()));

-- Nobody's lines are read in the role; what is read may be noted, by whoever reads it.
alter table audit enable row level security;
drop policy if exists noted on audit;
create policy noted on audit for insert with check (actor = (select asking_person()));
