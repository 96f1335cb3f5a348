-- Finance sees every customer, and with it who serves it.
drop policy seen on advertiser_member;
create policy seen on advertiser_member for select using (
  user_id = (select asking_person()) or (select asking_bills_all_advertisers())
  or advertiser in (select asking_advertisers()));
