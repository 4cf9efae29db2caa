/**
 * Programs posing as people: how many of the simulated agents the human signals pause, after how many items, and how
 * many simulated people they pause wrongly. Rules only, without server or database.
 *
 *   npm run bench:agents -- [--people 60] [--agents 100] [--items 200] [--seed 1] [--json]
 *
 * `--people` is per kind of person (nine kinds).
 */
import { parseArgs } from 'node:util';
import type { Share } from '@/lib/core/quality/interval';
import { defaultRules, humanSignals, type RuleSetting } from '@/lib/core/quality/rules';
import {
  type GroupReport,
  people,
  pooled,
  programs,
  reportOn,
  simulateGroup,
} from '@/lib/demo/simulation/agent-report';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '60' },
    agents: { type: 'string', default: '100' },
    items: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const shared = { items: Number(values.items), seed: Number(values.seed) };
const agents = programs.map((group) => simulateGroup(group, { careers: Number(values.agents), ...shared }));
const persons = people.map((group) => simulateGroup(group, { careers: Number(values.people), ...shared }));

/** Where workers may answer through the API with keys of their own, a missing record means nothing. */
const withApiAllowed = humanSignals.map(
  (rule): RuleSetting => (rule.id === 'missing-events' ? { ...rule, params: { countMissing: 0 } } : rule),
);
const peopleReports = persons.map((group) => reportOn(group, humanSignals));
const report = {
  ...shared,
  programs: agents.map((group) => reportOn(group, humanSignals)),
  programsWithApiAllowed: agents.map((group) => reportOn(group, withApiAllowed)),
  programsWithAllRules: agents.map((group) => reportOn(group, defaultRules)),
  eachRuleAlone: humanSignals.map((rule) => ({
    rule: rule.id,
    programs: agents.map((group) => reportOn(group, [rule])),
  })),
  people: peopleReports,
  falsePositives: pooled(peopleReports),
};

const percent = ({ value, low, high }: Share) =>
  `${(100 * value).toFixed(1)} % (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
const byRule = (rules: Record<string, number>) =>
  Object.entries(rules)
    .map(([rule, n]) => `${rule} ${n}`)
    .join(', ');
const row = ({ name, careers, paused, itemsUntilPause, anyStep, rules }: GroupReport) => {
  const until = itemsUntilPause ? `${itemsUntilPause.median}, ${itemsUntilPause.p90}` : '–';
  return `| ${name} | ${careers} | ${percent(paused)} | ${until} | ${percent(anyStep)} | ${byRule(rules)} |`;
};
const table = (what: string, reports: readonly GroupReport[]) =>
  [
    `| ${what} | careers | paused, 95 % interval | items until then: median, 90th percentile | any step | by rule |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...reports.map(row),
    '',
  ].join('\n');

if (values.json) console.log(JSON.stringify(report));
else {
  console.log(table('program, human signals', report.programs));
  console.log(table('program, human signals, `countMissing` 0', report.programsWithApiAllowed));
  console.log(table('program, all default rules', report.programsWithAllRules));
  for (const { rule, programs: alone } of report.eachRuleAlone)
    console.log(table(`\`${rule}\` alone`, alone));
  console.log(table('person, human signals', report.people));
  const { paused, anyStep } = report.falsePositives;
  console.log(`All people: paused ${percent(paused)}, any step ${percent(anyStep)}`);
}
