-- Whose a spreadsheet is, how strongly that is proven and when it was last looked at. A proof holds for an advertiser, or for whoever has given it and their department;
-- never for the whole agency. `lapsed_at`: the right was found gone. `permissions`: who could write when a code was typed.
alter table spreadsheet_binding
  add column role text not null default 'writer' check (role in ('owner', 'writer')),
  add column department smallint check (department between 1 and 7),
  add column title text,
  add column permissions text[],
  add column verified_at timestamptz,
  add column lapsed_at timestamptz;

-- What was the whole agency's becomes the prover's own and that of their department.
update spreadsheet_binding binding set department = prover.department
from users prover
where prover.id = binding.proven_by and binding.advertiser is null;
