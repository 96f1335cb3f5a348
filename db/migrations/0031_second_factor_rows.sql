-- Whether somebody has a second factor is said with who they are: of one's own it may be read in the role that people read in, and nothing of its seed.
alter table second_factor enable row level security;
create policy seen on second_factor for select using (user_id = (select asking_person()));
