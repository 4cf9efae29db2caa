import type { Verb } from '@/lib/services/access';
import { policyRows, type Row } from './policy-table';

/**
 * Written by hand, like the table of verbs: which right each page of a project asks for. A page
 * that is in no line fails the story. With a plus: there is something to see only besides the right, an exam to be
 * passed or a visit from a marketplace.
 */
const written = `
  project.read
    /projects/[project]
    /projects/[project]/agreement
    /projects/[project]/closed
    /projects/[project]/data
    /projects/[project]/data/[version]
    /projects/[project]/data/[version]/compare
    /projects/[project]/data/[version]/documentation
    /projects/[project]/data/[version]/statistics
    /projects/[project]/evaluations
    /projects/[project]/evaluations/[evaluation]
    /projects/[project]/evaluations/[evaluation]/images/[image]
    /projects/[project]/evaluations/compare
    /projects/[project]/evaluations/slices
    /projects/[project]/leaderboard
    /projects/[project]/leaderboard/transfer
    /projects/[project]/models
    /projects/[project]/models/[model]
    /projects/[project]/runs
    /projects/[project]/runs/[run]
    /projects/[project]/runs/compare
    /projects/[project]/schema
    /projects/[project]/schema/versions
  activity.read
    /projects/[project]/activity
  images.read
    /projects/[project]/images
    /projects/[project]/images/[image]
    /projects/[project]/images/lookalikes
  images.write
    /projects/[project]/images/add
  crowd.read
    /projects/[project]/audit
    /projects/[project]/audit/samples
    /projects/[project]/audit/samples/[audit]
    /projects/[project]/crowd
    /projects/[project]/crowd/[worker]
    /projects/[project]/crowd/checks
    /projects/[project]/crowd/compare
    /projects/[project]/crowd/consent
    /projects/[project]/crowd/exams
    /projects/[project]/crowd/guide
    /projects/[project]/crowd/invite
    /projects/[project]/crowd/pay
    /projects/[project]/crowd/policy
    /projects/[project]/crowd/rules
    /projects/[project]/crowd/translations
    /projects/[project]/setup
  members.read
    /projects/[project]/crowd/people
    /projects/[project]/settings
  data.freeze
    /projects/[project]/data/freeze
  data.export
    /projects/[project]/data/[version]/export
  evaluations.write
    /projects/[project]/evaluations/new
  gold.read
    /projects/[project]/gold
  gold.write
    /projects/[project]/gold/import
    /projects/[project]/gold/write
  schema.write
    /projects/[project]/schema/edit
  models.write
    /projects/[project]/models/new
  runs.write
    /projects/[project]/runs/new
  jobs.read
    /jobs/[job]
  work.read
    /annotate/[project]/consent
    /annotate/[project]/exam/[stage] +
    /annotate/[project]/guide
    /annotate/[project]/leave +
  work.payee
    /annotate/[project]/payee +
`;

const rowOf = (verb: string): Row => {
  const row = policyRows.find((each) => each.verb === (verb as Verb));
  if (!row) throw new Error(`${verb} is no verb of the table.`);
  return row;
};

/** Each page with the row of its verb. */
export const pageRows: { page: string; row: Row; needsMore: boolean }[] = [];
let verb = '';
for (const line of written.split('\n').filter(Boolean)) {
  const [word = '', plus] = line.trim().split(' ');
  if (line.startsWith('    ')) pageRows.push({ page: word, row: rowOf(verb), needsMore: plus === '+' });
  else verb = word;
}
