-- A client's plan: 0 basic, 1 advanced. Employees always have the advanced one, whatever is stored.
alter table users add column plan smallint not null default 0 check (plan in (0, 1));

-- Mobile numbers of Taiwan are stored as E.164 from now on; what is not clearly one stays as it was written.
update users set contacts = (
  select jsonb_agg(
    case when contact ->> 'type' = '1' and regexp_replace(contact ->> 'value', '[ ().-]', '', 'g') ~ '^(09|\+?8869)\d{8}$'
      then contact || jsonb_build_object('value', '+886' || right(regexp_replace(contact ->> 'value', '[ ().-]', '', 'g'), 9))
      else contact end
    order by place)
  from jsonb_array_elements(contacts) with ordinality as each (contact, place))
where contacts @> '[{"type": 1}]';

-- Who has left has no open account.
update users set is_active = 0 where employment_status in (0, 2) and is_active = 1;
